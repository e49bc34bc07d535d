//! Types of files that may be uploaded: their names, the extensions of their files and the bytes these begin with.

use std::io::Read;
use std::path::Path;

use rondo_media::image::{ImageKind, sniff_image};
use rondo_render::{ARCHIVE, Format, content_type};
use rondo_store::Description;

use crate::error::{ServiceError, ServiceResult};

/// MIME types that may be uploaded, each with the extension of its files.
pub const UPLOAD_TYPES: [(&str, &str); 21] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
    ("image/avif", "avif"),
    ("image/svg+xml", "svg"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
    ("video/x-matroska", "mkv"),
    ("audio/mpeg", "mp3"),
    ("audio/mp4", "m4a"),
    ("audio/wav", "wav"),
    ("audio/ogg", "ogg"),
    ("audio/webm", "weba"),
    ("audio/flac", "flac"),
    ("audio/aac", "aac"),
    ("font/ttf", "ttf"),
    ("font/otf", "otf"),
    ("font/woff", "woff"),
    ("font/woff2", "woff2"),
];

/// Bytes of a file that are read to find out its type: as many as an SVG may have before its first element.
pub const HEAD: u64 = 64 * 1024;
/// Bytes before the first frame of an MP3 file without tags.
const MP3_LEAD: usize = 4096;

const HEIC: &str = "HEIC and HEIF pictures are not supported: convert the file to JPEG, PNG, WebP or AVIF";

/// The MIME type of a file by its name.
fn type_of_name(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "jpeg" => "image/jpeg",
        "m4s" => "video/iso.segment",
        archive if archive == ARCHIVE.0 => ARCHIVE.1,
        _ => UPLOAD_TYPES
            .iter()
            .find(|(_, known)| *known == ending)
            .map(|(content_type, _)| *content_type)
            .or_else(|| Format::of_ending(ending).map(content_type))
            .unwrap_or("application/octet-stream"),
    }
}

/// What a browser is told of a file with a name.
pub fn describe(name: &str) -> Description {
    let content_type = type_of_name(name);
    // Drawings can contain scripts, and archives and fonts are not shown: opened as a page they are downloaded.
    let is_shown = content_type != "image/svg+xml"
        && [rondo_render::content_type(Format::Hls), "image/", "video/", "audio/"]
            .iter()
            .any(|kind| content_type.starts_with(kind));
    let shown = if is_shown { "inline" } else { "attachment" };
    Description { content_type, disposition: format!("{shown}; filename=\"{name}\"") }
}

/// A MIME type without its parameters, in lower case, under its registered name.
pub fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    registered_name(&essence).to_owned()
}

/// Other names that programs use for the types.
fn registered_name(essence: &str) -> &str {
    match essence {
        "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/x-png" => "image/png",
        "audio/mp3" | "audio/x-mp3" | "audio/x-mpeg" => "audio/mpeg",
        "audio/x-wav" | "audio/wave" | "audio/vnd.wave" => "audio/wav",
        "audio/x-m4a" | "audio/m4a" => "audio/mp4",
        "audio/x-flac" => "audio/flac",
        "audio/x-aac" | "audio/aacp" => "audio/aac",
        "video/x-m4v" => "video/mp4",
        "application/font-woff" | "application/x-font-woff" => "font/woff",
        "application/font-woff2" => "font/woff2",
        "application/x-font-ttf" => "font/ttf",
        "application/x-font-otf" => "font/otf",
        other => other,
    }
}

/// The accepted type that a content type names.
pub fn supported(asked: &str) -> ServiceResult<String> {
    let essence = essence(asked);
    match UPLOAD_TYPES.iter().any(|(content_type, _)| *content_type == essence) {
        true => Ok(essence),
        false => Err(unsupported(asked, &essence)),
    }
}

fn unsupported(asked: &str, essence: &str) -> ServiceError {
    let types: Vec<&str> = UPLOAD_TYPES.iter().map(|(content_type, _)| *content_type).collect();
    let shown: String = asked.chars().take(100).collect();
    let message = match essence {
        "image/heic" | "image/heif" | "image/heic-sequence" | "image/heif-sequence" => format!("{HEIC}."),
        _ => format!("Files of the type \"{shown}\" are not supported. Upload one of: {}.", types.join(", ")),
    };
    ServiceError::unprocessable_field("UNSUPPORTED_CONTENT_TYPE", "contentType", message)
        .with("supported", types)
}

