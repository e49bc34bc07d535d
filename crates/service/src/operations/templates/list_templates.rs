//! Lists templates.

use rondo_fields::record;
use serde::Serialize;
use utoipa::ToSchema;

use super::TemplateItem;
use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, limit, page};

record! {
    /// Which templates to list.
    pub struct TemplateQuery {
        /// Templates on a page. Default: all.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[]);
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateList {
    pub templates: Vec<TemplateItem>,
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

    type Request = TemplateQuery;
    type Response = TemplateList;

    async fn run(call: Call<'_>, query: TemplateQuery) -> ServiceResult<TemplateList> {
        let service = call.service;
        let page = page(query.limit, query.cursor);
        let found = service.store.templates_for(call.account_id(), &page).await?;
        let mut templates = Vec::with_capacity(found.items.len());
        for template in found.items {
            templates.push(TemplateItem::of(call, template).await?);
        }
        Ok(TemplateList {
            templates,
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}
