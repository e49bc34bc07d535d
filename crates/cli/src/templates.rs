//! `rondo templates build`: renders the thumbnail and the preview film of each included template.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, Output, RenderOptions, Scale, Wanted, thumbnail, write_png};
use rondo_service::files_of;
use rondo_service::gallery::{FILM_SIDE, Gallery, PICTURE_SIDE, Piece, stamp};
use rondo_service::templates::{folders, meta};
use rondo_store::{Draft, Files};

use crate::fonts::fonts;
use crate::locate::MediaFiles;
use crate::{Outcome, admin, args, interrupt, print_stderr};

pub fn run(command: &args::Templates) -> Outcome {
    let args::Templates::Build { location, only } = command;
    let cancel = interrupt::watch()?;
    let settings = admin::settings(location)?;
    let files = files_of(&settings).map_err(|e| e.to_string())?;
    let gallery = Gallery::open(&files).map_err(|e| e.to_string())?;
    let gallery =
        gallery.ok_or("The service makes these files already. Wait until it is done, or stop it.")?;
    let fonts = fonts();
    let all = folders().map_err(|e| format!("Failed to list the templates: {e}."))?;
    let name = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(unknown) = only.iter().find(|wanted| !all.iter().any(|folder| name(folder) == **wanted)) {
        return Err(format!("Template {unknown} not found."));
    }
    for folder in all.iter().filter(|folder| only.is_empty() || only.contains(&name(folder))) {
        let wrong = |reason: String| format!("{}: {reason}", name(folder));
        let meta = meta(folder).map_err(wrong)?;
        let text =
            std::fs::read_to_string(folder.join("composition.json")).map_err(|e| wrong(e.to_string()))?;
        let composition =
            Composition::parse(&text, Limits::WIDEST).map_err(|e| wrong(e.to_string()))?.composition;
        let frame = meta.poster(&composition);
        let media = MediaFiles::new(folder.clone())?;
        let mut film = Film::open(composition, &media, fonts.clone());
        let stamp = stamp(folder).map_err(|e| wrong(e.to_string()))?;
        let keep = |draft, piece| {
            let keeping = gallery.keep(draft, &meta.id, piece, &stamp);
            admin::block_on(async { keeping.await.map_err(|e| e.to_string()) })
        };
        picture(&mut film, &files, frame).and_then(|draft| keep(draft, Piece::Picture)).map_err(wrong)?;
        preview(&mut film, &files, cancel).and_then(|draft| keep(draft, Piece::Film)).map_err(wrong)?;
        print_stderr(&format!("{}: done.", name(folder)));
    }
    Ok(ExitCode::SUCCESS)
}

fn picture(film: &mut Film, files: &Files, frame: u32) -> Result<Draft, String> {
    let picture = thumbnail(film, frame, PICTURE_SIDE).map_err(|e| e.to_string())?;
    let draft = files.draft();
    write_png(draft.path(), picture.width, picture.height, &picture.pixels).map_err(|e| e.to_string())?;
    Ok(draft)
}

fn preview(film: &mut Film, files: &Files, cancel: &AtomicBool) -> Result<Draft, String> {
    let options = RenderOptions {
        wanted: Wanted { scale: Scale::ShorterSide(FILM_SIDE), ..Wanted::default() },
        ..RenderOptions::default()
    };
    let draft = files.draft();
    film.render(&Output::File(draft.path().to_owned()), &options, &mut |_| {}, cancel)
        .map_err(|e| e.to_string())?;
    Ok(draft)
}