/// The first bytes of a file, as many as [`mismatch`] and [`picture_type`] need.
pub fn head_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    std::fs::File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Why a file that begins like this is not of the type, as the end of the sentence "The file cannot be used: ".
pub fn mismatch(content_type: &str, head: &[u8]) -> Option<String> {
    if is_type(content_type, head) {
        return None;
    }
    let is_heic =
        brands(head).any(|brand| matches!(brand, b"heic" | b"heix" | b"heim" | b"heis" | b"mif1" | b"msf1"));
    if is_heic && picture_type(head).is_none() {
        return Some(HEIC.to_owned());
    }
    // Tags and frame headers are found in files of several types.
    let is_clear = |known: &&str| !matches!(*known, "audio/mpeg" | "audio/aac" | "audio/flac");
    let found =
        UPLOAD_TYPES.iter().map(|(known, _)| *known).find(|known| is_clear(known) && is_type(known, head));
    Some(match found {
        Some(found) => format!("its content is {found}, not {content_type}"),
        None => format!("its content is not {content_type}"),
    })
}

/// The type of a picture that begins like this.
pub fn picture_type(head: &[u8]) -> Option<&'static str> {
    match sniff_image(head)? {
        ImageKind::Png => Some("image/png"),
        ImageKind::Jpeg => Some("image/jpeg"),
        ImageKind::WebP => Some("image/webp"),
        ImageKind::Gif => Some("image/gif"),
        ImageKind::Avif => Some("image/avif"),
        ImageKind::Svg => Some("image/svg+xml"),
        ImageKind::Bmp => None,
    }
}

/// The type of a picture, video or sound that begins like this.
pub fn media_type(head: &[u8]) -> Option<&'static str> {
    if sniff_image(head) == Some(ImageKind::Bmp) {
        return Some("image/bmp");
    }
    let played = UPLOAD_TYPES.iter().map(|(known, _)| *known).filter(|known| !known.starts_with("font/"));
    // Tags and frame headers of sound are found in other files too.
    let is_unclear = |known: &&str| {
        matches!(*known, "audio/mpeg" | "audio/aac") || (*known == "audio/flac" && head.starts_with(b"ID3"))
    };
    let clear = played.clone().filter(|known| !is_unclear(known));
    let unclear = played.filter(is_unclear);
    picture_type(head).or_else(|| clear.chain(unclear).find(|known| is_type(known, head)))
}

/// The type of a font that begins like this.
pub fn font_type(head: &[u8]) -> Option<&'static str> {
    ["font/woff2", "font/woff", "font/otf"].into_iter().find(|known| is_type(known, head))
}

fn is_type(content_type: &str, head: &[u8]) -> bool {
    let starts = |magic: &[u8]| head.starts_with(magic);
    match content_type {
        "video/mp4" | "video/quicktime" | "audio/mp4" => is_movie(head),
        "video/webm" | "video/x-matroska" | "audio/webm" => starts(b"\x1a\x45\xdf\xa3"),
        "audio/mpeg" => starts(b"ID3") || head.windows(4).take(MP3_LEAD).any(is_mpeg_frame),
        "audio/aac" => {
            starts(b"ID3") || starts(b"ADIF") || matches!(head, [0xff, second, ..] if second & 0xf6 == 0xf0)
        }
        "audio/wav" => (starts(b"RIFF") || starts(b"RF64")) && head.get(8..12) == Some(b"WAVE"),
        "audio/ogg" => starts(b"OggS"),
        "audio/flac" => starts(b"fLaC") || starts(b"ID3"),
        // Both names are in use for both kinds of outlines.
        "font/ttf" | "font/otf" => {
            [b"\0\x01\0\0", b"OTTO", b"true", b"ttcf"].iter().any(|magic| starts(*magic))
        }
        "font/woff" => starts(b"wOFF"),
        "font/woff2" => starts(b"wOF2"),
        picture => picture_type(head) == Some(picture),
    }
}

