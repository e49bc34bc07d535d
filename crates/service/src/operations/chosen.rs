//! Responses with only the fields that a request names.

use std::sync::Arc;

use rondo_fields::nearest_name;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ServiceError, ServiceResult};

/// The fields that a request names, each known; every field if it names none.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Arc<[String]>>);

impl Fields {
    /// Fails for a name that `T` has no field of.
    pub fn of<T: PartialSchema>(names: Option<Vec<String>>) -> ServiceResult<Self> {
        let Some(names) = names else { return Ok(Self::default()) };
        let known = field_names::<T>();
        for name in &names {
            if !known.contains(name) {
                let hint = match nearest_name(name, known.iter().map(String::as_str)) {
                    Some(nearest) => format!("Did you mean \"{nearest}\"?"),
                    None => format!("It can name {}.", known.join(", ")),
                };
                let message = format!("`fields` names \"{name}\", which does not exist. {hint}");
                return Err(ServiceError::invalid_field("fields", message));
            }
        }
        Ok(Self(Some(names.into())))
    }

    pub fn include(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.iter().any(|known| known == name))
    }
}

/// The names of the fields of `T`.
pub fn field_names<T: PartialSchema>() -> Vec<String> {
    let schema = serde_json::to_value(T::schema()).unwrap_or_default();
    schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// Something of which only some fields are written.
#[derive(Debug)]
pub struct Chosen<T> {
    pub whole: T,
    pub fields: Fields,
}

impl<T: Serialize> Serialize for Chosen<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.fields.0.is_none() {
            return self.whole.serialize(serializer);
        }
        let mut value = serde_json::to_value(&self.whole).map_err(serde::ser::Error::custom)?;
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| self.fields.include(name));
        }
        value.serialize(serializer)
    }
}

impl<T: PartialSchema> PartialSchema for Chosen<T> {
    fn schema() -> RefOr<Schema> {
        T::schema()
    }
}

impl<T: ToSchema> ToSchema for Chosen<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}
