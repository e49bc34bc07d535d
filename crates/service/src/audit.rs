//! Security events: recording them, and mail to the owner of the account about those that may be someone else's doing.

use std::net::IpAddr;

use rondo_store::{Account, AuditAction, NewAuditEvent, Place};

use crate::caller::Credential;
use crate::error::ServiceResult;
use crate::operation::{Call, Visit};
use crate::service::Service;

impl Call<'_> {
    /// Records what the caller did to an account.
    pub async fn record(&self, account_id: &str, action: AuditAction, subject: &str) -> ServiceResult<()> {
        let user_agent = match &self.caller.credential {
            Credential::Session(session) => session.user_agent.as_str(),
            Credential::Key(_) | Credential::Token(_) => "",
        };
        let event = NewAuditEvent {
            account_id,
            action,
            actor: &self.caller.account.email,
            subject,
            address: &self.caller.address.to_string(),
            user_agent,
        };
        Ok(self.service.store.record(&event).await?)
    }
}

impl Visit<'_> {
    /// Records an attempt of someone who did not sign in, or has just done so.
    pub async fn record(&self, account: &Account, action: AuditAction) -> ServiceResult<()> {
        let actor = if action == AuditAction::SignInFailed { "" } else { &account.email };
        let event = NewAuditEvent {
            account_id: &account.id,
            action,
            actor,
            subject: "",
            address: &self.address.to_string(),
            user_agent: self.user_agent,
        };
        Ok(self.service.store.record(&event).await?)
    }

    /// Writes to the owner if nobody signed in from this place before. Call it before the sign-in is recorded.
    pub async fn warn_of_new_place(&self, account: &Account) -> ServiceResult<()> {
        if self.service.mail.is_none() {
            return Ok(());
        }
        let known = self.service.store.sign_in_places(&account.id).await?;
        let here = Place { address: self.address.to_string(), user_agent: self.user_agent.to_owned() };
        // Without earlier events every place would be new.
        if !known.is_empty() && !known.iter().any(|place| same_place(place, &here)) {
            let what = format!(
                "someone signed in from a new place:\n\nAddress: {}\nBrowser: {}",
                here.address, here.user_agent
            );
            warn(self.service, account, "New sign-in to Rondo", &what);
        }
        Ok(())
    }
}

/// Writes to the owner of an account, where mail is configured. Does not wait for it.
pub fn warn(service: &Service, account: &Account, subject: &'static str, what: &str) {
    let Some(mail) = service.mail.clone() else { return };
    let text = format!(
        "Hello {},\n\n{what}\n\nAccount: {}\nService: {}\n\nIf it was not you, change your password and revoke your API keys \
         here:\n\n{}\n",
        account.name,
        account.email,
        service.links.public_url(),
        service.links.url("/dashboard/settings"),
    );
    let to = account.email.clone();
    tokio::spawn(async move { mail.send(&to, subject, text).await });
}

/// The same network and the same browser. The version of the browser does not matter.
fn same_place(one: &Place, other: &Place) -> bool {
    let browser =
        |place: &Place| -> String { place.user_agent.chars().filter(|c| !c.is_numeric()).collect() };
    network(&one.address) == network(&other.address) && browser(one) == browser(other)
}

/// The /24 of an IPv4 address or the /64 of an IPv6 address.
fn network(address: &str) -> Option<Vec<u8>> {
    match address.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(address) => Some(address.octets()[..3].to_vec()),
        IpAddr::V6(address) => Some(address.octets()[..8].to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str, user_agent: &str) -> Place {
        Place { address: address.to_owned(), user_agent: user_agent.to_owned() }
    }

    #[test]
    fn a_place_is_a_network_and_a_browser() {
        let home = place("203.0.113.7", "Firefox/130.0");
        assert!(same_place(&home, &place("203.0.113.99", "Firefox/131.0")));
        assert!(same_place(&home, &place("::ffff:203.0.113.1", "Firefox/130.0")));
        assert!(!same_place(&home, &place("203.0.114.7", "Firefox/130.0")));
        assert!(!same_place(&home, &place("203.0.113.7", "Chrome/130.0")));
        assert!(same_place(&place("2001:db8:1:2::1", ""), &place("2001:db8:1:2:ffff::", "")));
        assert!(!same_place(&place("2001:db8:1:2::1", ""), &place("2001:db8:1:3::1", "")));
    }
}
