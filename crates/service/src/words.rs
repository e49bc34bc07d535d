//! Words in responses: closed lists that fields hold as text, and objects that are described elsewhere. A field says so with
//! `#[schema(value_type = …)]`. The lists of reasons and codes are also those of docs/errors.md and docs/importing.md.

use rondo_composition::{OVERLAY_TYPES, OutputFormat};
use rondo_render::ARCHIVE;
use rondo_store::{AuthorKind, MediaKind, Mode, RenderStatus, TransactionStatus, TransactionType};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::file_type::UPLOAD_TYPES;
use crate::operations::imports::ImportSource;
use crate::operations::registry;
use crate::operations::templates::{Category, Visibility};
use crate::stock::{Provider, StockKind};

/// A named schema for each closed list of words.
macro_rules! words {
    ($( $(#[doc = $about:literal])+ $name:ident = $words:expr; )+) => { $(
        $(#[doc = $about])+
        #[derive(Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words: Vec<&str> = $words.into_iter().collect();
                let about = [$($about),+].map(str::trim).join(" ");
                let text = ObjectBuilder::new().schema_type(Type::String);
                RefOr::T(text.description(Some(about)).enum_values(Some(words)).into())
            }
        }

        impl ToSchema for $name {}
    )+ };
}

words! {
    /// State of a render job.
    RenderState = RenderStatus::NAMES.iter().copied();
    /// State of a copy in a destination.
    CopyStatus = ["PENDING", "COPIED", "FAILED"];
    /// What a render was made from.
    RenderMode = Mode::NAMES.iter().copied();
    /// Extension of a file that was rendered; `zip` holds a sequence of pictures, `m3u8` is the playlist of an `hls` output.
    FileFormat = OutputFormat::ALL.iter().map(|format| format.ending()).chain([ARCHIVE.0]);
    /// Type of the overlay; `color` for a colour of the film, `font` for a font of the film.
    VariableOverlay = OVERLAY_TYPES.iter().copied().chain(["color", "font"]);
    /// Overlay field that is written; `colors` and `fonts` are written wherever styles hold them.
    VariableField = ["content", "src", "colors", "fonts"];
    /// `url` for video, image and sound overlays, `text` for everything else.
    VariableType = ["text", "url"];
    /// What lists say of a variable.
    ListedType = ["string"];
    /// What happens to text that does not fit.
    OverflowBehavior = ["clipped"];
    /// How serious a warning is. `error`: the render will be wrong or fail. `warning`: it renders, but not as authored.
    /// `info`: advice.
    WarningSeverity = ["error", "warning", "info"];
    /// What a warning is about.
    WarningCode = WARNING_CODES.iter().copied();
    /// What a warning of an import is about.
    ImportWarningCode = IMPORT_CODES.iter().copied();
    /// How serious a warning of an import is.
    ImportSeverity = ["warning", "info"];
    /// Format of a document of another service or editor.
    DocumentFormat = ImportSource::ALL.iter().map(|source| source.name());
    /// What a template is for.
    TemplateCategory = Category::ALL.iter().map(|category| category.name());
    /// Who can use a template.
    TemplateVisibility = Visibility::ALL.iter().map(|visibility| visibility.name());
    /// What a change was authenticated with.
    AuthorType = AuthorKind::NAMES.iter().copied();
    /// Gender of a voice.
    VoiceGender = ["female", "male", "neutral"];
    /// How a file came to be.
    FileKind = MediaKind::NAMES.iter().copied();
    /// MIME type of a file.
    UploadType = UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type);
    /// A provider of stock photos and videos.
    StockProviderName = Provider::ALL.iter().map(|provider| provider.name());
    /// What a stock item is.
    StockMediaKind = StockKind::ALL.iter().map(|kind| kind.name());
    /// Kind of a transaction.
    TransactionKind = TransactionType::NAMES.iter().copied();
    /// State of a transaction.
    TransactionState = TransactionStatus::NAMES.iter().copied();
    /// A list of names.
    RegistryArea = registry::names();
    /// Why a request failed, for programs.
    Reason = REASONS.iter().copied();
}

/// A composition. The OpenAPI document of the API describes it in full.
#[derive(Debug)]
pub struct Composition;

/// Keys and values of the caller.
#[derive(Debug)]
pub struct Metadata;

impl PartialSchema for Composition {
    fn schema() -> RefOr<Schema> {
        any_object("A film: overlays on a canvas over time.")
    }
}

