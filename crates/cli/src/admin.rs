//! `rondo account`, `key`, `template` and `webhook`: administration of a service, also while it is running. Results are
//! printed as JSON.

use std::future::Future;

use rondo_service::email::is_email;
use rondo_service::open_store;
use rondo_service::settings::{Settings, Sources};
use rondo_store::{
    Access, Account, AuditAction, Credits, Key, KeyMode, KeyOptions, MasterKey, NewAccount, NewAuditEvent,
    NewTemplate, Plan, Revoke, Store, Time, TransactionType,
};
use serde_json::{Value, json};

use crate::{Outcome, args, pretty, print};

pub fn account(command: &args::Account) -> Outcome {
    use args::Account::{Create, Credit, List, Operator, Password, Plan as ChangePlan, Resume, Suspend};
    match command {
        Create { location, email, name, plan, credits, password, operator } => {
            with_store(location, async |store| {
                if !is_email(email) {
                    return Err(format!("\"{email}\" is not a valid email address."));
                }
                let password_hash = password.as_deref().map(rondo_service::password::hash).transpose()?;
                let new = NewAccount {
                    email,
                    name,
                    plan: plan_of(*plan),
                    credits: Credits::from_whole(*credits),
                    password_hash: password_hash.as_deref(),
                    is_operator: *operator,
                };
                let account = store.create_account(new).await.map_err(message)?;
                let key = store.create_key(&account.id, None).await.map_err(message)?;
                record(store, &account, AuditAction::AccountCreated, "").await?;
                record(store, &account, AuditAction::KeyCreated, &key.key.prefix).await?;
                let mut answer = describe(&account);
                answer["apiKey"] = json!(key.secret);
                answer["apiKeyPrefix"] = json!(key.key.prefix);
                Ok(answer)
            })
        }
        List { location } => with_store(location, async |store| {
            let accounts = store.accounts().await.map_err(message)?;
            Ok(json!({"accounts": accounts.iter().map(describe).collect::<Vec<_>>()}))
        }),
        Credit { location, email, credits } => with_store(location, async |store| {
            let account = find(store, email).await?;
            let amount = Credits::from_whole(*credits);
            let kind = TransactionType::AdditionalCredits;
            let transaction = store.add_credits(&account.id, amount, kind).await.map_err(message)?;
            record(store, &account, AuditAction::CreditsChanged, &format!("{credits:+}")).await?;
            let mut answer = describe(&find(store, email).await?);
            answer["transactionId"] = json!(transaction.id);
            Ok(answer)
        }),
        ChangePlan { location, email, plan } => with_store(location, async |store| {
            let account = find(store, email).await?;
            store.set_plan(&account.id, plan_of(*plan)).await.map_err(message)?;
            record(store, &account, AuditAction::PlanChanged, plan_of(*plan).as_str()).await?;
            Ok(describe(&find(store, email).await?))
        }),
        Operator { location, email, revoke } => with_store(location, async |store| {
            let account = find(store, email).await?;
            store.set_operator(&account.id, !revoke).await.map_err(message)?;
            let subject = if *revoke { "revoked" } else { "granted" };
            record(store, &account, AuditAction::OperatorChanged, subject).await?;
            Ok(describe(&find(store, email).await?))
        }),
        Suspend { location, email } => with_store(location, async |store| {
            let account = find(store, email).await?;
            store.set_suspended(&account.id, true).await.map_err(message)?;
            record(store, &account, AuditAction::Suspended, "").await?;
            Ok(describe(&find(store, email).await?))
        }),
        Resume { location, email } => with_store(location, async |store| {
            let account = find(store, email).await?;
            store.set_suspended(&account.id, false).await.map_err(message)?;
            record(store, &account, AuditAction::Resumed, "").await?;
            Ok(describe(&find(store, email).await?))
        }),
        Password { location, email, password } => with_store(location, async |store| {
            let account = find(store, email).await?;
            let password = password.clone().unwrap_or_else(|| rondo_store::id::secret(16));
            let hash = rondo_service::password::hash(&password)?;
            store
                .set_password_hash(&account.id, Some(&hash), None, Revoke::default())
                .await
                .map_err(message)?;
            record(store, &account, AuditAction::PasswordChanged, "").await?;
            Ok(json!({"userId": account.id, "email": account.email, "password": password}))
        }),
    }
}

