//! Resolves the body of a render or preview request to a film. Both use the same code, so a preview shows what a render
//! will do.

pub mod options;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rondo_composition::{
    AiReplacement, AiValue, Composition, Film, Finish, Limits, Output, Overlay, OverlayKind, Read, Remarks,
    RenderRequest, Report, RequestOptions, Tolerated, Transcription,
};
use rondo_render::{Recipe, Wanted};
use rondo_store::{AiUsed, Credits, Mode, Project, Store, Template};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::error::{ServiceError, ServiceResult};
use crate::fetch::FetchError;
use crate::media::Media;
use crate::media::sources::{self, Rewritten, Target};
use crate::own_fonts;
use crate::quote::{PLAIN_RATE, Quote, ai_estimate, quote};
use crate::speech::{Held, Purse, SpeechError, SpeechService};

/// Most different http and https addresses in a film.
const MOST_MEDIA: usize = 200;

/// A film with everything a request asked of it.
#[derive(Debug)]
pub struct Resolved {
    pub composition: Composition,
    pub origin: Origin,
    pub credits_per_minute: u32,
    /// Applied, unknown and AI replacements.
    pub report: Report,
    /// Media URLs that were normalized.
    pub rewritten: Vec<Rewritten>,
    /// What was noted while the film was read: of a template or a project, only what is tolerated.
    pub remarks: Remarks,
    /// Top-level keys that count as replacements, with the field of a request that each resembles.
    pub flat: Vec<(String, Option<&'static str>)>,
    /// Replacements for a direct film, which have no effect.
    pub ignored_replacements: usize,
    pub options: RequestOptions,
    pub output: Option<Output>,
    /// How the sound is finished; what the request speaks is its narration.
    pub finish: Finish,
    /// What files are asked for, the first one first, and how they are made.
    pub wanted: Vec<Wanted>,
    pub recipes: Vec<Recipe>,
    /// Of the film as it was before speech lengthened it.
    pub quote: Quote,
    /// AI values as they were sent.
    pub ai_values: Map<String, Value>,
    /// Names of the transcriptions whose words come with a narration.
    pub ai_free: Vec<String>,
    /// What AI values are expected to cost; once they are made, what they do cost.
    pub ai_charge: Credits,
    /// What AI made. `None` where nothing was asked for or it is not made yet.
    pub ai_used: Option<Vec<AiUsed>>,
    pub metadata: Option<Map<String, Value>>,
    pub draft: bool,
}

/// The film of a request before anything is applied to it.
#[derive(Debug, Clone)]
pub struct Base {
    pub composition: Composition,
    pub origin: Origin,
    credits_per_minute: u32,
    tolerated: Vec<Tolerated>,
}

/// Where a film comes from.
#[derive(Debug, Clone)]
pub enum Origin {
    Direct,
    Template { id: String, name: String },
    Project { id: String },
}

impl Origin {
    pub fn mode(&self) -> Mode {
        match self {
            Self::Direct => Mode::Direct,
            Self::Template { .. } => Mode::Template,
            Self::Project { .. } => Mode::Project,
        }
    }
}

/// Turns requests into films.
#[derive(Clone)]
pub struct Resolver {
    pub store: Store,
    pub media: Arc<Media>,
    pub speech: SpeechService,
    /// Longest film in minutes.
    pub max_minutes: u32,
    /// Cancelled when the service shuts down.
    pub stopping: CancellationToken,
}

impl Resolver {
    /// Reads and checks a body in the order the contract gives: shape, meaning, ownership, media sources. Credits come after.
    pub async fn resolve(&self, caller: &Caller, body: Map<String, Value>) -> ServiceResult<Resolved> {
        let request = self.read(body)?;
        options::wanted(&request)?;
        self.check_callback(&request.options).await?;
        self.check_destination(caller, request.output.as_ref()).await?;
        let base = self.base(caller, &request.film).await?;
        self.fill(caller, request, base, None).await
    }

    /// Reads a body.
    pub fn read(&self, body: Map<String, Value>) -> ServiceResult<RenderRequest> {
        Ok(RenderRequest::read(&Value::Object(body), self.limits())?)
    }

    fn limits(&self) -> Limits {
        Limits { minutes: self.max_minutes }
    }