impl ToSchema for Composition {}

impl PartialSchema for Metadata {
    fn schema() -> RefOr<Schema> {
        any_object("Keys and values of the caller.")
    }
}

impl ToSchema for Metadata {}

fn any_object(about: &str) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::Object).description(Some(about));
    RefOr::T(object.additional_properties(Some(AdditionalProperties::FreeForm(true))).into())
}

/// Every reason of an error, by status.
pub const REASONS: &[&str] = &[
    "INVALID_REQUEST",
    "MISSING_MEDIA_SOURCE",
    "UNAUTHORIZED",
    "SIGN_IN_FAILED",
    "INSUFFICIENT_CREDITS",
    "FORBIDDEN",
    "READ_ONLY_KEY",
    "ACCOUNT_SUSPENDED",
    "INVALID_SIGNATURE",
    "UPLOAD_EXPIRED",
    "STORAGE_QUOTA_EXCEEDED",
    "PROJECT_LIMIT",
    "TEMPLATE_LIMIT",
    "PUBLISHING_NOT_ALLOWED",
    "CROSS_ORIGIN",
    "OPERATOR_ONLY",
    "SIGN_UP_CLOSED",
    "INVITE_NEEDED",
    "INVITE_INVALID",
    "RESET_INVALID",
    "WRONG_PASSWORD",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "REQUEST_TIMEOUT",
    "IDEMPOTENCY_IN_PROGRESS",
    "UPLOAD_COMPLETE",
    "UPLOAD_IN_PROGRESS",
    "DESTINATION_EXISTS",
    "EMAIL_TAKEN",
    "LAST_OPERATOR",
    "PREVIEW_EXPIRED",
    "PROJECT_CHANGED",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "RANGE_NOT_SATISFIABLE",
    "VALUE_OUT_OF_RANGE",
    "INVALID_ENUM_VALUE",
    "UNKNOWN_OVERLAY_TYPE",
    "DUPLICATE_OVERLAY_ID",
    "TOO_MANY_OVERLAYS",
    "COMPOSITION_TOO_LARGE",
    "BATCH_TOO_LARGE",
    "INVALID_EDIT",
    "PASSWORD_IN_URL",
    "INVALID_REPLACEMENT_VALUE",
    "MEDIA_URL_NOT_ALLOWED",
    "WEBHOOK_URL_NOT_ALLOWED",
    "DESTINATION_NOT_ALLOWED",
    "UNKNOWN_DESTINATION",
    "MEDIA_LIMIT_EXCEEDED",
    "UNSUPPORTED_CONTENT_TYPE",
    "SIZE_MISMATCH",
    "UNKNOWN_UPLOAD",
    "DUPLICATE_NAME",
    "UNKNOWN_FONT",
    "WEBHOOK_LIMIT_REACHED",
    "DESTINATION_LIMIT_REACHED",
    "AI_VALUE_NOT_ALLOWED",
    "AI_LIMIT_EXCEEDED",
    "AI_SOURCE_NOT_FOUND",
    "UNKNOWN_VOICE",
    "UNSUPPORTED_LANGUAGE",
    "AI_NOT_AVAILABLE",
    "MEDIA_UNREACHABLE",
    "MEDIA_UNREADABLE",
    "RECORDING_TOO_LONG",
    "IDEMPOTENCY_KEY_REUSED",
    "WEAK_PASSWORD",
    "PREVIEW_NOT_DRAWN",
    "RATE_LIMITED",
    "TOO_MANY_ATTEMPTS",
    "PREVIEW_PICTURE_LIMIT",
    "TOO_MANY_WAITING",
    "TEST_LIMIT_REACHED",
    "INTERNAL",
    "SERVER_BUSY",
    "SPEECH_UNAVAILABLE",
    "STOCK_UNAVAILABLE",
    "TOO_MANY_CONNECTIONS",
    "DATABASE_UNAVAILABLE",
    "FILES_UNAVAILABLE",
    "DISK_FULL",
    "STOPPING",
    "NOT_READY",
    "NOT_BUILT",
    "WRONG_HOST",
    "INVALID_ARGUMENT",
    "DRAWING_TOO_SLOW",
];