pub fn key(command: &args::Key) -> Outcome {
    match command {
        args::Key::Create { location, email, name, read_only, test, expires } => {
            with_store(location, async |store| {
                let account = find(store, email).await?;
                let expires_at = expires.as_deref().map(|text| moment(text, store.now())).transpose()?;
                let access = if *read_only { Access::Read } else { Access::Full };
                let mode = if *test { KeyMode::Test } else { KeyMode::Live };
                let options = KeyOptions { name: name.as_deref(), access, mode, expires_at };
                let key = store.create_limited_key(&account.id, options).await.map_err(message)?;
                record(store, &account, AuditAction::KeyCreated, &key.key.prefix).await?;
                let mut answer = describe_key(&key.key);
                answer["apiKey"] = json!(key.secret);
                Ok(answer)
            })
        }
        args::Key::List { location, email } => with_store(location, async |store| {
            let account = find(store, email).await?;
            let keys = store.keys(&account.id).await.map_err(message)?;
            Ok(json!({"keys": keys.iter().map(describe_key).collect::<Vec<_>>()}))
        }),
        args::Key::RotateMaster { location } => {
            let settings = settings(location)?;
            with_store(location, async |store| rotate_master(store, &settings).await)
        }
        args::Key::Revoke { location, prefix } => with_store(location, async |store| {
            let key = store.revoke_key(prefix, None).await.map_err(message)?;
            let account = store.account(&key.account_id).await.map_err(message)?;
            let account = account.ok_or_else(|| format!("Account {} not found.", key.account_id))?;
            record(store, &account, AuditAction::KeyRevoked, &key.prefix).await?;
            Ok(describe_key(&key))
        }),
    }
}

async fn rotate_master(store: &Store, settings: &Settings) -> Result<Value, String> {
    let running = store.workers().await.map_err(message)?.len();
    if running > 0 {
        return Err(format!(
            "Stop the service first: {running} of its processes use the current master key."
        ));
    }
    if settings.master_key.is_none() {
        let path = settings.data.join(rondo_store::master_key::FILE);
        let rotated = store.rotate_master_key_file(&path).await.map_err(message)?;
        return Ok(json!({"rotated": rotated, "masterKeyFile": path}));
    }
    let new = std::env::var("RONDO_NEW_MASTER_KEY").ok().and_then(|text| MasterKey::from_hex(&text));
    let new = new.ok_or(
        "RONDO_NEW_MASTER_KEY must be set to the new key, 64 hexadecimal digits, because RONDO_MASTER_KEY is set.",
    )?;
    let rotated = store.rotate_master_key(&new).await.map_err(message)?;
    Ok(json!({"rotated": rotated, "note": "Start the service with the new key as RONDO_MASTER_KEY."}))
}

pub fn template(command: &args::Template) -> Outcome {
    match command {
        args::Template::Publish {
            location,
            project_id,
            name,
            description,
            category,
            credits_per_minute,
            private,
        } => with_store(location, async |store| {
            let project = store.project(project_id).await.map_err(message)?;
            let project = project.ok_or_else(|| format!("Project {project_id} not found."))?;
            let new = NewTemplate {
                name: name.clone().unwrap_or(project.name),
                description: description.clone().or(project.description).unwrap_or_default(),
                category: category_name(*category),
                credits_per_minute: *credits_per_minute,
                composition: project.composition,
                is_public: !private,
            };
            let template = store.publish_template(&project.account_id, &new).await.map_err(message)?;
            Ok(json!({
                "templateId": template.id, "name": template.name, "category": template.category,
                "creditsPerMinute": template.credits_per_minute, "isPublic": template.is_public,
            }))
        }),
        args::Template::Grant { location, template_id, email } => with_store(location, async |store| {
            let account = find(store, email).await?;
            store.grant_template(template_id, &account.id).await.map_err(message)?;
            Ok(json!({"templateId": template_id, "userId": account.id, "email": account.email}))
        }),
    }
}

