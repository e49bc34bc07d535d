//! Reads what files say of themselves.

use std::path::Path;

use rondo_composition::MediaRole;
use rondo_media::MediaFile;
use rondo_media::image::{ImageKind, probe_image};
use rondo_render::faces_of_file;
use rondo_text::Face;

use crate::job::{Answer, Fact, Failure, FontFact, ProbeFile};

/// Largest picture file that is read for its size.
const MOST_PICTURE: u64 = 50_000_000;

pub fn fact(file: &ProbeFile) -> Fact {
    let fact = match file.role.0 {
        MediaRole::Image => picture(&file.path),
        role @ (MediaRole::Video | MediaRole::Sound) => clip(role, &file.path),
    };
    fact.unwrap_or_else(|problem| Fact { problem: Some(problem), ..Fact::default() })
}

/// The faces of a font file. It fails with the end of the sentence "The file cannot be used: ".
pub fn font(path: &Path) -> Result<Answer, Failure> {
    let known = |Face { family, weights, italic, widths }| FontFact { family, weights, italic, widths };
    let faces = faces_of_file(path).map_err(Failure::Input)?;
    Ok(Answer::Faces(faces.into_iter().map(known).collect()))
}

fn picture(path: &Path) -> Result<Fact, String> {
    let file = MediaFile::open(path).map_err(|error| error.to_string())?;
    if file.length().map_err(|error| error.to_string())? > MOST_PICTURE {
        return Ok(Fact::default());
    }
    let bytes = file.read_all(MOST_PICTURE).map_err(|error| error.to_string())?;
    let info =
        probe_image(&bytes, "the file").map_err(|_| "it is not a picture that can be shown".to_owned())?;
    let size = (info.kind != ImageKind::Svg).then_some((info.width, info.height));
    Ok(Fact { size, ..Fact::default() })
}

fn clip(role: MediaRole, path: &Path) -> Result<Fact, String> {
    let probe =
        rondo_media::probe(path).map_err(|_| "it is not a film or a sound that can be played".to_owned())?;
    match (role, probe.video, probe.audio) {
        (MediaRole::Sound, _, Some(sound)) => Ok(Fact { seconds: Some(sound.duration), ..Fact::default() }),
        (MediaRole::Sound, _, None) => Err("it has no sound track".to_owned()),
        (_, Some(video), _) => {
            Ok(Fact { size: Some((video.width, video.height)), seconds: Some(video.duration), problem: None })
        }
        (_, None, _) => Err("it has no picture track".to_owned()),
    }
}