    /// The film that a request names.
    pub async fn base(&self, caller: &Caller, film: &Film) -> ServiceResult<Base> {
        let mut remarks = Remarks::default();
        let (composition, origin, credits_per_minute) = match film {
            Film::Direct(composition) => (Composition::clone(composition), Origin::Direct, PLAIN_RATE),
            Film::Template(id) => self.template_film(caller, id, &mut remarks).await?,
            Film::Project(id) => self.project_film(caller, id, &mut remarks).await?,
        };
        Ok(Base { composition, origin, credits_per_minute, tolerated: remarks.tolerated })
    }

    /// Applies what a request asks for to its film. The hosts of its media are looked up, unless `refused_hosts` says which
    /// of them may not be called.
    pub async fn fill(
        &self,
        caller: &Caller,
        request: RenderRequest,
        base: Base,
        refused_hosts: Option<&BTreeMap<String, FetchError>>,
    ) -> ServiceResult<Resolved> {
        let limits = self.limits();
        let wanted = options::wanted(&request)?;
        let Base { mut composition, origin, credits_per_minute, tolerated } = base;
        let RenderRequest {
            film: _,
            replacements,
            flat,
            overrides,
            options,
            mut finish,
            output,
            metadata,
            draft,
            mut remarks,
        } = request;
        remarks.tolerated.extend(tolerated);
        let report = match origin {
            Origin::Direct => Report::default(),
            Origin::Template { .. } | Origin::Project { .. } => {
                let report = composition.apply_replacements(&replacements)?;
                overrides.apply(&mut composition, limits)?;
                report
            }
        };
        finish.check(&composition)?;
        finish.narrated_by(narrated(&report.ai));
        let ai_free = self.speech.free_transcriptions(&caller.account.id, &composition, &report.ai).await?;
        self.speech.check(&report.ai, &ai_free)?;
        let rewritten = sources::tidy_all(&mut composition);
        self.check_sources(&mut composition, &origin, &report, refused_hosts).await?;
        // Not counted: the film names families, and files are added here.
        own_fonts::add_faces(&self.store, &self.media, &caller.account.id, &mut composition).await?;
        let missing = composition.missing_media(&report.ai);
        if !missing.is_empty() {
            return Err(missing_media(&missing));
        }
        let recipes = options::recipes(&wanted, &composition)?;
        let ai_charge = ai_estimate(&composition, &report.ai, &ai_free);
        let ignored_replacements = match origin {
            Origin::Direct => replacements.len() - flat.len(),
            Origin::Template { .. } | Origin::Project { .. } => 0,
        };
        let is_ai = |name: &String| report.ai.iter().any(|ai| ai.name == *name);
        let ai_values = replacements.into_iter().filter(|(name, _)| is_ai(name)).collect();
        Ok(Resolved {
            quote: quote(&composition, &recipes, credits_per_minute),
            composition,
            wanted,
            recipes,
            ai_values,
            ai_free,
            ai_charge,
            ai_used: None,
            origin,
            credits_per_minute,
            report,
            rewritten,
            remarks,
            flat,
            ignored_replacements,
            options,
            output,
            finish,
            metadata,
            draft,
        })
    }

    /// The template, or 404 for one the caller may not use.
    pub async fn usable_template(&self, caller: &Caller, id: &str) -> ServiceResult<Template> {
        let template = self.store.template_for(id, &caller.account.id).await?;
        template.ok_or_else(|| ServiceError::not_found("template"))
    }

    async fn template_film(
        &self,
        caller: &Caller,
        id: &str,
        remarks: &mut Remarks,
    ) -> ServiceResult<(Composition, Origin, u32)> {
        let Template { id, name, composition, credits_per_minute, .. } =
            self.usable_template(caller, id).await?;
        Ok((stored_film(&composition, remarks)?, Origin::Template { id, name }, credits_per_minute))
    }

    async fn project_film(
        &self,
        caller: &Caller,
        id: &str,
        remarks: &mut Remarks,
    ) -> ServiceResult<(Composition, Origin, u32)> {
        let project = self.store.project(id).await?.ok_or_else(|| ServiceError::not_found("project"))?;
        if project.account_id != caller.account.id {
            return Err(ServiceError::forbidden("project"));
        }
        let composition = project.composition_to_render();
        let Project { id, credits_per_minute, .. } = project;
        Ok((stored_film(&composition, remarks)?, Origin::Project { id }, credits_per_minute))
    }