/// Every code of a warning about a film.
pub const WARNING_CODES: &[&str] = &[
    "MEDIA_UNREACHABLE",
    "UNKNOWN_REPLACEMENT",
    "UNKNOWN_FIELD",
    "REPLACEMENTS_IGNORED",
    "INVALID_CSS_VALUE",
    "UNKNOWN_PRESET",
    "UNKNOWN_EASING",
    "UNKNOWN_SHAPE",
    "UNKNOWN_STICKER",
    "UNKNOWN_CAPTION_TEMPLATE",
    "UNKNOWN_LANGUAGE",
    "FONT_NOT_RESOLVED",
    "FONT_FACE_UNREADABLE",
    "FONT_WEIGHT_UNAVAILABLE",
    "FONT_SIZE_UNIT_IGNORED",
    "TEXT_MAY_CLIP",
    "TEXT_INK_CLIPPED",
    "ANIMATION_IGNORED",
    "NO_ROOM_FOR_TEXT",
    "LAYOUT_NOT_CHECKED",
    "MEDIA_START_PAST_END",
    "MEDIA_SHORTER_THAN_OVERLAY",
    "LOW_RESOLUTION_MEDIA",
    "OVERLAY_OUTSIDE_TIMELINE",
    "OVERLAY_OFF_CANVAS",
    "ODD_DIMENSIONS",
    "NARRATION_MISSING",
    "MEDIA_URL_REWRITTEN",
    "STYLE_WITHOUT_EFFECT",
    "STICKER_CATEGORY_UNKNOWN",
    "OVERLAY_TYPE_RENAMED",
    "EDITOR_FIELD_IGNORED",
];

/// Every code of a warning about an imported film.
pub const IMPORT_CODES: &[&str] = &[
    "NO_EQUIVALENT",
    "APPROXIMATED",
    "LENGTH_ASSUMED",
    "FIELD_SUBSTITUTED",
    "VALUE_IGNORED",
    "MEDIA_NEEDED",
    "UNKNOWN_FIELD",
    "MORE_WARNINGS",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Quoted words in capitals that are no reason and no code.
    const OTHERS: &[&str] = &["OUT_DIR", "REAL_ESTATE", "SCHEMA_MISMATCH", "SOCIAL_MEDIA"];

    #[test]
    fn every_reason_and_code_in_the_source_is_listed() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (mut found, mut sources) = (BTreeSet::new(), String::new());
        for name in ["service", "server", "fields", "composition", "scene", "render", "import"] {
            gather(&crates.join(name).join("src"), &mut found, &mut sources);
        }
        let known: BTreeSet<&str> =
            [REASONS, WARNING_CODES, IMPORT_CODES, OTHERS].into_iter().flatten().copied().collect();
        let missing: Vec<&String> = found.iter().filter(|word| !known.contains(word.as_str())).collect();
        assert!(missing.is_empty(), "add {missing:?} to the lists in words.rs, and to docs/errors.md");
        let unused: Vec<&&str> = known.iter().filter(|word| !sources.contains(**word)).collect();
        assert!(unused.is_empty(), "nothing uses {unused:?}");
    }

    /// Calls whose first quoted word is a reason, with an underscore or not.
    const CALLS: &[&str] =
        &["ServiceError::new(", "::unprocessable(", "::unprocessable_field(", "::limit_reached(", ".reason("];

    /// Collects the quoted words in capitals with an underscore, and the reasons of errors, tests and settings aside.
    fn gather(folder: &Path, found: &mut BTreeSet<String>, sources: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                gather(&path, found, sources);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("words.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let is_name = |word: &str| {
                    word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
                        && !word.is_empty()
                        && !word.starts_with('_')
                        && !word.ends_with('_')
                };
                let words = code.split('"').filter(|word| {
                    is_name(word)
                        && word.contains('_')
                        && !word.starts_with("RONDO_")
                        && !word.starts_with("CARGO_")
                });
                found.extend(words.map(str::to_owned));
                let calls = CALLS.iter().flat_map(|call| code.split(call).skip(1));
                let reasons = calls.filter_map(|after| after.split(';').next()?.split('"').nth(1));
                found.extend(reasons.filter(|word| is_name(word)).map(str::to_owned));
                sources.push_str(&text);
            }
        }
    }

    #[test]
    fn the_documentation_explains_every_reason_and_code() {
        let errors = include_str!("../../../docs/errors.md");
        let importing = include_str!("../../../docs/importing.md");
        for (page, words) in [(errors, REASONS), (errors, WARNING_CODES), (importing, IMPORT_CODES)] {
            for word in words {
                assert!(page.contains(&format!("`{word}`")), "{word} is not documented");
            }
        }
    }
}
