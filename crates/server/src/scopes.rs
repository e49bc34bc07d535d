//! What an app may do for a person.

/// Something an app may do: its name, what people read, and whether it spends credits.
pub struct Scope {
    pub name: &'static str,
    pub words: &'static str,
    pub spends: bool,
}

const fn scope(name: &'static str, words: &'static str, spends: bool) -> Scope {
    Scope { name, words, spends }
}

/// Every scope. Scopes are declared, not enforced: a token can do all of this.
pub const SCOPES: [Scope; 11] = [
    scope("account:read", "See your name, email, plan, credits and use", false),
    scope("templates:read", "See the templates you can use", false),
    scope("projects:read", "See your projects", false),
    scope("projects:write", "Create, change and delete your projects", false),
    scope("renders:read", "See your renders and download their films", false),
    scope("renders:write", "Render films and cancel renders", true),
    scope("previews:write", "Make previews, which are free", false),
    scope("uploads:write", "Upload media for your films", false),
    scope("ai:write", "Generate speech and captions", true),
    scope("webhooks:write", "See, add and remove webhooks", false),
    scope("destinations:write", "See, add and remove the buckets that films are copied to", false),
];

/// All names, with blanks between them.
pub fn all_scopes() -> String {
    SCOPES.map(|scope| scope.name).join(" ")
}