/// Whether a file begins with a box of MP4 or QuickTime and is not a picture in the same container.
fn is_movie(head: &[u8]) -> bool {
    let boxes: [&[u8]; 7] = [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"];
    let first = head.get(4..8).unwrap_or_default();
    let is_picture = brands(head)
        .next()
        .is_some_and(|major| matches!(major, b"avif" | b"avis" | b"heic" | b"heix" | b"mif1"));
    boxes.contains(&first) && !is_picture
}

/// Major and compatible brands of an ISO file, with the version between them.
fn brands(head: &[u8]) -> impl Iterator<Item = &[u8; 4]> {
    let brands = match head {
        [a, b, c, d, b'f', b't', b'y', b'p', ..] => {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            head.get(8..length.min(head.len())).unwrap_or_default()
        }
        _ => &[],
    };
    brands.as_chunks::<4>().0.iter()
}

/// Whether four bytes are the header of an MPEG audio frame.
fn is_mpeg_frame(bytes: &[u8]) -> bool {
    let [0xff, version, rate, _] = bytes else { return false };
    version & 0xe0 == 0xe0
        && version & 0x18 != 0x08
        && version & 0x06 != 0
        && !matches!(rate >> 4, 0 | 15)
        && rate & 0x0c != 0x0c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_an_ending_of_its_own() {
        for (content_type, ending) in UPLOAD_TYPES {
            assert_eq!(describe(&format!("x.{ending}")).content_type, content_type);
        }
        for format in Format::ALL {
            let name = format!("x.{}", format.name());
            assert_ne!(describe(&name).content_type, "application/octet-stream", "{name}");
        }
    }

    #[test]
    fn files_that_could_act_as_a_page_are_downloaded() {
        for (name, disposition) in [
            ("job_1.mp4", "inline; filename=\"job_1.mp4\""),
            ("upl_1.svg", "attachment; filename=\"upl_1.svg\""),
            ("upl_1.ttf", "attachment; filename=\"upl_1.ttf\""),
            ("job_1", "attachment; filename=\"job_1\""),
        ] {
            assert_eq!(describe(name).disposition, disposition);
        }
    }

    #[test]
    fn other_names_are_read_as_the_registered_ones() {
        for (name, registered) in [
            ("audio/mp3", "audio/mpeg"),
            ("Audio/X-WAV; rate=8000", "audio/wav"),
            ("image/jpg", "image/jpeg"),
            ("image/png", "image/png"),
        ] {
            assert_eq!(supported(name).unwrap(), registered);
        }
        let heic = supported("image/heic").unwrap_err();
        assert!(heic.message.contains("convert the file to JPEG"), "{}", heic.message);
    }

    #[test]
    fn files_are_recognized_by_their_first_bytes() {
        let files: [(&str, &[u8]); 16] = [
            ("image/png", b"\x89PNG\r\n\x1a\n"),
            ("image/jpeg", b"\xff\xd8\xff\xe0"),
            ("image/avif", b"\0\0\0\x14ftypavif\0\0\0\0mif1"),
            ("image/svg+xml", b"<?xml version='1.0'?><svg/>"),
            ("video/mp4", b"\0\0\0\x18ftypisom\0\0\0\0isommp42"),
            ("video/quicktime", b"\0\0\0\x08wide\0\0\0\0mdat"),
            ("video/webm", b"\x1a\x45\xdf\xa3\x9f"),
            ("audio/mpeg", b"\xff\xfb\x90\x64"),
            ("audio/mpeg", b"ID3\x04\0"),
            ("audio/mp4", b"\0\0\0\x18ftypM4A \0\0\0\0"),
            ("audio/wav", b"RIFF\0\0\0\0WAVEfmt "),
            ("audio/ogg", b"OggS\0"),
            ("audio/flac", b"fLaC\0"),
            ("audio/aac", b"\xff\xf1\x50\x80"),
            ("font/otf", b"OTTO\0"),
            ("font/woff2", b"wOF2\0"),
        ];
        for (content_type, head) in files {
            assert_eq!(mismatch(content_type, head), None, "{content_type}");
            // The same containers hold video and sound.
            let found = media_type(head).unwrap_or("none");
            let expected = match content_type {
                "video/quicktime" | "audio/mp4" => "video/mp4",
                font if font.starts_with("font/") => "none",
                other => other,
            };
            assert_eq!(found, expected, "{content_type}");
        }
        for page in ["<!doctype html><script>1</script>", "{}", ""] {
            assert_eq!(media_type(page.as_bytes()), None, "{page}");
        }
        assert_eq!(
            media_type(b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0"),
            Some("image/bmp")
        );
    }

    #[test]
    fn pages_are_of_no_type_and_pictures_of_another_type_are_named() {
        for (content_type, _) in UPLOAD_TYPES {
            for head in [&b"<!doctype html><script>alert(1)</script>"[..], b"", b"%PDF-1.7", b"\0\0\0\0"] {
                assert!(mismatch(content_type, head).is_some(), "{content_type}");
            }
        }
        let named = mismatch("image/png", b"\xff\xd8\xff\xe0").unwrap();
        assert_eq!(named, "its content is image/jpeg, not image/png");
        for declared in ["image/avif", "image/jpeg", "video/mp4"] {
            let heic = mismatch(declared, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").unwrap();
            assert!(heic.starts_with("HEIC"), "{heic}");
        }
    }
}
