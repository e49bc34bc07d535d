//! Mail to people, handed to the configured server; without one nothing is sent.

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::settings::Settings;

/// Sends mail.
#[derive(Debug, Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mailer {
    /// The mailer of the settings, if they name one.
    pub fn new(settings: &Settings) -> Result<Option<Self>, String> {
        let Some(url) = &settings.smtp_url else { return Ok(None) };
        let from = settings.mail_from.as_deref().ok_or("smtp-url is set, but mail-from is not")?;
        let from: Mailbox = from.parse().map_err(|error| format!("mail-from is \"{from}\": {error}"))?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| format!("smtp-url cannot be used: {error}"))?
            .build();
        Ok(Some(Self { transport, from }))
    }

    /// Sends a text. Errors are only logged: a response must not reveal whether an account exists.
    pub async fn send(&self, to: &str, subject: &str, text: String) {
        let message = to.parse().map_err(|error| format!("{error}")).and_then(|to| {
            let message = Message::builder().from(self.from.clone()).to(to).subject(subject);
            // Without it readers take the text for ASCII, and names are not.
            let message = message.header(ContentType::TEXT_PLAIN);
            // Without one, many servers take a mail for unwanted.
            let id = format!("<{}@{}>", rondo_store::id::secret(22), self.from.email.domain());
            let message = message.message_id(Some(id));
            message.body(text).map_err(|error| error.to_string())
        });
        let sent = match message {
            Ok(message) => self.transport.send(message).await.map(drop).map_err(|error| error.to_string()),
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            tracing::error!(error, "a mail was not sent");
        }
    }
}
