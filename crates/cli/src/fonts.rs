//! `rondo fonts`.

use rondo_text::{Family, Origin};
use serde_json::{Value, json};

use crate::{Outcome, input, pretty, print};

pub fn run(as_json: bool) -> Outcome {
    let families = input::fonts().families();
    if as_json {
        let rows: Vec<Value> = families
            .iter()
            .map(|f| {
                json!({"family": f.name, "aliases": f.aliases, "weights": f.weights,
                    "italicWeights": f.italic_weights, "source": origin(f)})
            })
            .collect();
        return print(&pretty(&Value::from(rows)));
    }
    let width = families.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for family in &families {
        let mut weights: Vec<String> = family.weights.iter().map(ToString::to_string).collect();
        weights.extend(family.italic_weights.iter().map(|w| format!("{w} italic")));
        let own = if family.origin == Origin::User { "  (RONDO_FONT_DIR)" } else { "" };
        let aliases = match &family.aliases[..] {
            [] => String::new(),
            aliases => format!("; also {}", aliases.join(", ")),
        };
        print(&format!("{:width$}  {}{aliases}{own}", family.name, weights.join(", ")))?;
    }
    print(&format!("{} families.", families.len()))
}

fn origin(family: &Family) -> &'static str {
    match family.origin {
        Origin::User => "user",
        Origin::Bundled => "bundled",
    }
}
