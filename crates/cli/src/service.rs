//! `rondo account`, `key`, `template` and `webhook`: what operators do beside the API, also while the service runs.
//! Answers are JSON on standard output.

use std::future::Future;

use rondo_server::settings::{Settings, Sources};
use rondo_server::{is_email, open_store};
use rondo_store::{Account, Credits, Key, NewAccount, NewTemplate, Plan, Store, Time, TransactionType};
use serde_json::{Value, json};

use crate::{Outcome, args, pretty, print};

pub fn account(command: &args::Account) -> Outcome {
    use args::Account::{Create, Credit, List, Operator, Password, Plan as ChangePlan};
    match command {
        Create { place, email, name, plan, credits, password, operator } => on(place, async |store| {
            if !is_email(email) {
                return Err(format!("\"{email}\" is no email address."));
            }
            let password_hash = password.as_deref().map(rondo_server::hash_password).transpose()?;
            let new = NewAccount {
                email,
                name,
                plan: plan_of(*plan),
                credits: Credits::from_whole(*credits),
                password_hash: password_hash.as_deref(),
                is_operator: *operator,
            };
            let account = store.create_account(new).await.map_err(told)?;
            let key = store.create_key(&account.id, None).await.map_err(told)?;
            let mut answer = describe(&account);
            answer["apiKey"] = json!(key.secret);
            answer["apiKeyPrefix"] = json!(key.key.prefix);
            Ok(answer)
        }),
        List { place } => on(place, async |store| {
            let accounts = store.accounts().await.map_err(told)?;
            Ok(json!({"accounts": accounts.iter().map(describe).collect::<Vec<_>>()}))
        }),
        Credit { place, email, credits } => on(place, async |store| {
            let account = find(store, email).await?;
            let amount = Credits::from_whole(*credits);
            let kind = TransactionType::AdditionalCredits;
            let transaction = store.add_credits(&account.id, amount, kind).await.map_err(told)?;
            let mut answer = describe(&find(store, email).await?);
            answer["transactionId"] = json!(transaction.id);
            Ok(answer)
        }),
        ChangePlan { place, email, plan } => on(place, async |store| {
            let account = find(store, email).await?;
            store.set_plan(&account.id, plan_of(*plan)).await.map_err(told)?;
            Ok(describe(&find(store, email).await?))
        }),
        Operator { place, email, revoke } => on(place, async |store| {
            let account = find(store, email).await?;
            store.set_operator(&account.id, !revoke).await.map_err(told)?;
            Ok(describe(&find(store, email).await?))
        }),
        Password { place, email, password } => on(place, async |store| {
            let account = find(store, email).await?;
            let password = password.clone().unwrap_or_else(|| rondo_store::id::secret(16));
            let hash = rondo_server::hash_password(&password)?;
            store.set_password_hash(&account.id, Some(&hash), None).await.map_err(told)?;
            Ok(json!({"userId": account.id, "email": account.email, "password": password}))
        }),
    }
}

pub fn key(command: &args::Key) -> Outcome {
    match command {
        args::Key::Create { place, email } => on(place, async |store| {
            let account = find(store, email).await?;
            let key = store.create_key(&account.id, None).await.map_err(told)?;
            let mut answer = describe_key(&key.key);
            answer["apiKey"] = json!(key.secret);
            Ok(answer)
        }),
        args::Key::List { place, email } => on(place, async |store| {
            let account = find(store, email).await?;
            let keys = store.keys(&account.id).await.map_err(told)?;
            Ok(json!({"keys": keys.iter().map(describe_key).collect::<Vec<_>>()}))
        }),
        args::Key::Revoke { place, prefix } => {
            on(place, async |store| Ok(describe_key(&store.revoke_key(prefix, None).await.map_err(told)?)))
        }
    }
}

pub fn template(command: &args::Template) -> Outcome {
    match command {
        args::Template::Publish {
            place,
            project_id,
            name,
            description,
            category,
            credits_per_minute,
            private,
        } => on(place, async |store| {
            let project = store.project(project_id).await.map_err(told)?;
            let project = project.ok_or_else(|| format!("There is no project {project_id}."))?;
            let new = NewTemplate {
                name: name.clone().unwrap_or(project.name),
                description: description.clone().or(project.description).unwrap_or_default(),
                category: category_name(*category),
                credits_per_minute: *credits_per_minute,
                composition: project.composition,
                is_public: !private,
            };
            let template = store.publish_template(&project.account_id, &new).await.map_err(told)?;
            Ok(json!({
                "templateId": template.id, "name": template.name, "category": template.category,
                "creditsPerMinute": template.credits_per_minute, "isPublic": template.is_public,
            }))
        }),
        args::Template::Grant { place, template_id, email } => on(place, async |store| {
            let account = find(store, email).await?;
            store.grant_template(template_id, &account.id).await.map_err(told)?;
            Ok(json!({"templateId": template_id, "userId": account.id, "email": account.email}))
        }),
    }
}

pub fn webhook(command: &args::Webhook) -> Outcome {
    let args::Webhook::Reactivate { place, id } = command;
    on(place, async |store| {
        let webhook = store.reactivate_webhook(id).await.map_err(told)?;
        Ok(json!({"id": webhook.id, "url": webhook.url, "isActive": webhook.is_active}))
    })
}

/// Opens the store of a place, does the work, and prints its answer.
fn on(place: &args::Place, work: impl AsyncFnOnce(&Store) -> Result<Value, String>) -> Outcome {
    let settings = settings(place)?;
    let answer = block_on(async {
        let store = open_store(&settings).await.map_err(|e| e.to_string())?;
        let answer = work(&store).await;
        store.close().await;
        answer
    })?;
    print(&pretty(&answer))
}

/// The settings of the service at a place.
pub fn settings(place: &args::Place) -> Result<Settings, String> {
    Settings::read(&Sources {
        flag: &|name| match name {
            "data" => place.data.clone(),
            "database-url" => place.database_url.clone(),
            _ => None,
        },
        variable: &|name| std::env::var(name).ok(),
        file: Sources::file(None).map_err(|e| e.to_string())?,
    })
    .map_err(|e| e.to_string())
}

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| format!("No threads can be started: {e}."))?.block_on(work)
}

async fn find(store: &Store, email: &str) -> Result<Account, String> {
    let account = store.account_by_email(email).await.map_err(told)?;
    account.ok_or_else(|| format!("There is no account with the email {email}."))
}

fn told(error: rondo_store::StoreError) -> String {
    error.to_string()
}

fn plan_of(plan: args::Plan) -> Plan {
    match plan {
        args::Plan::None => Plan::None,
        args::Plan::Creator => Plan::Creator,
        args::Plan::Business => Plan::Business,
    }
}

/// The category as it goes over the wire.
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
        "createdAt": account.created_at.rfc3339(),
    })
}

fn describe_key(key: &Key) -> Value {
    json!({
        "id": key.id,
        "userId": key.account_id,
        "prefix": key.prefix,
        "createdAt": key.created_at.rfc3339(),
        "lastUsedAt": key.last_used_at.map(Time::rfc3339),
        "revokedAt": key.revoked_at.map(Time::rfc3339),
    })
}
