//! Tools that make and change projects, also ones that a person has open in the editor.

use rondo_service::operations::projects::{ApplyEdits, CreateProject, GetProject};

use super::schema;
use super::tool::{Effect, Tool};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::of::<CreateProject>(
            "create_project",
            "Create a project",
            Effect::Adds,
            "Saves a composition as a project of the user, who can open it in the editor at `editUrl`. Free. Check the \
             composition with check_composition first.",
        ),
        Tool {
            input: schema::without(schema::arguments::<GetProject>(), "fields"),
            ..Tool::of::<GetProject>(
                "open_project",
                "Open a project",
                Effect::Reads,
                "A project with its whole composition, its `etag` and its `editUrl`. Open it before you change it: the \
                 user may have changed it since.",
            )
        },
        Tool::of::<ApplyEdits>(
            "apply_edits",
            "Change a project",
            Effect::Adds,
            "Changes parts of a project: set a field of an overlay or of the film, add, remove or move overlays. All edits \
             are applied or none, and an editor that shows the project takes them over at once, as one step that the \
             user can undo. Give the change a `name` that says what it does. With `ifMatch` it fails if the project \
             changed since you opened it.",
        ),
    ]
}
