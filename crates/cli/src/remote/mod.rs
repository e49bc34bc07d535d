//! `rondo remote`: renders on a service, its state, and templates. Also `rondo login` and `rondo logout`.

mod client;
mod prompt;
mod services;
mod uploads;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rondo_render::Format;
use serde_json::{Map, Value, json};

use crate::args::{Remote, RemoteCommand, RemoteRender};
use crate::download::Downloader;
use crate::picture::parent;
use crate::{Outcome, interrupt, pretty, print, print_stderr};
use client::{Client, wait};
pub use services::{login, logout};
use uploads::{LocalFilm, Uploads};

/// Pauses between two looks at a render.
const FIRST_LOOK: Duration = Duration::from_millis(300);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// Largest film that is downloaded.
const MOST_BYTES: u64 = 100_000_000_000;

pub fn run(args: &Remote) -> Outcome {
    let client = Client::new(&services::chosen(&args.service)?)?;
    match &args.command {
        RemoteCommand::Render(args) => render(&client, args),
        RemoteCommand::Status { id, json } => status(&client, id, *json),
        RemoteCommand::Templates { json } => templates(&client, *json),
    }
}

fn render(client: &Client, args: &RemoteRender) -> Outcome {
    interrupt::watch()?;
    // Before anything is sent: a wrong name must not cost a render.
    let formats = args.outputs.iter().map(|output| format_of(output)).collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = args.outputs.iter().map(|output| parent(output)).find(|folder| !folder.is_dir()) {
        return Err(format!("The folder {} does not exist.", folder.display()));
    }
    let body = body(client, args, &formats)?;
    let created = client.post("/renders", &body)?;
    let id = created["jobId"].as_str().unwrap_or_default().to_owned();
    if args.no_wait {
        return if args.json { print(&pretty(&created)) } else { print(&id) };
    }
    let job = ended(client, &id).map_err(|error| {
        format!("{error} The render goes on at the service. Its state: rondo remote status {id}")
    })?;
    if job["status"] != "COMPLETED" {
        let why = job["errorMessage"].as_str().unwrap_or("The service gives no reason.");
        return Err(format!("The render failed: {why} (render {id})"));
    }
    let missing = || "The service gives no address of the film.".to_owned();
    let address = job["outputUrl"].as_str().ok_or_else(missing)?;
    for (number, output) in args.outputs.iter().enumerate() {
        let address = match number {
            0 => address,
            _ => job["outputs"][number]["url"].as_str().ok_or_else(missing)?,
        };
        download(address, output)?;
    }
    if args.json {
        return print(&pretty(&without_film(job)));
    }
    let credits = format!("{} credits", job["creditsUsed"]);
    if args.outputs.is_empty() {
        return print(address);
    }
    let written = args.outputs.iter().map(|output| {
        let bytes = std::fs::metadata(output).map_or(0, |facts| facts.len());
        format!("{}: {}", output.display(), HumanBytes(bytes))
    });
    print_stderr(&format!("{}, {credits}.", written.collect::<Vec<_>>().join(", ")));
    Ok(ExitCode::SUCCESS)
}

/// The request. Uploads the files it names.
fn body(client: &Client, args: &RemoteRender, formats: &[Format]) -> Result<Value, String> {
    let mut uploads = Uploads::new(client);
    let film = args.film.composition.as_deref().map(LocalFilm::read).transpose()?;
    let mut values: Map<String, Value> =
        args.set.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    for (name, path) in &args.files {
        let address = uploads.address(Path::new(path)).map_err(|error| format!("--file {name}: {error}"))?;
        values.insert(name.clone(), address.into());
    }
    let mut body = json!({});
    if let Some(mut film) = film {
        film.replace(&values)?;
        film.upload_media(&mut uploads)?;
        body = film.body;
    } else if !values.is_empty() {
        body["replacements"] = Value::Object(values);
    }
    if let Some(id) = &args.film.template {
        body["templateId"] = json!(id);
    }
    if let Some(id) = &args.film.project {
        body["projectId"] = json!(id);
    }
    if let Some((first, also)) = formats.split_first() {
        if !body["output"].is_object() {
            body["output"] = json!({});
        }
        body["output"]["format"] = json!(first.name());
        if !also.is_empty() {
            let also: Vec<Value> = also.iter().map(|format| json!({"format": format.name()})).collect();
            body["output"]["also"] = json!(also);
        }
    }
    if args.draft {
        body["draft"] = json!(true);
    }
    Ok(body)
}

