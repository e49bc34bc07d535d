//! Templates the caller may use.

mod get_template;
mod list_template_variables;
mod list_templates;
mod publish;

use rondo_fields::{record, text};
use rondo_store::{ListedTemplate, Template, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

pub use get_template::{GetTemplate, TemplateDetails};
pub use list_template_variables::ListTemplateVariables;
pub use list_templates::{ListTemplates, TemplateList};
pub use publish::{Category, CreateTemplate, DeleteTemplate, UpdateTemplate, Visibility};

use crate::error::ServiceResult;
use crate::gallery::Piece;
use crate::operation::Call;
use crate::operations::variables::ListedVariable;
use crate::words::{TemplateCategory, TemplateVisibility};

record! {
    /// Names a template.
    pub struct TemplateId {
        /// The id of a template, from GET /templates.
        template_id: required String => "templateId", text();
    }
}

/// A template as lists have it, and its composition.
fn listed(template: Template) -> (ListedTemplate, Value) {
    let Template {
        id,
        account_id,
        is_public,
        name,
        description,
        category,
        credits_per_minute,
        composition,
        created_at,
        updated_at,
    } = template;
    let listed = ListedTemplate {
        id,
        account_id,
        is_public,
        name,
        description,
        category,
        credits_per_minute,
        created_at,
        updated_at,
    };
    (listed, composition)
}

/// A template as the list shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateItem {
    pub id: String,
    pub name: String,
    pub description: String,
    #[schema(value_type = TemplateCategory)]
    pub category: String,
    #[schema(format = "uri", required = true)]
    thumbnail_url: Option<String>,
    #[schema(format = "uri", required = true)]
    preview_video_url: Option<String>,
    /// Credits a minute of film at 1080p.
    pub credits_per_minute: u32,
    /// Whether the caller made it.
    own: bool,
    /// Of one's own; null for others.
    #[schema(value_type = Option<TemplateVisibility>, required = true)]
    visibility: Option<&'static str>,
    /// Size of the canvas in pixels.
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    pub variables: Vec<ListedVariable>,
}

impl TemplateItem {
    async fn of(call: Call<'_>, template: ListedTemplate) -> ServiceResult<Self> {
        let service = call.service;
        let own = template.account_id.as_deref() == Some(call.account_id());
        let visibility = if template.is_public { Visibility::Public } else { Visibility::Private };
        let film = service.template_films.of(&service.store, &template).await?;
        // Pieces of the gallery are served as soon as they exist.
        let file = async |piece: Piece| -> ServiceResult<Option<String>> {
            let name = piece.file(&template.id);
            Ok(service.media.files.is_stamped(&name).await?.then(|| service.links.file(&name)))
        };
        Ok(Self {
            thumbnail_url: file(Piece::Picture).await?,
            preview_video_url: file(Piece::Film).await?,
            id: template.id,
            name: template.name,
            description: template.description,
            category: template.category,
            credits_per_minute: template.credits_per_minute,
            own,
            visibility: own.then_some(visibility.name()),
            width: film.width,
            height: film.height,
            fps: film.fps,
            duration_in_frames: film.duration_in_frames,
            created_at: template.created_at,
            variables: film.variables.iter().cloned().map(ListedVariable::from).collect(),
        })
    }
}
