//! Lists templates.

use rondo_fields::record;
use serde::Serialize;
use utoipa::ToSchema;

use super::TemplateItem;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::{cursor, limit, names, page};

record! {
    /// Which templates to list.
    pub struct TemplateQuery {
        /// The fields of each template to return, with commas between them. Default: all.
        fields: optional Vec<String> => "fields", names::<TemplateItem>();
        /// Templates on a page. Default: all.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[]);
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateList {
    #[schema(value_type = Vec<TemplateItem>)]
    pub templates: Vec<Chosen<TemplateItem>>,
    /// How many there are on all pages.
    pub total: u64,
    /// For the next page, when there is one.
    #[schema(required = true)]
    pub next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListTemplates;

impl Operation for ListTemplates {
    const ID: &'static str = "listTemplates";
    const ABOUT: &'static str = "Lists the templates the caller may use.";
    const RETURNS: &'static str = "The templates";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Invalid, "A parameter is malformed, or `fields` names a field that does not exist")];

    type Request = TemplateQuery;
    type Response = TemplateList;

    async fn run(call: Call<'_>, query: TemplateQuery) -> ServiceResult<TemplateList> {
        let service = call.service;
        let fields = Fields::of::<TemplateItem>(query.fields)?;
        let page = page(query.limit, query.cursor);
        let found = service.store.templates_for(call.account_id(), &page).await?;
        let mut templates = Vec::with_capacity(found.items.len());
        for template in found.items {
            templates.push(Chosen { whole: TemplateItem::of(call, template).await?, fields: fields.clone() });
        }
        Ok(TemplateList {
            templates,
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}
