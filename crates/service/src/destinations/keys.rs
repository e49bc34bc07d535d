//! The credentials of a destination: those of its cloud, and none of others.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::place::Cloud;
use crate::error::{ServiceError, ServiceResult};

/// Longest credential in bytes. Key files of service accounts have about 2,400.
const LONGEST: usize = 10_000;

/// Credentials as they are stored, encrypted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Keys {
    S3 { access_key_id: String, secret_access_key: String, session_token: Option<String> },
    Google { service_account_key: String },
    AzureKey { account: String, account_key: String },
    AzureToken { account: String, sas_token: String },
}

/// The part of a key file that is used. Its other fields name servers, which are not called.
#[derive(Serialize, Deserialize)]
struct ServiceAccount {
    client_email: String,
    private_key_id: String,
    private_key: String,
}

impl Keys {
    /// The credentials of a cloud, out of the fields of a request.
    pub fn of(cloud: Cloud, fields: Vec<(&'static str, String)>) -> ServiceResult<Self> {
        let mut given = Given::of(fields)?;
        let keys = match cloud {
            Cloud::S3 => Self::S3 {
                access_key_id: given.require(cloud, "accessKeyId")?,
                secret_access_key: given.require(cloud, "secretAccessKey")?,
                session_token: given.take("sessionToken"),
            },
            Cloud::Google => Self::Google {
                service_account_key: service_account(&given.require(cloud, "serviceAccountKey")?)?,
            },
            Cloud::Azure => {
                let account = storage_account(given.require(cloud, "account")?)?;
                match (given.take("accountKey"), given.take("sasToken")) {
                    (Some(key), None) if STANDARD.decode(&key).is_ok() => {
                        Self::AzureKey { account, account_key: key }
                    }
                    (Some(_), None) => {
                        return Err(refused("accountKey", "must be a key of Azure Storage, in base64"));
                    }
                    (None, Some(token)) if token.contains("sig=") => {
                        Self::AzureToken { account, sas_token: token }
                    }
                    (None, Some(_)) => {
                        return Err(refused("sasToken", "must be a SAS token, which contains `sig=`"));
                    }
                    (Some(_), Some(_)) => {
                        return Err(refused("sasToken", "cannot be given together with `accountKey`"));
                    }
                    (None, None) => return Err(missing(cloud, "accountKey")),
                }
            }
        };
        given.require_nothing_else(cloud)?;
        Ok(keys)
    }

    pub fn to_json(&self) -> Value {
        // Texts only: nothing that JSON cannot hold.
        serde_json::to_value(self).unwrap_or_default()
    }

    pub fn from_json(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }
}

/// The fields that were given, which are not blank.
struct Given(Vec<(&'static str, String)>);

impl Given {
    fn of(fields: Vec<(&'static str, String)>) -> ServiceResult<Self> {
        let mut given = Vec::new();
        for (name, value) in fields {
            let value = value.trim().to_owned();
            if value.is_empty() {
                continue;
            }
            if value.len() > LONGEST {
                return Err(refused(name, &format!("must have at most {LONGEST} bytes")));
            }
            // A header cannot hold others. Key files have lines.
            if name != "serviceAccountKey" && !value.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(refused(name, "must have letters, digits and signs of ASCII only"));
            }
            given.push((name, value));
        }
        Ok(Self(given))
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.swap_remove(index).1)
    }

    fn require(&mut self, cloud: Cloud, name: &'static str) -> ServiceResult<String> {
        self.take(name).ok_or_else(|| missing(cloud, name))
    }

    fn require_nothing_else(&self, cloud: Cloud) -> ServiceResult<()> {
        match self.0.first() {
            Some((name, _)) => {
                Err(refused(name, &format!("does not belong to a destination of {}://", cloud.scheme())))
            }
            None => Ok(()),
        }
    }
}

fn missing(cloud: Cloud, name: &str) -> ServiceError {
    let path = format!("credentials.{name}");
    let message = format!("`{path}` is required for a destination of {}://.", cloud.scheme());
    ServiceError::invalid_field(&path, message)
}

/// Says what is wrong with a field and never what it holds.
fn refused(name: &str, rule: &str) -> ServiceError {
    let path = format!("credentials.{name}");
    let message = format!("`{path}` {rule}.");
    ServiceError::invalid_field(&path, message)
}

fn storage_account(name: String) -> ServiceResult<String> {
    let is_plain = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
    match is_plain && (3..=24).contains(&name.len()) {
        true => Ok(name),
        false => Err(refused("account", "must have 3 to 24 lower-case letters and digits")),
    }
}

fn service_account(text: &str) -> ServiceResult<String> {
    let account: ServiceAccount = serde_json::from_str(text).map_err(|_| {
        refused(
            "serviceAccountKey",
            "must be the JSON key file of a service account, with `client_email`, `private_key_id` and `private_key`",
        )
    })?;
    serde_json::to_string(&account).map_err(ServiceError::internal)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FIELDS: [&str; 7] = [
        "accessKeyId",
        "secretAccessKey",
        "sessionToken",
        "serviceAccountKey",
        "account",
        "accountKey",
        "sasToken",
    ];

    fn keys(cloud: Cloud, given: Value) -> Result<Keys, String> {
        let fields = FIELDS.into_iter().filter_map(|name| Some((name, given[name].as_str()?.to_owned())));
        Keys::of(cloud, fields.collect()).map_err(|error| error.message)
    }

    #[test]
    fn each_cloud_has_its_own_credentials_and_needs_them() {
        let s3 = json!({"accessKeyId": "AKIA", "secretAccessKey": " shh "});
        let kept = keys(Cloud::S3, s3.clone()).ok().unwrap();
        assert!(kept == Keys::from_json(&kept.to_json()).unwrap());
        assert_eq!(kept.to_json()["s3"]["secretAccessKey"], "shh");
        let azure = json!({"account": "films", "accountKey": "c2VjcmV0"});
        assert!(keys(Cloud::Azure, azure.clone()).is_ok());
        assert!(keys(Cloud::Azure, json!({"account": "films", "sasToken": "?sv=1&sig=x"})).is_ok());
        for (cloud, given, path) in [
            (Cloud::S3, json!({}), "credentials.accessKeyId"),
            (
                Cloud::S3,
                json!({"accessKeyId": "AKIA", "secretAccessKey": " "}),
                "credentials.secretAccessKey",
            ),
            (Cloud::S3, azure.clone(), "credentials.accessKeyId"),
            (Cloud::Google, s3, "credentials.serviceAccountKey"),
            (Cloud::Google, json!({"serviceAccountKey": "shh"}), "credentials.serviceAccountKey"),
            (Cloud::Azure, json!({"account": "films"}), "credentials.accountKey"),
            (
                Cloud::Azure,
                json!({"account": "films.evil.example", "accountKey": "c2VjcmV0"}),
                "credentials.account",
            ),
            (Cloud::Azure, json!({"account": "films", "accountKey": "shh!"}), "credentials.accountKey"),
            (Cloud::Azure, json!({"account": "films", "sasToken": "shh"}), "credentials.sasToken"),
        ] {
            let message = keys(cloud, given).err().unwrap();
            assert!(message.contains(path) && !message.contains("shh"), "{message}");
        }
    }

    #[test]
    fn a_key_file_cannot_name_servers() {
        let file = json!({"type": "service_account", "client_email": "a@b.example", "private_key_id": "1",
            "private_key": "pem", "token_uri": "http://169.254.169.254/", "gcs_base_url": "http://10.0.0.1",
            "disable_oauth": true});
        let kept = keys(Cloud::Google, json!({"serviceAccountKey": file.to_string()})).ok().unwrap();
        let text = kept.to_json().to_string();
        assert!(
            !text.contains("169.254") && !text.contains("10.0.0.1") && !text.contains("disable_oauth"),
            "{text}"
        );
    }
}
