//! Makes templates of projects, changes and deletes them.

use rondo_fields::{choices, integer, one_of, record, text};
use rondo_store::{NewTemplate, Template};
use serde_json::Value;

use super::{TemplateId, TemplateItem, listed};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::Done;
use crate::own_fonts;
use crate::resolve::stored;
use crate::settings::Publish;

/// Characters at most.
const LONGEST_NAME: usize = 100;
const LONGEST_DESCRIPTION: usize = 1000;
/// Highest price, in credits a minute.
const HIGHEST_PRICE: i64 = 1000;

const NOT_ALLOWED: (ErrorKind, &str) = (
    ErrorKind::Forbidden,
    "The template or project belongs to another account, only operators publish here (PUBLISHING_NOT_ALLOWED), or the \
     account has 100 templates (TEMPLATE_LIMIT)",
);
const NOT_FOUND: (ErrorKind, &str) = (ErrorKind::NotFound, "There is no such project or template");

choices! {
    /// Who can use a template.
    pub enum Visibility {
        Private = "private",
        Public = "public",
    }
}

choices! {
    /// What a template is for.
    pub enum Category {
        Personalized = "PERSONALIZED",
        Branding = "BRANDING",
        RealEstate = "REAL_ESTATE",
        SocialMedia = "SOCIAL_MEDIA",
        Educational = "EDUCATIONAL",
        Ecommerce = "ECOMMERCE",
        Sports = "SPORTS",
        Events = "EVENTS",
        Travel = "TRAVEL",
    }
}

record! {
    /// A template to make of a project.
    pub struct TemplateBody {
        /// The id of one of your projects. Its film is copied: later changes of the project do not change the template.
        project_id: required String => "projectId", text();
        /// What it is called.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// What it is for.
        description: optional String => "description", text().at_most(LONGEST_DESCRIPTION);
        /// What it is for. Default: PERSONALIZED.
        category: default Category => "category", one_of(), Category::Personalized;
        /// Credits a minute of film at 1080p. Default: 1.
        credits_per_minute: default u32 => "creditsPerMinute", integer(1, HIGHEST_PRICE), 1;
        /// private: for your account alone. public: for all accounts, where the operator allows it.
        visibility: default Visibility => "visibility", one_of(), Visibility::Private;
    }
}

record! {
    /// What to change of a template. What is left out stays.
    pub struct TemplateUpdate {
        /// The id of one of your templates.
        template_id: required String => "templateId", text();
        /// The id of one of your projects, whose film the template gets.
        project_id: optional String => "projectId", text();
        /// What it is called.
        name: optional String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// What it is for.
        description: optional String => "description", text().at_most(LONGEST_DESCRIPTION);
        /// What it is for.
        category: optional Category => "category", one_of();
        /// Credits a minute of film at 1080p.
        credits_per_minute: optional u32 => "creditsPerMinute", integer(1, HIGHEST_PRICE);
        /// private: for your account alone. public: for all accounts, where the operator allows it.
        visibility: optional Visibility => "visibility", one_of();
    }
}

pub struct CreateTemplate;

impl Operation for CreateTemplate {
    const ID: &'static str = "createTemplate";
    const ABOUT: &'static str = "Makes a template of a project, for your account alone or for all.";
    const RETURNS: &'static str = "The template";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NOT_ALLOWED, NOT_FOUND];

    type Request = TemplateBody;
    type Response = TemplateItem;

    async fn run(call: Call<'_>, request: TemplateBody) -> ServiceResult<TemplateItem> {
        let is_public = request.visibility == Visibility::Public;
        call.require_publishing(is_public)?;
        let new = NewTemplate {
            composition: call.film_for_others(&request.project_id).await?,
            name: request.name.trim().to_owned(),
            description: request.description.unwrap_or_default().trim().to_owned(),
            category: request.category.name().to_owned(),
            credits_per_minute: request.credits_per_minute,
            is_public,
        };
        let template = call.service.store.publish_template(call.account_id(), &new).await?;
        TemplateItem::of(call, listed(template).0).await
    }
}

