//! Beginnings a person may choose in a client: make a video from something they have.

use rmcp::model::{ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

/// A beginning.
struct Beginning {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The argument that must be given, and what it is.
    from: (&'static str, &'static str),
    /// What to do with it; `{from}` stands for the argument.
    task: &'static str,
}

const BEGINNINGS: [Beginning; 4] = [
    Beginning {
        name: "make_video_from_product_page",
        title: "Make a video from a product page",
        description: "Turns a product's page into a short advertisement",
        from: ("url", "The address of the page"),
        task: "Make a short advertisement for the product on this page: {from}\n\nRead the page. Take from it the name, one \
               promise in at most six words, two or three facts, the price if there is one, the colours of the brand, and \
               the addresses of the best two to four pictures; bring those in with upload_from_url. Tell one thing at a \
               time: the promise over the best picture, then the facts, then the name with the price and what to do next.",
    },
    Beginning {
        name: "make_video_from_text",
        title: "Make a video from a text",
        description: "Turns an article, a post or notes into a film",
        from: ("text", "The text"),
        task: "Make a video that tells what this text says:\n\n{from}\n\nFind the one thing a viewer should remember and \
               begin with it. Break the rest into three to six scenes of one short sentence each, in words that can be read \
               in the time they are shown: about three words a second. End with the first thought again.",
    },
    Beginning {
        name: "make_video_from_list",
        title: "Make a video from a list",
        description: "Turns a list (tips, places, numbers, names) into a film with a scene for each",
        from: ("items", "The items, one on each line"),
        task: "Make a video of this list, with an opening, a scene for each item and a close:\n\n{from}\n\nNumber the scenes \
               if their order matters. Give every scene the same layout and let one thing change: the colour, or the side \
               the text comes from. A number is best shown by a counter.",
    },
    Beginning {
        name: "make_video_from_template",
        title: "Make a video from a template",
        description: "Finds the template that fits and fills it in",
        from: ("about", "What the video is about"),
        task: "Make a video about this from one of the templates: {from}\n\nFind the template that fits best with \
               list_templates and look at it with preview_frames. Fill in every variable: what is left out shows the \
               template's own example. Keep within maxCharacters where get_variables names it.",
    },
];

/// How every beginning goes on.
const WAY: &str = "Work like this:\n\
    1. Call get_guide, unless you have read it already.\n\
    2. Write the film and call check_composition until there are no problems and no warnings.\n\
    3. Call preview_frames and look at the sheet: can everything be read, is nothing cut off or covered, is there rest around \
       the text? Change what is not good and look again.\n\
    4. Tell the price from the quote, and render when the person agrees or has asked you to. Wait with get_render and \
       waitSeconds, then give the outputUrl.";

pub fn list() -> Vec<Prompt> {
    BEGINNINGS.iter().map(described).collect()
}

fn described(beginning: &Beginning) -> Prompt {
    let (from, about) = beginning.from;
    let arguments = vec![
        PromptArgument::new(from).with_description(about).with_required(true),
        PromptArgument::new("seconds").with_description("How long the video should be").with_required(false),
        PromptArgument::new("format")
            .with_description("wide (1920 × 1080), tall (1080 × 1920) or square (1080 × 1080)")
            .with_required(false),
    ];
    Prompt::new(beginning.name, Some(beginning.description), Some(arguments)).with_title(beginning.title)
}

/// What an argument of a prompt may well be.
pub fn choices(argument: &str) -> Vec<&'static str> {
    match argument {
        "seconds" => vec!["6", "10", "15", "30", "60"],
        "format" => vec!["wide", "tall", "square"],
        _ => Vec::new(),
    }
}

pub fn get(name: &str, arguments: &Map<String, Value>) -> Result<GetPromptResult, ErrorData> {
    let beginning = BEGINNINGS.iter().find(|beginning| beginning.name == name).ok_or_else(|| {
        let names: Vec<&str> = BEGINNINGS.iter().map(|beginning| beginning.name).collect();
        let message = format!("There is no prompt \"{name}\". There are: {}.", names.join(", "));
        ErrorData::invalid_params(message, None)
    })?;
    let given = |name: &str| {
        let text = arguments.get(name)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    };
    let (from, about) = beginning.from;
    let value = given(from).ok_or_else(|| {
        ErrorData::invalid_params(format!("The argument `{from}` is missing: {about}."), None)
    })?;
    let mut text = beginning.task.replace("{from}", value);
    if let Some(seconds) = given("seconds") {
        text.push_str(&format!("\n\nLength: {seconds} seconds."));
    }
    if let Some(format) = given("format") {
        let size = match format {
            "tall" => "1080 × 1920 pixels",
            "square" => "1080 × 1080 pixels",
            "wide" => "1920 × 1080 pixels",
            other => other,
        };
        text.push_str(&format!("\n\nFormat: {size}."));
    }
    text.push_str("\n\n");
    text.push_str(WAY);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(beginning.description))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_prompt_carries_what_the_person_gave_and_a_missing_argument_is_named() {
        let arguments = json!({"text": "Bees dance.", "seconds": "20", "format": "tall"});
        let prompt = get("make_video_from_text", arguments.as_object().unwrap()).unwrap();
        let text = serde_json::to_string(&prompt).unwrap();
        for part in ["Bees dance.", "20 seconds", "1080 × 1920", "check_composition"] {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
        let missing = get("make_video_from_text", &Map::new()).unwrap_err();
        assert!(missing.message.contains("`text`"), "{}", missing.message);
        assert!(get("no_such_prompt", &Map::new()).is_err());
    }
}
