//! What the document describes beside the endpoints of /api/v1: the events that webhooks receive, and where uploads are sent.

use rondo_service::uploads::StoredUpload;
use serde_json::{Value, json};

use crate::http::endpoint::{Components, failure, success};

/// The path of the operation that receives a file, which is not below /api/v1.
pub const UPLOAD_PATH: &str = "/uploads/{uploadId}";

/// The webhooks object: one event each.
pub fn webhooks(components: &mut Components) -> Value {
    components.0.insert("RenderEventData".to_owned(), event_data());
    components.0.insert("EventOutput".to_owned(), event_output());
    components.0.insert("BatchEventData".to_owned(), batch_data());
    components.0.insert(
        "WebhookEvent".to_owned(),
        json!({
            "type": "object",
            "description": "What webhooks receive. Fields that do not apply are left out.",
            "required": ["event", "timestamp", "data"],
            "properties": {
                "event": {"$ref": "#/components/schemas/EventChoice"},
                "deliveryId": {
                    "type": "string",
                    "description": "The same for all attempts: use it to ignore duplicates. Calls to a `webhookUrl` have none.",
                },
                "timestamp": {"type": "string", "format": "date-time"},
                "data": {"anyOf": [
                    {"$ref": "#/components/schemas/RenderEventData"},
                    {"$ref": "#/components/schemas/BatchEventData"},
                ]},
            },
        }),
    );
    json!({
        "render.completed": {"post": receive("onRenderCompleted", "A render has completed", &json!({
            "event": "render.completed", "deliveryId": "del_01kf8nvxw0j6b3wf", "timestamp": "2026-11-14T09:30:00.000Z",
            "data": {
                "jobId": "job_01kf8nvxw0t5c9ra", "status": "COMPLETED", "durationInFrames": 90, "width": 1920, "height": 1080,
                "fps": 30, "creditsUsed": 1, "outputUrl": "https://video.example.com/files/job_01kf8nvxw0t5c9ra.mp4",
                "outputSize": 1_048_576,
                "outputs": [{
                    "format": "mp4", "url": "https://video.example.com/files/job_01kf8nvxw0t5c9ra.mp4", "size": 1_048_576,
                    "width": 1920, "height": 1080,
                }],
                "duration": 5120, "completedAt": "2026-11-14T09:30:00.000Z",
                "metadata": {"customer": "42"},
            },
        }))},
        "render.failed": {"post": receive("onRenderFailed", "A render has failed", &json!({
            "event": "render.failed", "deliveryId": "del_01kf8nvxw0k8d5xh", "timestamp": "2026-11-14T09:30:00.000Z",
            "data": {
                "jobId": "job_01kf8nvxw0t5c9ra", "status": "FAILED", "durationInFrames": 90, "width": 1920, "height": 1080,
                "fps": 30, "creditsUsed": 0, "errorMessage": "An image could not be fetched.",
                "completedAt": "2026-11-14T09:30:00.000Z",
            },
        }))},
        "batch.completed": {"post": receive("onBatchCompleted", "The last render of a batch has ended", &json!({
            "event": "batch.completed", "deliveryId": "del_01kf8nvxw0p2r7ua", "timestamp": "2026-11-14T09:30:00.000Z",
            "data": {
                "batchId": "bat_01kf8nvxw0w4y6ec", "total": 2, "completed": 2, "failed": 0, "creditsUsed": 2,
                "createdAt": "2026-11-14T09:28:00.000Z", "completedAt": "2026-11-14T09:30:00.000Z",
            },
        }))},
    })
}

fn receive(id: &str, summary: &str, example: &Value) -> Value {
    let header = |name: &str, required: bool, about: &str| json!({"name": name, "in": "header", "required": required, "description": about, "schema": {"type": "string"}});
    json!({
        "tags": ["Webhooks"],
        "operationId": id,
        "summary": summary,
        "description": "Sent to the registered webhooks of the account, and without a signature to the `webhookUrl` of the render or the batch.",
        "security": [],
        "parameters": [
            header("webhook-id", false, "The `deliveryId`."),
            header("webhook-timestamp", false, "Unix time of this attempt in seconds."),
            header("webhook-signature", false, "`v1,` and the signature of `{webhook-id}.{webhook-timestamp}.{body}`, by Standard Webhooks."),
            header("X-Rondo-Signature", false, "Hexadecimal HMAC-SHA256 of the body."),
            header("X-Rondo-Timestamp", false, "Unix time of this attempt in seconds."),
            header("X-Rondo-Delivery", false, "The `deliveryId`."),
        ],
        "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookEvent"}, "example": example}},
        },
        "responses": {
            "2XX": {"description": "Received"},
            "4XX": {"description": "Refused. Only 408, 425 and 429 are tried again."},
            "5XX": {"description": "Failed. Tried again after 1 and 2 seconds."},
        },
    })
}

