//! Sets of values from a table (RFC 4180): a header with the names of variables, and a row for each render.

use serde_json::{Map, Value, json};

use super::MOST_SETS;
use crate::error::{ServiceError, ServiceResult};

/// Columns of this prefix hold metadata.
const METADATA: &str = "metadata.";
/// What may stand between two cells. Spreadsheets use the second in some languages.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The JSON body that a table stands for; `fields` are those of the query. An empty cell leaves the variable as it is.
pub fn csv_body(mut fields: Map<String, Value>, table: &[u8]) -> ServiceResult<Map<String, Value>> {
    let table = std::str::from_utf8(table).map_err(|_| ServiceError::invalid("The table is not UTF-8."))?;
    let mut rows = rows(table.trim_start_matches('\u{feff}'))?.into_iter();
    let header: Vec<String> = rows.next().unwrap_or_default();
    let names: Vec<&str> = header.iter().map(|name| name.trim()).collect();
    for (column, name) in names.iter().enumerate() {
        if name.is_empty() || names[..column].contains(name) {
            let message =
                format!("Column {} of the table has no name, or one that another column has.", column + 1);
            return Err(ServiceError::invalid(message));
        }
    }
    let mut sets = Vec::new();
    for row in rows {
        if row.len() > names.len() {
            let path = format!("sets[{}]", sets.len());
            let message =
                format!("`{path}` has {} cells, but the table has {} columns.", row.len(), names.len());
            return Err(ServiceError::invalid_field(&path, message));
        }
        let (mut replacements, mut metadata) = (Map::new(), Map::new());
        for (name, cell) in names.iter().zip(row) {
            match name.strip_prefix(METADATA) {
                _ if cell.is_empty() => None,
                Some(key) => metadata.insert(key.to_owned(), cell.into()),
                None => replacements.insert((*name).to_owned(), cell.into()),
            };
        }
        sets.push(json!({"replacements": replacements, "metadata": metadata}));
    }
    fields.insert("sets".into(), sets.into());
    Ok(fields)
}

fn is_blank(row: &[String]) -> bool {
    row.iter().all(|cell| cell.trim().is_empty())
}

/// The cells of a table without its blank rows. It ends a row after the most that a batch can have.
fn rows(table: &str) -> ServiceResult<Vec<Vec<String>>> {
    let separator = separator(table);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut row, mut cell) = (Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = table.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            '\r' if !quoted && characters.peek() == Some(&'\n') => {}
            // Alone, a carriage return ends a row, as in tables of old programs for the Mac.
            '\n' | '\r' if !quoted => {
                row.push(std::mem::take(&mut cell));
                let ended = std::mem::take(&mut row);
                if rows.is_empty() || !is_blank(&ended) {
                    rows.push(ended);
                }
                // The header, and one row too many for the sentence that says so.
                if rows.len() > MOST_SETS + 1 {
                    return Ok(rows);
                }
            }
            other if !quoted && other == separator => row.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    if quoted {
        return Err(ServiceError::invalid(
            "A cell of the table starts with a quotation mark that is never closed.",
        ));
    }
    row.push(cell);
    if !is_blank(&row) {
        rows.push(row);
    }
    Ok(rows)
}

/// What stands between the names of the header.
fn separator(table: &str) -> char {
    let mut quoted = false;
    for character in table.chars().take_while(|character| !matches!(character, '\n' | '\r')) {
        match character {
            '"' => quoted = !quoted,
            other if !quoted && SEPARATORS.contains(&other) => return other,
            _ => {}
        }
    }
    SEPARATORS[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(table: &str) -> Value {
        csv_body(Map::new(), table.as_bytes()).unwrap()["sets"].clone()
    }

    #[test]
    fn rows_become_sets_and_empty_cells_are_left_out() {
        let expected = json!([
            {"replacements": {"headline": "Hello, \"you\"", "logo": "https://a/b.png"}, "metadata": {"order": "7"}},
            {"replacements": {"headline": "two\nlines"}, "metadata": {}},
        ]);
        for table in [
            "headline,logo,metadata.order\r\n\"Hello, \"\"you\"\"\",https://a/b.png,7\r\n\r\n\"two\nlines\",,\r\n",
            "\u{feff}headline; logo ;metadata.order\n\"Hello, \"\"you\"\"\";https://a/b.png;7\n\"two\nlines\"",
            "headline\tlogo\tmetadata.order\nHello, \"you\"\thttps://a/b.png\t7\n\"two\nlines\"\t",
            "headline,logo,metadata.order\r\"Hello, \"\"you\"\"\",https://a/b.png,7\r\"two\nlines\"\r",
        ] {
            assert_eq!(sets(table), expected, "{table}");
        }
        // As Python's `csv` writes a file that is opened without `newline=""`.
        for rows in [1000, 1001, 1500] {
            let table = format!("headline{}", "\r\r\nHello".repeat(rows));
            assert_eq!(sets(&table).as_array().unwrap().len(), rows.min(MOST_SETS + 1));
        }
        assert_eq!(sets(""), json!([]));
        assert_eq!(sets("headline\n"), json!([]));
    }

    #[test]
    fn tables_that_cannot_be_read_are_told() {
        for (table, words) in [
            (&b"a,a\n1,2"[..], "Column 2"),
            (b"a,,b\n1,2,3", "Column 2"),
            (b"a,b\n1,2,3", "sets[0]"),
            (b"a\n\"1", "never closed"),
            (b"a\n\xff", "not UTF-8"),
        ] {
            let error = csv_body(Map::new(), table).unwrap_err();
            assert!(error.message.contains(words), "{}", error.message);
        }
    }
}
