//! Where the text of a setting comes from: flags, then `RONDO_*` variables, then `rondo.toml`, then the default.

use std::path::Path;
use std::str::FromStr;

use super::SETTINGS;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("{from} is \"{value}\", but {expected}.")]
    Value { from: String, value: String, expected: String },
    #[error("{path} cannot be read: {reason}.")]
    File { path: String, reason: String },
}

/// Where values come from, the strongest first.
pub struct Sources<'a> {
    pub flag: &'a dyn Fn(&str) -> Option<String>,
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub file: toml::Table,
}

impl Sources<'_> {
    /// Reads `rondo.toml`, or an empty table where the file is not there and was not asked for by name.
    pub fn file(named: Option<&Path>) -> Result<toml::Table, SettingError> {
        let path = named.unwrap_or(Path::new("rondo.toml"));
        let wrong = |reason: String| SettingError::File { path: path.display().to_string(), reason };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
                return Ok(toml::Table::new());
            }
            Err(e) => return Err(wrong(e.to_string())),
        };
        let table: toml::Table = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        match table.keys().find(|key| !SETTINGS.iter().any(|s| s.name == *key)) {
            Some(key) => Err(wrong(format!("there is no setting \"{key}\""))),
            None => Ok(table),
        }
    }

    /// The text of a setting and where it was written.
    pub(super) fn find(&self, name: &str) -> (String, String) {
        let variable = format!("RONDO_{}", name.to_ascii_uppercase().replace('-', "_"));
        if let Some(value) = (self.flag)(name) {
            return (value, format!("--{name}"));
        }
        if let Some(value) = (self.variable)(&variable).filter(|value| !value.is_empty()) {
            return (value, variable);
        }
        if let Some(value) = self.file.get(name) {
            return (plain(value), format!("{name} in rondo.toml"));
        }
        let default = SETTINGS.iter().find(|s| s.name == name).map_or("", |s| s.default);
        (default.to_owned(), format!("the default of {name}"))
    }

    pub(super) fn read<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SettingError> {
        let (value, from) = self.find(name);
        parse(value.trim()).ok_or_else(|| SettingError::Value { from, value, expected: expected.to_owned() })
    }

    pub(super) fn number<T: FromStr + PartialOrd>(
        &self,
        name: &str,
        least: T,
        expected: &str,
    ) -> Result<T, SettingError> {
        self.read(name, expected, |text| text.parse::<T>().ok().filter(|number| *number >= least))
    }

    pub(super) fn optional<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingError> {
        self.read(name, expected, |text| if text.is_empty() { Some(None) } else { parse(text).map(Some) })
    }
}

/// A value of the file as a flag would write it.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        other => other.type_str().to_owned(),
    }
}
