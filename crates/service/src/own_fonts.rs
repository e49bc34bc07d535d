//! Fonts that accounts uploaded. Films use them by the names of their families: those that a film names and the service
//! does not have are added to it as font files.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use rondo_composition::{Composition, FontFace, MOST_FONT_FACES};
use rondo_render::families_named;
use rondo_store::{Store, Upload, UploadFace};
use rondo_text::families_in;

use crate::error::ServiceResult;
use crate::media::Media;
use crate::uploads::upload_name;

/// A family that an account uploaded.
#[derive(Debug)]
pub struct OwnFamily {
    pub name: String,
    /// The service has a family of this name, which films use instead.
    pub is_built_in: bool,
    /// The files that are used, newest first, with their faces of this family. A film takes no more than [`MOST_FONT_FACES`].
    pub files: Vec<(Arc<Upload>, Vec<UploadFace>)>,
}

/// Families named by a film that are looked for among those of the account.
const MOST_NAMED: usize = 200;

impl OwnFamily {
    /// The weights of its upright or italic faces, ascending; a variable face counts with its hundreds.
    pub fn weights(&self, italic: bool) -> Vec<u16> {
        let faces = self.files.iter().flat_map(|(_, faces)| faces).filter(|face| face.italic == italic);
        let mut weights: Vec<u16> = faces
            .flat_map(|UploadFace { weights: (low, high), .. }| {
                let hundreds = low / 100 + 1..=high / 100;
                std::iter::once(*low).chain(hundreds.map(|hundred| hundred * 100))
            })
            .collect();
        weights.sort_unstable();
        weights.dedup();
        weights
    }
}

/// The families that an account uploaded, by name.
pub async fn families(store: &Store, media: &Media, account_id: &str) -> ServiceResult<Vec<OwnFamily>> {
    let mut families: BTreeMap<String, OwnFamily> = BTreeMap::new();
    media.uploads.settle_open(account_id).await?;
    for mut upload in store.uploaded_fonts(account_id).await? {
        let mut by_name: BTreeMap<String, Vec<UploadFace>> = BTreeMap::new();
        for face in std::mem::take(&mut upload.faces) {
            by_name.entry(face.family.to_lowercase()).or_default().push(face);
        }
        let upload = Arc::new(upload);
        for (key, faces) in by_name {
            let name = faces[0].family.clone();
            let family = families.entry(key).or_insert_with(|| OwnFamily {
                is_built_in: media.fonts.has_or_fetches(&name),
                name,
                files: Vec::new(),
            });
            if family.files.len() < MOST_FONT_FACES && is_new(&family.files, &faces) {
                family.files.push((upload.clone(), faces));
            }
        }
    }
    Ok(families.into_values().collect())
}

/// Whether a file has a face that newer files do not have.
fn is_new(newer: &[(Arc<Upload>, Vec<UploadFace>)], faces: &[UploadFace]) -> bool {
    let same =
        |a: &UploadFace, b: &UploadFace| (a.weights, a.italic, a.widths) == (b.weights, b.italic, b.widths);
    let known = |face: &UploadFace| newer.iter().flat_map(|(_, faces)| faces).any(|other| same(face, other));
    !faces.iter().all(known)
}

/// Adds the font files of the families that a film names, that the account uploaded, and that neither the service nor the
/// film has.
pub async fn add_faces(
    store: &Store,
    media: &Media,
    account_id: &str,
    composition: &mut Composition,
) -> ServiceResult<()> {
    let wanted = lacking(media, composition);
    if wanted.is_empty() {
        return Ok(());
    }
    for family in families(store, media, account_id).await? {
        if wanted.contains(&family.name.to_lowercase()) {
            composition.font_faces.extend(family.files.iter().map(|(upload, _)| FontFace {
                family: family.name.clone(),
                src: media.links.file(&upload_name(upload)),
            }));
        }
    }
    composition.font_faces.truncate(MOST_FONT_FACES);
    Ok(())
}

/// The families that a film names and that neither the service nor the film has, in lower case.
fn lacking(media: &Media, composition: &Composition) -> HashSet<String> {
    let written = composition.write();
    let names = families_named(&written).into_iter().flat_map(families_in);
    let mut named: HashSet<String> = HashSet::new();
    for name in names {
        if named.len() == MOST_NAMED {
            break;
        }
        named.insert(name.to_lowercase());
    }
    for face in &composition.font_faces {
        named.remove(&face.family.trim().to_lowercase());
    }
    named.retain(|name| !media.fonts.has_or_fetches(name));
    named
}