    /// Fails for a callback that cannot be called.
    pub async fn check_callback(&self, options: &RequestOptions) -> ServiceResult<()> {
        let Some(url) = &options.webhook_url else { return Ok(()) };
        match self.media.fetch.check_url(url).await {
            Err(FetchError::Malformed(_)) => Err(ServiceError::invalid_field(
                "webhookUrl",
                format!("`webhookUrl` is \"{url}\", which is not an address."),
            )),
            Err(error) if error.is_refusal() => Err(ServiceError::unprocessable_field(
                "WEBHOOK_URL_NOT_ALLOWED",
                "webhookUrl",
                format!("`webhookUrl` cannot be called: {error}."),
            )),
            _ => Ok(()),
        }
    }

    /// 422 for a destination that the account does not have.
    pub async fn check_destination(&self, caller: &Caller, output: Option<&Output>) -> ServiceResult<()> {
        let Some(name) = output.and_then(|output| output.destination.as_deref()) else { return Ok(()) };
        match self.store.destination_named(&caller.account.id, name).await? {
            Some(_) => Ok(()),
            None => Err(ServiceError::unprocessable_field(
                "UNKNOWN_DESTINATION",
                "output.destination",
                format!(
                    "`output.destination` is \"{name}\", and the account has no such destination. Create it with POST \
                     /destinations."
                ),
            )),
        }
    }

    /// 422 for media addresses of a kind, or in a place, that the service does not read from.
    async fn check_sources(
        &self,
        composition: &mut Composition,
        origin: &Origin,
        report: &Report,
        refused_hosts: Option<&BTreeMap<String, FetchError>>,
    ) -> ServiceResult<()> {
        let names: Vec<Option<String>> = composition.overlays.iter().map(Overlay::variable_name).collect();
        let replaced = |overlay: usize| names[overlay].as_ref().filter(|name| report.applied.contains(*name));
        let mut asked: Vec<(String, String, bool)> = Vec::new();
        for source in sources::sources(composition) {
            let path = match (source.of_overlay.and_then(replaced), origin) {
                (Some(name), _) => format!("replacements.{name}"),
                (None, Origin::Direct) => format!("inputProps.{}", source.path),
                (None, _) => source.path,
            };
            if !source.address.trim().is_empty() {
                asked.push((path, source.address.clone(), source.is_picture));
            }
        }
        for AiReplacement { name, value } in &report.ai {
            if let AiValue::Transcription(Transcription { url: Some(url), .. }) = value {
                asked.push((format!("replacements.{name}.transcribe.url"), url.clone(), false));
            }
        }
        self.check_count(&asked)?;
        let found;
        let refused_hosts = match refused_hosts {
            Some(refused) => refused,
            None => {
                let addresses: Vec<&str> = asked.iter().map(|(_, address, _)| address.as_str()).collect();
                found = self.media.refused_hosts(&addresses).await;
                &found
            }
        };
        let refused = asked
            .into_iter()
            .filter_map(|(path, address, is_picture)| {
                let why = self.media.refusal_given(&address, is_picture, refused_hosts)?;
                Some((path, address, why))
            })
            .collect();
        sources::not_allowed(refused).map_or(Ok(()), Err)
    }

    /// Reads a composition to save, which is a field of a request. It has the problems that a render of it would have, but
    /// for what a render may bring along: the media of variables. Names of hosts are looked up when it is rendered.
    pub fn check_saved(&self, field: &'static str, value: &Value) -> ServiceResult<Composition> {
        let limits = Limits { minutes: self.max_minutes };
        let mut composition = Composition::read_field(field, value, limits)?.composition;
        let mut fixed = composition.clone();
        fixed.overlays.retain(|overlay| overlay.variable_name().is_none());
        let missing = fixed.missing_media(&[]);
        if !missing.is_empty() {
            return Err(missing_media(&missing));
        }
        let mut asked: Vec<(String, String, bool)> = Vec::new();
        for source in sources::sources(&mut composition) {
            if !source.address.trim().is_empty() {
                let path = format!("{field}.{}", source.path);
                asked.push((path, source.address.clone(), source.is_picture));
            }
        }
        self.check_count(&asked)?;
        let refused = asked.into_iter().filter_map(|(path, address, is_picture)| {
            let why = self.media.refusal_given(&address, is_picture, &BTreeMap::new())?;
            Some((path, address, why))
        });
        sources::not_allowed(refused.collect()).map_or(Ok(composition), Err)
    }

