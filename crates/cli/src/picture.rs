//! `rondo frame` and `rondo sheet`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rondo_render::{sheet as contact_sheet, write_png};
use serde_json::json;

use crate::input::open_film;
use crate::{Outcome, args, print};

pub fn frame(args: &args::Frame) -> Outcome {
    let mut opened = open_film(&args.source, None)?;
    if let Some(number) = args.frame {
        paint(&mut opened.film, number, &args.output, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::create_dir_all(&args.output)
        .map_err(|e| format!("Failed to create the folder {}: {e}.", args.output.display()))?;
    for &number in &args.frames {
        paint(&mut opened.film, number, &args.output.join(format!("frame-{number}.png")), args.json)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn paint(film: &mut rondo_render::Film, number: u32, path: &Path, json: bool) -> Result<(), String> {
    let started = Instant::now();
    let still = film.still(number).map_err(|e| e.to_string())?;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    write_png(path, still.width, still.height, still.pixels).map_err(|e| e.to_string())?;
    if json {
        let milliseconds = (milliseconds * 1000.0).round() / 1000.0;
        print(&json!({"frame": number, "output": path, "milliseconds": milliseconds}).to_string())?;
    }
    Ok(())
}

pub fn sheet(args: &args::Sheet) -> Outcome {
    let mut opened = open_film(&args.source, None)?;
    let picture = contact_sheet(&mut opened.film).map_err(|e| e.to_string())?;
    write_png(&args.output, picture.width, picture.height, &picture.pixels).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}
