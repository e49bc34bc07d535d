//! Pages of lists: a limit, and a cursor that names where the next page starts.

use std::future::Future;

use sqlx::Any;
use sqlx::any::AnyArguments;
use sqlx::query::Query;

use crate::row::{Columns, known};
use crate::{Result, Store};

/// Which part of a list to read: everything, or `limit` items after the cursor.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    pub cursor: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Paged<T> {
    pub items: Vec<T>,
    /// Items on all pages, as counted for the first one.
    pub total: u64,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<String>,
}

impl Page {
    /// The id of the last item on the previous page.
    pub fn after(&self) -> Option<&str> {
        Some(split(self.cursor.as_deref()?).1)
    }

    /// One row more than asked for, to know whether there are more.
    pub(crate) fn rows_to_fetch(&self) -> i64 {
        self.limit.map_or(i64::MAX, |limit| i64::from(limit) + 1)
    }

    /// The page with the items that were read of the fetched rows, apart from those of a newer version. They are counted with
    /// `count` only if this is the first page and not the last: the cursor carries the total from then on.
    pub(crate) async fn of<T>(
        &self,
        read: Vec<Result<T>>,
        id: impl Fn(&T) -> &str,
        count: impl Future<Output = Result<u64>>,
    ) -> Result<Paged<T>> {
        let limit = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let is_last = read.len() <= limit;
        let items = known(read.into_iter().take(limit))?;
        let carried = self.cursor.as_deref().and_then(|cursor| split(cursor).0);
        let total = match carried {
            Some(total) => total,
            None if self.cursor.is_none() && is_last => items.len() as u64,
            None => count.await?,
        };
        let next_cursor = items.last().filter(|_| !is_last).map(|item| format!("{total}-{}", id(item)));
        Ok(Paged { items, total, next_cursor })
    }
}

impl Store {
    /// Runs a query for one number named `total`.
    pub(crate) async fn total(&self, query: Query<'_, Any, AnyArguments>) -> Result<u64> {
        Ok(query.fetch_one(self.reads()).await?.int("total")?.unsigned_abs())
    }
}

/// The total and the id in a cursor, `TOTAL-ID`. An id alone is a cursor too.
fn split(cursor: &str) -> (Option<u64>, &str) {
    match cursor.split_once('-').map(|(total, id)| (total.parse(), id)) {
        Some((Ok(total), id)) => (Some(total), id),
        _ => (None, cursor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_carry_the_total_before_the_id() {
        assert_eq!(split("42-job_1"), (Some(42), "job_1"));
        assert_eq!(split("42-product-launch"), (Some(42), "product-launch"));
        assert_eq!(split("job_1"), (None, "job_1"));
        assert_eq!(split("product-launch"), (None, "product-launch"));
    }
}
