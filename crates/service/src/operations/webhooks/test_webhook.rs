//! Sends a test event.

use rondo_fields::{record, text};
use rondo_store::{BatchEventData, EventData, EventName, EventOutput, RenderStatus};
use serde::Serialize;
use utoipa::ToSchema;

use super::EventChoice;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::codecs::event;
use crate::service::Service;

record! {
    /// The test event to send.
    pub struct WebhookTest {
        /// The id of the webhook.
        webhook_id: required String => "webhookId", text();
        /// Default: render.completed.
        event: optional EventName => "event", event();
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestSent {
    delivery_id: String,
    #[schema(value_type = EventChoice)]
    event: EventName,
}

/// The job that test events are about.
const TEST_JOB: &str = "job_test";

pub struct TestWebhook;

impl Operation for TestWebhook {
    const ID: &'static str = "testWebhook";
    const ABOUT: &'static str = "Sends a test event to a webhook, signed and retried like any other.";
    const RETURNS: &'static str = "The event was queued";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::NotFound, "There is no such webhook"),
        (ErrorKind::Unprocessable, "The event is unknown"),
    ];

    type Request = WebhookTest;
    type Response = TestSent;

    async fn run(call: Call<'_>, request: WebhookTest) -> ServiceResult<TestSent> {
        let service = call.service;
        let event = request.event.unwrap_or(EventName::RenderCompleted);
        let webhook = call.own_webhook(&request.webhook_id).await?;
        let store = &service.store;
        let delivery_id = match event {
            EventName::BatchCompleted => {
                store.enqueue_test(&webhook, event, None, &example_batch(service)).await?
            }
            EventName::RenderCompleted | EventName::RenderFailed => {
                store.enqueue_test(&webhook, event, Some(TEST_JOB), &example(service, event)).await?
            }
        };
        service.queue.wake_deliveries();
        Ok(TestSent { delivery_id, event })
    }
}

/// The payload of a test event: a job that does not exist.
fn example(service: &Service, event: EventName) -> EventData {
    let completed = event == EventName::RenderCompleted;
    let url = service.links.url("/files/job_test.mp4");
    let file = EventOutput {
        format: "mp4".to_owned(),
        url: url.clone(),
        size: 1_048_576,
        width: Some(1920),
        height: Some(1080),
    };
    EventData {
        job_id: TEST_JOB.to_owned(),
        project_id: None,
        status: if completed { RenderStatus::Completed } else { RenderStatus::Failed },
        output_url: completed.then_some(url),
        output_size: completed.then_some(file.size),
        outputs: completed.then_some(file).into_iter().collect(),
        duration_in_frames: 150,
        width: 1920,
        height: 1080,
        fps: 30,
        credits_used: i64::from(completed),
        duration: Some(2400),
        completed_at: Some(service.store.now()),
        error_message: (!completed).then(|| "This is a test of the webhook.".to_owned()),
        metadata: None,
        batch_id: None,
        test: false,
    }
}

/// The payload of a test event: a batch that does not exist.
fn example_batch(service: &Service) -> BatchEventData {
    let now = service.store.now();
    BatchEventData {
        batch_id: "bat_test".to_owned(),
        total: 3,
        completed: 2,
        failed: 1,
        credits_used: 2,
        created_at: now,
        completed_at: now,
        metadata: None,
    }
}