pub fn webhook(command: &args::Webhook) -> Outcome {
    let args::Webhook::Reactivate { location, id } = command;
    with_store(location, async |store| {
        let webhook = store.reactivate_webhook(id).await.map_err(message)?;
        Ok(json!({"id": webhook.id, "url": webhook.url, "isActive": webhook.is_active}))
    })
}

/// Opens the store, runs `work` with it and prints the result.
fn with_store(
    location: &args::StoreLocation,
    work: impl AsyncFnOnce(&Store) -> Result<Value, String>,
) -> Outcome {
    let settings = settings(location)?;
    let answer = block_on(async {
        let store = open_store(&settings).await.map_err(|e| e.to_string())?;
        let answer = work(&store).await;
        store.close().await;
        answer
    })?;
    print(&pretty(&answer))
}

/// The settings of the service at `location`.
pub fn settings(location: &args::StoreLocation) -> Result<Settings, String> {
    settings_with(location, None)
}

/// The same with another place for files.
pub fn settings_with(location: &args::StoreLocation, files: Option<&String>) -> Result<Settings, String> {
    Settings::read(&Sources {
        flag: &|name| match name {
            "data" => location.data.clone(),
            "database-url" => location.database_url.clone(),
            "files" => files.cloned(),
            _ => None,
        },
        variable: &|name| std::env::var(name).ok(),
        file: Sources::file(None).map_err(|e| e.to_string())?,
    })
    .map_err(|e| e.to_string())
}

pub fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| format!("Failed to start the async runtime: {e}."))?.block_on(work)
}

async fn find(store: &Store, email: &str) -> Result<Account, String> {
    let account = store.account_by_email(email).await.map_err(message)?;
    account.ok_or_else(|| format!("No account has the email {email}."))
}

/// Writes what was done to the audit log of the account.
async fn record(store: &Store, account: &Account, action: AuditAction, subject: &str) -> Result<(), String> {
    let (account_id, actor) = (account.id.as_str(), "command line");
    let event = NewAuditEvent { account_id, action, actor, subject, address: "", user_agent: "" };
    store.record(&event).await.map_err(message)
}

/// A date or a date-time in the future.
fn moment(text: &str, now: Time) -> Result<Time, String> {
    Time::parse(text)
        .or_else(|| Time::parse(&format!("{text}T00:00:00Z")))
        .filter(|time| *time > now)
        .ok_or_else(|| format!("--expires must be a date or date-time in the future, got \"{text}\"."))
}

fn message(error: rondo_store::StoreError) -> String {
    error.to_string()
}

fn plan_of(plan: args::Plan) -> Plan {
    match plan {
        args::Plan::None => Plan::None,
        args::Plan::Creator => Plan::Creator,
        args::Plan::Business => Plan::Business,
    }
}

/// The category as used in the API.
fn category_name(category: args::Category) -> String {
    use clap::ValueEnum;
    category.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn describe(account: &Account) -> Value {
    json!({
        "userId": account.id,
        "email": account.email,
        "name": account.name,
        "plan": account.plan.as_str(),
        "credits": account.credits.whole(),
        "isOperator": account.is_operator,
        "suspendedAt": account.suspended_at.map(Time::rfc3339),
        "createdAt": account.created_at.rfc3339(),
    })
}

fn describe_key(key: &Key) -> Value {
    json!({
        "id": key.id,
        "userId": key.account_id,
        "prefix": key.prefix,
        "name": key.name,
        "access": key.access.as_str(),
        "mode": key.mode.as_str(),
        "expiresAt": key.expires_at.map(Time::rfc3339),
        "createdAt": key.created_at.rfc3339(),
        "lastUsedAt": key.last_used_at.map(Time::rfc3339),
        "revokedAt": key.revoked_at.map(Time::rfc3339),
    })
}