/// The data of an event, as `rondo_store::EventData` writes it.
fn event_data() -> Value {
    json!({
        "type": "object",
        "description": "The render that ended. Fields that do not apply are left out.",
        "required": ["jobId", "status", "durationInFrames", "width", "height", "fps", "creditsUsed"],
        "properties": {
            "jobId": {"type": "string"},
            "projectId": {"type": "string"},
            "status": {"$ref": "#/components/schemas/RenderState"},
            "outputUrl": {"type": "string", "format": "uri"},
            "outputSize": {"type": "integer", "format": "int64", "minimum": 0, "description": "Bytes."},
            "outputs": {
                "type": "array",
                "description": "Every file that was made: that of `outputUrl` first, then those of `output.also` in their order.",
                "items": {"$ref": "#/components/schemas/EventOutput"},
            },
            "durationInFrames": {"type": "integer", "format": "int32", "minimum": 0},
            "width": {"type": "integer", "format": "int32", "minimum": 0},
            "height": {"type": "integer", "format": "int32", "minimum": 0},
            "fps": {"type": "integer", "format": "int32", "minimum": 0},
            "creditsUsed": {"type": "integer", "format": "int64"},
            "duration": {"type": "integer", "format": "int64", "description": "Render time in milliseconds."},
            "completedAt": {"type": "string", "format": "date-time"},
            "errorMessage": {"type": "string"},
            "metadata": {"$ref": "#/components/schemas/Metadata", "description": "As given in the request."},
            "batchId": {"type": "string", "description": "The batch the render belongs to."},
            "test": {"type": "boolean", "description": "`true` if the render was made with a test key."},
        },
    })
}

/// A file of an event, as `rondo_store::EventOutput` writes it.
fn event_output() -> Value {
    let pixels = json!({"type": "integer", "format": "int32", "minimum": 0, "description": "Pixels; left out for sounds."});
    json!({
        "type": "object",
        "description": "A file of the render that ended.",
        "required": ["format", "url", "size"],
        "properties": {
            "format": {"$ref": "#/components/schemas/FileFormat"},
            "url": {"type": "string", "format": "uri"},
            "size": {"type": "integer", "format": "int64", "minimum": 0, "description": "Bytes."},
            "width": pixels,
            "height": pixels,
        },
    })
}

/// The data of `batch.completed`, as `rondo_store::BatchEventData` writes it.
fn batch_data() -> Value {
    let count = json!({"type": "integer", "format": "int32", "minimum": 0});
    json!({
        "type": "object",
        "description": "The batch whose last render ended.",
        "required": ["batchId", "total", "completed", "failed", "creditsUsed", "createdAt", "completedAt"],
        "properties": {
            "batchId": {"type": "string"},
            "total": count,
            "completed": count,
            "failed": count,
            "creditsUsed": {"type": "integer", "format": "int64"},
            "createdAt": {"type": "string", "format": "date-time"},
            "completedAt": {"type": "string", "format": "date-time"},
            "metadata": {"$ref": "#/components/schemas/Metadata", "description": "As given in the request."},
        },
    })
}

/// The operation that receives the file of an upload.
pub fn upload(components: &mut Components, public_url: &str) -> Value {
    let stored = components.reference::<StoredUpload>();
    let query = |name: &str| {
        json!({
            "name": name, "in": "query", "required": true, "description": "As in the `uploadUrl`.",
            "schema": {"type": "string"},
        })
    };
    json!({
        "tags": ["Uploads"],
        "operationId": "putUpload",
        "summary": "Receives the file of an upload",
        "description": "Send the bytes to the `uploadUrl` of POST /uploads, unchanged, with the same Content-Type and no \
                        credentials. It takes one file, within an hour. To be able to go on after a connection broke off, send \
                        parts one after another, each with its `Content-Range`, and after a failure ask with \
                        `Content-Range: bytes */SIZE` and no body how much is there. Parts may follow for an hour after the one \
                        before, for a day in all.",
        "servers": [{"url": public_url}],
        "security": [],
        "parameters": [
            {
                "name": "uploadId", "in": "path", "required": true, "description": "The id of the upload.",
                "schema": {"type": "string"},
            },
            query("expires"),
            query("signature"),
            {
                "name": "Content-Range", "in": "header", "required": false,
                "description": "The place of a part, as in `bytes 0-999/5000`. Without it the body is the whole file.",
                "schema": {"type": "string"},
            },
        ],
        "requestBody": {
            "required": true,
            "description": "The bytes of the file.",
            "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
        },
        "responses": {
            "200": success(components, "The file was stored", stored),
            "308": {
                "description": "The part was stored, and more are expected",
                "headers": {"Range": {
                    "description": "The bytes received so far, as in `bytes=0-999`; left out where there are none.",
                    "schema": {"type": "string"},
                }},
            },
            "400": failure("The body is empty, or broke off, or does not have the length that Content-Range says"),
            "403": failure(
                "The address was changed (INVALID_SIGNATURE) or is too old (UPLOAD_EXPIRED), or the account's storage is full \
                 (STORAGE_QUOTA_EXCEEDED)"
            ),
            "404": failure("There is no such upload"),
            "409": failure(
                "The upload already has its file (UPLOAD_COMPLETE), or another request sends it (UPLOAD_IN_PROGRESS)"
            ),
            "413": failure("The file is larger than 5 GB"),
            "415": failure("The header or the bytes are not of the type of the upload"),
            "416": failure("The part does not begin where the last one ended; Range says where to continue"),
            "422": failure("The file does not have the size that was declared (SIZE_MISMATCH)"),
            "500": failure("Internal error"),
            "503": failure("The server's disk is nearly full (DISK_FULL)"),
        },
    })
}
