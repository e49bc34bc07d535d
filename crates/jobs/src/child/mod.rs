//! The child's side: the fork server, and what a child does.

mod pictures;
mod probe;
mod render;
mod sound;
mod warm_up;

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rondo_media::{MediaFile, load_ffmpeg};
use rondo_render::{Film, FontSettings, HugePages, add_family, load_fonts, with_font_faces};
use rondo_sandbox::{
    Attempt, Channel, Filters, LayerReport, Message, Mode, attempt_everything, fork_children, leave_network,
    restrict,
};
use rondo_scene::Scene;
use rondo_speech::espeak_speaks;
use rondo_text::{Catalog, TextEngine};

use crate::job::{Answer, CheckJob, Failure, Finding, Job, LayOutJob};
use crate::parent::OUT_OF_MEMORY;
use crate::protocol::{Configuration, FromChild, Ready, Setup};

/// Stack of threads that libraries start, in bytes.
const STACK: usize = 2 << 20;

/// Runs the fork server on standard input until the parent closes it.
pub fn run() -> Result<(), String> {
    // SAFETY: the only thread is this one.
    unsafe { rondo_speech::set_passive_wait_policy() };
    let input = std::io::stdin().as_fd().try_clone_to_owned().map_err(|error| error.to_string())?;
    // What a parent sends is of any length.
    let control = Channel::new(UnixStream::from(input), usize::MAX);
    serve(&control).map_err(|error| format!("The fork server failed: {error}."))
}

fn serve(control: &Channel) -> std::io::Result<()> {
    let Some(message) = control.receive()? else { return Ok(()) };
    let configuration: Configuration = serde_json::from_slice(&message.bytes)?;
    let network = match configuration.mode {
        Mode::Off => LayerReport { layer: rondo_sandbox::Layer::NetworkNamespace, missing: None },
        _ => leave_network(),
    };
    small_stacks();
    let ffmpeg = load_ffmpeg().err();
    let settings = FontSettings { user_folder: configuration.font_folder, fetched: None };
    let (fonts, font_warnings) = load_fonts(&settings);
    warm_up::warm_up(&fonts);
    let filters = Filters::compile().map_err(|error| std::io::Error::other(error.to_string()))?;
    let ready = Ready { ffmpeg, font_warnings, network };
    control.send(&serde_json::to_vec(&ready)?, &[])?;
    fork_children(control, &|channel| {
        // The parent sees by the exit that something is wrong.
        let _ = attend(channel, &fonts, &filters);
    })
}

/// The stacks of threads count as memory of a child.
fn small_stacks() {
    unsafe extern "C" {
        fn pthread_setattr_default_np(attributes: *const libc::pthread_attr_t) -> libc::c_int;
    }
    // SAFETY: the attributes are initialized before they are used.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_attr_init(&mut attributes) == 0 {
            libc::pthread_attr_setstacksize(&mut attributes, STACK);
            pthread_setattr_default_np(&attributes);
            libc::pthread_attr_destroy(&mut attributes);
        }
    }
}

/// Receives a job, does it, and answers.
fn attend(channel: Channel, fonts: &Arc<Catalog>, filters: &Filters) -> std::io::Result<()> {
    HugePages::exit_without_memory(OUT_OF_MEMORY);
    let mut families = Vec::new();
    let restricted = loop {
        let Some(Message { bytes, descriptors }) = channel.receive()? else { return Ok(()) };
        match serde_json::from_slice(&bytes)? {
            Setup::Files(names) => {
                for (name, descriptor) in names.into_iter().zip(descriptors) {
                    MediaFile::provide(name, File::from(descriptor));
                }
            }
            Setup::Fonts(names) => families = names,
            Setup::Restrict(policy) => {
                let scratch: Option<OwnedFd> = descriptors.into_iter().next();
                break restrict(&policy, scratch, filters);
            }
        }
    };
    let Some(job) = channel.receive()? else { return Ok(()) };
    let channel = Arc::new(Mutex::new(channel));
    let result = match restricted {
        Ok(layers) => {
            let job = serde_json::from_slice(&job.bytes)?;
            let run = || run_job(job, layers, &with_families(fonts, &families), &channel);
            let done = catch_unwind(AssertUnwindSafe(run));
            done.unwrap_or_else(|panic| Err(panicked(panic.as_ref())))
        }
        Err(reason) => Err(Failure::Machine(reason)),
    };
    let done = serde_json::to_vec(&FromChild::Done(Box::new(result)))?;
    channel.lock().unwrap_or_else(PoisonError::into_inner).send(&done, &[])
}