fn format_of(output: &Path) -> Result<Format, String> {
    let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if Format::of_ending(ending) == Some(Format::Hls) {
        return Err(format!(
            "{} is a playlist of many files, which are not downloaded. Use .mp4.",
            output.display()
        ));
    }
    Format::named(&ending.to_ascii_lowercase()).ok_or_else(|| {
        format!("{} has no known extension. Use one of: {}.", output.display(), Format::names().join(", "))
    })
}

/// Waits for the end of a render, with a bar on a terminal.
fn ended(client: &Client, id: &str) -> Result<Value, String> {
    let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos:>3} %  {msg}") {
        bar.set_style(style.progress_chars("━━╌"));
    }
    let mut pause = FIRST_LOOK;
    let job = loop {
        let job = match client.get(&format!("/renders/{id}")) {
            Ok(job) => job,
            Err(error) => break Err(error),
        };
        let status = job["status"].as_str().unwrap_or_default();
        bar.set_position(job["progressPercentage"].as_u64().unwrap_or_default());
        bar.set_message(match job["estimatedTimeRemaining"].as_u64() {
            Some(seconds) if status == "PROCESSING" => format!("{seconds} s left"),
            _ if status == "PENDING" => "waiting".to_owned(),
            _ => String::new(),
        });
        if matches!(status, "COMPLETED" | "FAILED") {
            break Ok(job);
        }
        if let Err(cancelled) = wait(pause) {
            break Err(cancelled);
        }
        pause = (pause * 3 / 2).min(LONGEST_PAUSE);
    };
    bar.finish_and_clear();
    job
}

/// Writes the film, or nothing.
fn download(address: &str, output: &Path) -> Result<(), String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}.", output.display());
    let mut file = tempfile::Builder::new()
        .prefix(".rondo-")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
        .tempfile_in(parent(output))
        .map_err(|error| wrong(&error))?;
    let failed = |error| format!("The film was not downloaded: {error}. It is at {address}");
    Downloader::new(MOST_BYTES)?.download(address, file.as_file_mut()).map_err(failed)?;
    file.persist(output).map_err(|error| wrong(&error.error))?;
    Ok(())
}

fn status(client: &Client, id: &str, as_json: bool) -> Outcome {
    let is_plain =
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !is_plain {
        return Err(format!("{id} is not the id of a render."));
    }
    let job = client.get(&format!("/renders/{id}"))?;
    if as_json {
        return print(&pretty(&without_film(job)));
    }
    let text = |name: &str| job[name].as_str().map(str::to_owned);
    let status = text("status").unwrap_or_default();
    let mut lines = vec![match status.as_str() {
        "PROCESSING" => format!("{id}: {status}, {} %", job["progressPercentage"]),
        _ => format!("{id}: {status}"),
    }];
    lines.push(format!(
        "{} × {}, {} frames at {} fps, {}, {} credits",
        job["width"],
        job["height"],
        job["durationInFrames"],
        job["fps"],
        text("format").unwrap_or_default(),
        job["creditsUsed"]
    ));
    lines.extend(text("errorMessage"));
    let files = job["outputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    lines.extend(files.iter().filter_map(|file| file["url"].as_str().map(str::to_owned)));
    print(&lines.join("\n"))
}

/// The composition is what the caller has sent.
fn without_film(mut job: Value) -> Value {
    if let Some(fields) = job.as_object_mut() {
        fields.remove("inputProps");
    }
    job
}

fn templates(client: &Client, as_json: bool) -> Outcome {
    let list = client.get("/templates")?;
    if as_json {
        return print(&pretty(&list["templates"]));
    }
    let rows = list["templates"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let width = |name: &str| rows.iter().map(|row| text(row, name).chars().count()).max().unwrap_or(0);
    let (ids, names) = (width("id"), width("name"));
    for row in rows {
        let seconds =
            row["durationInFrames"].as_f64().unwrap_or(0.0) / row["fps"].as_f64().unwrap_or(30.0).max(1.0);
        let variables = row["variables"].as_array().map(Vec::as_slice).unwrap_or_default();
        let variables: Vec<&str> =
            variables.iter().filter_map(|variable| variable["name"].as_str()).collect();
        print(&format!(
            "{:ids$}  {:names$}  {:>4} × {:<4}  {seconds:>5.1} s  {}",
            text(row, "id"),
            text(row, "name"),
            row["width"],
            row["height"],
            variables.join(", ")
        ))?;
    }
    print(&format!("{} templates.", rows.len()))
}
