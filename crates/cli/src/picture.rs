//! `rondo frame` and `rondo sheet`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use rondo_jobs::{Look, Mode};
use rondo_render::{sheet as contact_sheet, write_png};
use serde_json::json;

use crate::input::{Input, open_film};
use crate::sandboxed::SandboxedFilm;
use crate::{Outcome, args, print};

pub fn frame(args: &args::Frame) -> Outcome {
    if let Some(mode) = args.source.sandbox.mode {
        return sandboxed_frames(args, mode);
    }
    let mut opened = open_film(&args.source, None)?;
    if let Some(number) = args.frame {
        paint(&mut opened.film, number, &args.output, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    create_folder(&args.output)?;
    for &number in &args.frames {
        paint(&mut opened.film, number, &args.output.join(format!("frame-{number}.png")), args.json)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn sandboxed_frames(args: &args::Frame, mode: Mode) -> Outcome {
    let (numbers, near) = match args.frame {
        Some(number) => (vec![number], parent(&args.output)),
        None => (args.frames.clone(), args.output.as_path()),
    };
    if args.frame.is_none() {
        create_folder(&args.output)?;
    }
    let to: Vec<PathBuf> = match args.frame {
        Some(_) => vec![args.output.clone()],
        None => numbers.iter().map(|number| args.output.join(format!("frame-{number}.png"))).collect(),
    };
    let film = sandboxed(&args.source, mode, near)?;
    let started = Instant::now();
    film.draw(numbers.clone(), Look::Whole, &to)?;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3 / numbers.len().max(1) as f64;
    if args.json {
        for (number, path) in numbers.iter().zip(&to) {
            print_drawn(*number, path, milliseconds)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn sandboxed(source: &args::Source, mode: Mode, near: &Path) -> Result<SandboxedFilm, String> {
    let input = Input::read(source, None).map_err(|e| e.to_string())?;
    let film = SandboxedFilm::open(input, mode, near)?;
    film.warn()?;
    Ok(film)
}

/// The folder of a file.
pub fn parent(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn create_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|e| format!("Failed to create the folder {}: {e}.", folder.display()))
}

fn paint(film: &mut rondo_render::Film, number: u32, path: &Path, json: bool) -> Result<(), String> {
    let started = Instant::now();
    let still = film.still(number).map_err(|e| e.to_string())?;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    write_png(path, still.width, still.height, still.pixels).map_err(|e| e.to_string())?;
    if json {
        print_drawn(number, path, milliseconds)?;
    }
    Ok(())
}

fn print_drawn(number: u32, path: &Path, milliseconds: f64) -> Outcome {
    let milliseconds = (milliseconds * 1000.0).round() / 1000.0;
    print(&json!({"frame": number, "output": path, "milliseconds": milliseconds}).to_string())
}

pub fn sheet(args: &args::Sheet) -> Outcome {
    if let Some(mode) = args.source.sandbox.mode {
        let film = sandboxed(&args.source, mode, parent(&args.output))?;
        film.draw(Vec::new(), Look::Overview, std::slice::from_ref(&args.output))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut opened = open_film(&args.source, None)?;
    let picture = contact_sheet(&mut opened.film).map_err(|e| e.to_string())?;
    write_png(&args.output, picture.width, picture.height, &picture.pixels).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}