pub struct UpdateTemplate;

impl Operation for UpdateTemplate {
    const ID: &'static str = "updateTemplate";
    const ABOUT: &'static str = "Gives one of your templates the film of a project, or another name, description, category, \
                                 price or visibility.";
    const RETURNS: &'static str = "The template as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NOT_ALLOWED, NOT_FOUND];

    type Request = TemplateUpdate;
    type Response = TemplateItem;

    async fn run(call: Call<'_>, request: TemplateUpdate) -> ServiceResult<TemplateItem> {
        let template = call.own_template(&request.template_id).await?;
        let asked = request.visibility.map(|visibility| visibility == Visibility::Public);
        let is_public = asked.unwrap_or(template.is_public);
        // Also for a new film of a template that is public already.
        call.require_publishing(is_public)?;
        let old = template.clone();
        let new = NewTemplate {
            composition: match &request.project_id {
                Some(id) => call.film_for_others(id).await?,
                None => old.composition,
            },
            name: request.name.map_or(old.name, |name| name.trim().to_owned()),
            description: request.description.map_or(old.description, |text| text.trim().to_owned()),
            category: request.category.map_or(old.category, |category| category.name().to_owned()),
            credits_per_minute: request.credits_per_minute.unwrap_or(old.credits_per_minute),
            is_public,
        };
        let template = call.service.store.change_template(&template, &new).await?;
        TemplateItem::of(call, listed(template).0).await
    }
}

pub struct DeleteTemplate;

impl Operation for DeleteTemplate {
    const ID: &'static str = "deleteTemplate";
    const ABOUT: &'static str =
        "Deletes one of your templates. Projects and films that were made from it stay.";
    const RETURNS: &'static str = "Deleted";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[NOT_ALLOWED, NOT_FOUND];

    type Request = TemplateId;
    type Response = Done;

    async fn run(call: Call<'_>, request: TemplateId) -> ServiceResult<Done> {
        let template = call.own_template(&request.template_id).await?;
        call.service.store.delete_template(&template.id).await?;
        Ok(Done {})
    }
}

impl Call<'_> {
    /// A template that the caller made. One that the caller may only use is forbidden; any other is unknown.
    async fn own_template(&self, id: &str) -> ServiceResult<Template> {
        let template = self.service.resolver.usable_template(self.caller, id).await?;
        match template.account_id.as_deref() == Some(self.account_id()) {
            true => Ok(template),
            false => Err(ServiceError::forbidden("template")),
        }
    }

    /// Fails where only operators publish for all accounts.
    fn require_publishing(&self, is_public: bool) -> ServiceResult<()> {
        let may = self.caller.account.is_operator || self.service.settings.publish == Publish::Everyone;
        match may || !is_public {
            true => Ok(()),
            false => Err(ServiceError::new(
                ErrorKind::Forbidden,
                "PUBLISHING_NOT_ALLOWED",
                "Only operators publish templates for all accounts here. Make it private, or ask the operator.",
            )),
        }
    }

    /// The film of a project of the caller, as others may have it.
    async fn film_for_others(&self, project_id: &str) -> ServiceResult<Value> {
        let mut project = self.own_project(project_id).await?;
        match project.composition_to_render() == project.composition {
            true => {
                // Others do not have the fonts that the caller uploaded.
                let mut film = stored(&project.composition)?;
                let (service, before) = (self.service, film.font_faces.len());
                own_fonts::add_faces(&service.store, &service.media, self.account_id(), &mut film).await?;
                if film.font_faces.len() > before {
                    project.composition["fontFaces"] = film.write()["fontFaces"].take();
                }
                Ok(project.composition)
            }
            false => Err(ServiceError::unprocessable_field(
                "PASSWORD_IN_URL",
                "projectId",
                "The film has URLs with user names or passwords, which a template must not have. Upload these media and use their fileUrl.",
            )),
        }
    }
}