/// The fonts with families that were fetched. One that cannot be read stays missing, which the film's notices say.
fn with_families(fonts: &Arc<Catalog>, families: &[PathBuf]) -> Arc<Catalog> {
    if families.is_empty() {
        return fonts.clone();
    }
    let mut catalog = (**fonts).clone();
    for path in families {
        let _ = add_family(&mut catalog, path);
    }
    Arc::new(catalog)
}

fn run_job(
    job: Job,
    layers: Vec<LayerReport>,
    fonts: &Arc<Catalog>,
    channel: &Arc<Mutex<Channel>>,
) -> Result<Answer, Failure> {
    match job {
        Job::Render(job) => render::run(*job, fonts.clone(), channel),
        Job::Help(job, file) => render::help(&job, file, fonts.clone(), channel),
        Job::Pictures(job) => pictures::run(*job, fonts.clone()),
        Job::Check(job) => check(*job, fonts.clone()),
        Job::LayOut(job) => lay_out(&job, fonts.clone()),
        Job::ReadFont(path) => probe::font(&path),
        Job::Probe(files) => Ok(Answer::Facts(files.iter().map(probe::fact).collect())),
        Job::Listen(job) => sound::listen(&job),
        Job::Transcribe(job) => sound::transcribe(job),
        Job::Narrate(job) => sound::narrate(&job),
        Job::Align(job) => sound::align(&job),
        Job::EncodeSound(job) => sound::encode(&job),
        Job::SelfTest(test) => {
            let mut attempts = attempt_everything(&test);
            let program = test.program.as_deref();
            attempts.extend(program.map(|espeak| Attempt::new(Attempt::PROGRAM, espeak_speaks(espeak))));
            Ok(Answer::SelfTest { layers, attempts })
        }
    }
}

fn check(job: CheckJob, fonts: Arc<Catalog>) -> Result<Answer, Failure> {
    let mut film = Film::open(render::read(&job.composition)?, &job.media, fonts);
    if job.try_pictures {
        film.try_pictures();
    }
    Ok(Answer::Checked(film.notices().iter().map(Finding::from).collect()))
}

fn lay_out(job: &LayOutJob, fonts: Arc<Catalog>) -> Result<Answer, Failure> {
    let composition = render::read(&job.composition)?;
    let (fonts, mut notices) = with_font_faces(&composition, &job.fonts, fonts);
    notices.extend(Scene::check(&composition, &mut TextEngine::new(fonts), &job.facts));
    Ok(Answer::Checked(notices.iter().map(Finding::from).collect()))
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Failure {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Failure::Panic(text.unwrap_or_default().chars().take(500).collect())
}

/// What an error of the engine says of the job.
fn failure(error: rondo_render::RenderError) -> Failure {
    use rondo_render::RenderError;
    match error {
        RenderError::Media(problems) => {
            Failure::Media(problems.into_iter().map(|problem| (problem.path, problem.reason)).collect())
        }
        RenderError::Cancelled | RenderError::OverTime { .. } => Failure::TooSlow,
        error @ RenderError::OverBudget { .. } => Failure::OverBudget(error.to_string()),
        RenderError::Unwritable { reason, .. } | RenderError::Cache { reason, .. } => {
            Failure::Machine(reason)
        }
        other => input(other.to_string()),
    }
}

fn input(message: String) -> Failure {
    // How FFmpeg and its encoders say that an allocation failed. Settings are valid, so an encoder has no other reason.
    const NO_MEMORY: [&str; 2] = ["Cannot allocate memory", "Generic error in an external library"];
    match NO_MEMORY.iter().any(|words| message.contains(words)) {
        true => Failure::OutOfMemory,
        false => Failure::Input(message),
    }
}
