//! The tool that lets an agent see: frames of a film as pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::ContentBlock;
use rondo_service::operations::previews::DrawFrames;

use super::tool::{Answer, Effect, Tool, ToolCall};
use crate::http::error::ApiResult;

pub fn tools() -> Vec<Tool> {
    let tool = Tool::of::<DrawFrames>(
        "preview_frames",
        "Look at frames",
        Effect::Looks,
        "Draws frames of the film exactly as a render would and returns them as pictures, with every warning. Without \
         frames or times it is a contact sheet across the whole film, each frame labelled with its number and time: \
         look at it after every change. With a few frames or times they come one by one, larger. Free.",
    );
    vec![Tool { run: |call| Box::pin(preview_frames(call)), ..tool }]
}

async fn preview_frames(call: ToolCall) -> ApiResult<Answer> {
    let mut drawn = call.run::<DrawFrames>().await?;
    let mut contents = Vec::new();
    for picture in &mut drawn.pictures {
        let label = match picture.frames.as_slice() {
            [one] => format!("Frame {}, at {:.2} s:", one.frame, one.seconds),
            many => format!("A contact sheet of {} frames:", many.len()),
        };
        let bytes = STANDARD.encode(std::mem::take(&mut picture.bytes));
        contents.extend([ContentBlock::text(label), ContentBlock::image(bytes, picture.mime_type)]);
    }
    Ok(contents.into_iter().fold(Answer::of(drawn)?, Answer::with))
}
