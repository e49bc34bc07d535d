//! Says what uses an upload or a narration, so that people know before they delete it.

use std::collections::BTreeSet;

use rondo_store::{MediaUser, MediaUses, Upload};
use serde::Serialize;
use utoipa::ToSchema;

use super::delete_upload::{OwnMedia, UploadId};
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::uploads::upload_name;

/// Users of a file that are listed, and families of a font that are looked for.
const MOST_USERS: usize = 10;
const MOST_FAMILIES: usize = 4;

/// Something that uses a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileUser {
    id: String,
    #[schema(required = true)]
    name: Option<String>,
}

/// What uses a file: up to ten of each, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileUses {
    projects: Vec<FileUser>,
    /// Renders that have not ended. They fail when the file is deleted before they have read it.
    renders: Vec<FileUser>,
    /// Whether it is the logo of the brand kit.
    is_logo: bool,
}

pub struct GetUploadUses;

impl Operation for GetUploadUses {
    const ID: &'static str = "getUploadUses";
    const ABOUT: &'static str =
        "Returns the projects and unfinished renders that use an upload or a narration.";
    const RETURNS: &'static str = "What uses the file";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::NotFound, "There is no such upload or narration")];

    type Request = UploadId;
    type Response = FileUses;

    async fn run(call: Call<'_>, request: UploadId) -> ServiceResult<FileUses> {
        let store = &call.service.store;
        let (id, names) = match call.own_media(&request.upload_id).await? {
            OwnMedia::Upload(upload) => (upload.id.clone(), names_of(&upload)),
            OwnMedia::Narration(voiceover) => (voiceover.id, vec![voiceover.file]),
        };
        let mut uses = MediaUses::default();
        for name in names {
            let MediaUses { projects, renders } = store.media_uses(call.account_id(), &name).await?;
            add_new(&mut uses.projects, projects);
            add_new(&mut uses.renders, renders);
        }
        let brand = store.brand(call.account_id()).await?;
        let users = |users: Vec<MediaUser>| -> Vec<FileUser> {
            users.into_iter().map(|MediaUser { id, name }| FileUser { id, name }).collect()
        };
        Ok(FileUses {
            projects: users(uses.projects),
            renders: users(uses.renders),
            is_logo: brand.is_some_and(|(brand, _)| brand.logo.as_deref() == Some(id.as_str())),
        })
    }
}

/// What films call an upload: its file, and the families of a font.
fn names_of(upload: &Upload) -> Vec<String> {
    let families: BTreeSet<&str> = upload.faces.iter().map(|face| face.family.as_str()).collect();
    let families = families.into_iter().take(MOST_FAMILIES).map(str::to_owned);
    std::iter::once(upload_name(upload)).chain(families).collect()
}

/// Adds users that are not there yet.
fn add_new(all: &mut Vec<MediaUser>, users: Vec<MediaUser>) {
    for user in users {
        if all.len() < MOST_USERS && !all.contains(&user) {
            all.push(user);
        }
    }
}
