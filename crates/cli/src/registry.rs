//! `rondo registry`.

use rondo_scene::registry::{Area, Entry};
use serde_json::{Value, json};

use crate::args::Registry;
use crate::{Outcome, fonts, pretty, print};

pub fn run(registry: Registry, as_json: bool) -> Outcome {
    let area = match registry {
        Registry::Animations => Area::Animations,
        Registry::During => Area::During,
        Registry::Layouts => Area::Layouts,
        Registry::Effects => Area::Effects,
        Registry::Shapes => Area::Shapes,
        Registry::Stickers => Area::Stickers,
        Registry::Emoji => Area::Emoji,
        Registry::Captions => Area::Captions,
        Registry::Easings => Area::Easings,
        Registry::Filters => Area::Filters,
        Registry::Fonts => return fonts::run(as_json),
    };
    let entries = area.entries();
    if as_json {
        return print(&pretty(&entries.iter().map(object).collect()));
    }
    let width = entries.iter().map(|e| e.name.len()).max().unwrap_or(0);
    for entry in &entries {
        let mut notes: Vec<String> = entry.detail.iter().map(|(_, detail)| (*detail).to_owned()).collect();
        if !entry.aliases.is_empty() {
            notes.push(format!("also {}", entry.aliases.join(", ")));
        }
        print(format!("{:width$}  {}", entry.name, notes.join("; ")).trim_end())?;
    }
    print(&format!("{} names.", entries.len()))
}

fn object(entry: &Entry) -> Value {
    let mut object = json!({"name": entry.name, "aliases": entry.aliases});
    if let Some((word, detail)) = entry.detail {
        object[word] = detail.into();
    }
    object
}
