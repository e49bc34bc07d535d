//! Image formats by their first bytes.

use super::ImageKind;

/// What the content looks like; `None` if it is not a supported image.
pub fn sniff_image(bytes: &[u8]) -> Option<ImageKind> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(ImageKind::Png)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some(ImageKind::Jpeg)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(ImageKind::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(ImageKind::WebP)
    } else if bytes.starts_with(b"BM") && bytes.len() > 26 {
        Some(ImageKind::Bmp)
    } else if avif_brands(bytes).any(|brand| brand == b"avif" || brand == b"avis") {
        Some(ImageKind::Avif)
    } else if looks_like_svg(bytes) {
        Some(ImageKind::Svg)
    } else {
        None
    }
}

/// Major and compatible brands of an ISO file, none for other content.
fn avif_brands(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let brands = match bytes {
        [a, b, c, d, b'f', b't', b'y', b'p', ..] => {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            bytes.get(8..length.min(bytes.len())).unwrap_or_default()
        }
        _ => &[],
    };
    brands.chunks_exact(4)
}

/// Whether the first element, after declarations and comments, is `svg`.
fn looks_like_svg(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(64 * 1024)];
    let head = String::from_utf8_lossy(head);
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<!") {
            if rest.find('[') < rest.find('>') && rest.contains('[') { "]>" } else { ">" }
        } else {
            break;
        };
        match rest.find(end) {
            Some(at) => rest = rest[at + end.len()..].trim_start(),
            None => return false,
        }
    }
    let Some(tag) = rest.strip_prefix('<') else { return false };
    let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
    name == "svg" || name.ends_with(":svg")
}
