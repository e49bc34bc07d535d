//! Draws frames of a film to files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rondo_composition::{Composition, overlay_at};
use rondo_pixels::Bitmap;
use rondo_render::{
    Film, MediaProblem, RenderError, encode_jpeg, encode_png, fit_bitmap, picture_of, sheet, sheet_of,
    write_png,
};
use rondo_text::Catalog;

use super::render::read;
use super::{failure, input};
use crate::job::{Answer, DrawnPicture, Failure, Look, PicturesJob};

pub fn run(job: PicturesJob, fonts: Arc<Catalog>) -> Result<Answer, Failure> {
    let end = Instant::now() + Duration::from_secs(job.seconds);
    let mut in_time = || Instant::now() < end;
    let mut composition = read(&job.composition)?;
    let mut left_out: Vec<(String, String)> = Vec::new();
    // Where the overlays that are left stood at first.
    let mut places: Vec<usize> = (0..composition.overlays.len()).collect();
    loop {
        let mut film = Film::open(composition.clone(), &job.media, fonts.clone());
        film.set_deadline(Some(end));
        match paint(&mut film, &job, &mut in_time) {
            Ok(pictures) => {
                left_out.sort_by_key(|(path, _)| overlay_at(path));
                return Ok(Answer::Pictures { pictures, left_out });
            }
            // Some damage shows only when it is painted, so the rest is painted anew.
            Err(Failure::Media(_)) if job.leave_out => {
                film.try_pictures();
                for problem in film.problems() {
                    left_out.push((path_at_first(&problem.path, &places), problem.reason.clone()));
                }
                if !leave_out(&mut composition, &mut places, film.problems()) {
                    return Err(Failure::Input("Its media cannot be used.".to_owned()));
                }
            }
            Err(failure) => return Err(failure),
        }
    }
}

fn paint(
    film: &mut Film,
    job: &PicturesJob,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<DrawnPicture>, Failure> {
    let frames = &job.frames;
    match job.look {
        Look::Whole => {
            let mut pictures = Vec::new();
            for (number, frame) in frames.iter().enumerate() {
                let still = film.still(*frame).map_err(failure)?;
                let (width, height) = (still.width, still.height);
                write_png(DrawnPicture::file(number).as_ref(), width, height, still.pixels)
                    .map_err(failure)?;
                pictures.push(DrawnPicture { frames: vec![*frame], width, height });
            }
            Ok(pictures)
        }
        Look::Overview => {
            let sheet = sheet(film).map_err(failure)?;
            let (width, height) = (sheet.width, sheet.height);
            write_png(DrawnPicture::file(0).as_ref(), width, height, &sheet.pixels).map_err(failure)?;
            Ok(vec![DrawnPicture { frames: Vec::new(), width, height }])
        }
        Look::Fitted { sheet: true, pixels, png } => {
            let sheet = sheet_of(film, frames, pixels, go_on).map_err(failure)?;
            Ok(vec![write(0, frames.clone(), &fit_bitmap(sheet, pixels), png)?])
        }
        Look::Fitted { sheet: false, pixels, png } => {
            let each = pixels / frames.len().max(1) as u64;
            let one = |(number, frame): (usize, &u32)| match go_on() {
                true => {
                    let picture = picture_of(film, *frame, each).map_err(failure)?;
                    write(number, vec![*frame], &picture, png)
                }
                false => Err(failure(RenderError::Cancelled)),
            };
            frames.iter().enumerate().map(one).collect()
        }
    }
}

fn write(number: usize, frames: Vec<u32>, picture: &Bitmap, png: bool) -> Result<DrawnPicture, Failure> {
    let bytes = if png { encode_png(picture) } else { encode_jpeg(picture) };
    let bytes = bytes.map_err(|error| input(error.to_string()))?;
    std::fs::write(DrawnPicture::file(number), bytes).map_err(|error| Failure::Machine(error.to_string()))?;
    Ok(DrawnPicture { frames, width: picture.width, height: picture.height })
}

/// The path that a field had before overlays were left out.
fn path_at_first(path: &str, places: &[usize]) -> String {
    match overlay_at(path).and_then(|index| Some((index, places.get(index)?))) {
        Some((index, place)) => path.replacen(&index.to_string(), &place.to_string(), 1),
        None => path.to_owned(),
    }
}

/// Takes the overlays out whose media cannot be used; `false` when there are none.
fn leave_out(composition: &mut Composition, places: &mut Vec<usize>, problems: &[MediaProblem]) -> bool {
    let missing: Vec<usize> = problems.iter().filter_map(|problem| overlay_at(&problem.path)).collect();
    let stays = |index: Option<usize>| index.is_none_or(|index| !missing.contains(&index));
    let (mut overlay, mut place) = (0.., 0..);
    composition.overlays.retain(|_| stays(overlay.next()));
    places.retain(|_| stays(place.next()));
    !missing.is_empty()
}