    /// 422 for the first address beyond the limit.
    fn check_count(&self, asked: &[(String, String, bool)]) -> ServiceResult<()> {
        let mut different = BTreeSet::new();
        for (path, address, _) in asked {
            let is_counted =
                !matches!(sources::target(&self.media.links, address), None | Some(Target::Data));
            if is_counted && different.insert(address.trim()) && different.len() > MOST_MEDIA {
                let message =
                    format!("`{path}`: a film may use at most {MOST_MEDIA} different media addresses.");
                let error = ServiceError::unprocessable_field("MEDIA_LIMIT_EXCEEDED", path, message);
                return Err(error.with("limit", MOST_MEDIA));
            }
        }
        Ok(())
    }

    /// Makes the speech a request asks for. The credits are held, and charged by the caller.
    pub async fn speak(&self, caller: &Caller, resolved: &mut Resolved) -> ServiceResult<Held> {
        self.speech.available(&resolved.report.ai, &resolved.ai_free)?;
        let estimate = Credits::from_whole(resolved.ai_charge.whole_up());
        let held = Held::take(&self.store, &caller.account.id, estimate).await;
        let mut held = held.map_err(SpeechError::from)?;
        let (composition, ai) = (&mut resolved.composition, &resolved.report.ai);
        let mut purse = Purse::Speech(&mut held);
        let filled =
            self.speech.fill(&caller.account.id, composition, ai, &mut purse, &self.stopping).await?;
        options::recipes(&resolved.wanted, composition)?;
        resolved.ai_charge = filled.charge;
        resolved.ai_used = Some(filled.used);
        Ok(held)
    }
}

/// A composition the service has stored.
pub fn stored(composition: &Value) -> ServiceResult<Composition> {
    read_stored(composition).map(|read| read.composition)
}

/// Makes a stored composition one of the schema that responses have: what is `null` or tolerated in it is left out, or is
/// written as it is read.
pub fn tidy(composition: &mut Value) {
    Composition::tidy(composition);
}

/// A stored composition to render; what is tolerated in it is added to `remarks`.
fn stored_film(composition: &Value, remarks: &mut Remarks) -> ServiceResult<Composition> {
    let read = read_stored(composition)?;
    remarks.tolerated.extend(read.remarks.tolerated);
    Ok(read.composition)
}

fn read_stored(composition: &Value) -> ServiceResult<Read> {
    Composition::read(composition, Limits::WIDEST)
        .map_err(|error| ServiceError::internal(format!("a stored composition cannot be read: {error}")))
}

/// Names of the overlays that speak a text of the request.
fn narrated(ai: &[AiReplacement]) -> Vec<String> {
    let narrations = ai.iter().filter(|ai| matches!(ai.value, AiValue::Narration(_)));
    narrations.map(|ai| ai.name.clone()).collect()
}

fn missing_media(names: &[String]) -> ServiceError {
    let message = match names {
        [one] => {
            format!(
                "The media overlay {one} has no source: give it a src (an effect: no empty picture address), or a replacement of that name."
            )
        }
        _ => format!(
            "Media overlays have no source: {}. Give each a src (an effect: no empty picture address), or a replacement of its name.",
            names.join(", ")
        ),
    };
    ServiceError::invalid(message).reason("MISSING_MEDIA_SOURCE").with("missing", json!(names))
}

/// Leaves out what AI values would have filled: narrations are silent, captions empty.
pub fn skip_ai(composition: &mut Composition, ai: &[AiReplacement]) {
    let asked = |overlay: &Overlay| {
        let name = overlay.variable_name()?;
        ai.iter().find(|ai| ai.name == name).map(|ai| &ai.value)
    };
    composition.overlays.retain(|overlay| !matches!(asked(overlay), Some(AiValue::Narration(_))));
    for overlay in &mut composition.overlays {
        let transcribed = matches!(asked(overlay), Some(AiValue::Transcription(_)));
        if let OverlayKind::Caption(captions) = &mut overlay.kind
            && transcribed
        {
            captions.captions.clear();
        }
    }
}
