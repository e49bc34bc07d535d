//! Image files of every format, unusual and hostile ones included.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use rondo_media::image::{Animation, ImageKind, Still, SvgFonts, load_image, probe_image, sniff_image};
use rondo_pixels::Picture;

const CMYK: &[u8] = include_bytes!("pictures/cmyk.jpg");
const PALETTE: &[u8] = include_bytes!("pictures/palette.png");
const RED_AVIF: &[u8] = include_bytes!("pictures/red.avif");
const ALPHA_AVIF: &[u8] = include_bytes!("pictures/alpha.avif");
const TURNED_AVIF: &[u8] = include_bytes!("pictures/turned.avif");
const ANIMATED: [&[u8]; 3] = [
    include_bytes!("pictures/animated.gif"),
    include_bytes!("pictures/animated.png"),
    include_bytes!("pictures/animated.webp"),
];

fn encode(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.into().write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn bitmap(bytes: &[u8]) -> Picture {
    match load_image(bytes, "test", &SvgFonts::default()).unwrap() {
        Still::Bitmap(bitmap) => bitmap,
        Still::Svg(svg) => svg.render(svg.width, svg.height).unwrap(),
    }
}

fn refusal(bytes: &[u8]) -> String {
    load_image(bytes, "holiday.png", &SvgFonts::default()).unwrap_err().to_string()
}

fn pixel(bitmap: &Picture, x: u32, y: u32) -> [u8; 4] {
    let at = (y * bitmap.width + x) as usize * 4;
    bitmap.pixels.rgba()[at..at + 4].try_into().unwrap()
}

fn assert_close(actual: [u8; 4], expected: [u8; 4], tolerance: u8) {
    let close = actual.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= tolerance);
    assert!(close, "{actual:?} instead of {expected:?}");
}

fn two_colors() -> RgbImage {
    RgbImage::from_fn(32, 16, |x, _| if x < 16 { Rgb([20, 60, 220]) } else { Rgb([200, 40, 40]) })
}

/// A JPEG whose EXIF says how the camera was held.
fn turned_jpeg(orientation: u8) -> Vec<u8> {
    let jpeg = encode(two_colors(), ImageFormat::Jpeg);
    let mut exif = b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    [&jpeg[..2], &exif, &jpeg[2..]].concat()
}

#[test]
fn every_format_gives_its_pixels_whatever_the_name() {
    let cases = [
        (ImageFormat::Png, ImageKind::Png, 0),
        (ImageFormat::Jpeg, ImageKind::Jpeg, 3),
        (ImageFormat::WebP, ImageKind::WebP, 0),
        (ImageFormat::Gif, ImageKind::Gif, 8),
        (ImageFormat::Bmp, ImageKind::Bmp, 0),
    ];
    for (format, kind, tolerance) in cases {
        let source = DynamicImage::ImageRgb8(two_colors());
        let source = if format == ImageFormat::Gif { source.into_rgba8().into() } else { source };
        let bytes = encode(source, format);
        let info = probe_image(&bytes, "wrong.svg").unwrap();
        assert_eq!((info.kind, info.width, info.height, info.animated), (kind, 32, 16, false));
        let bitmap = bitmap(&bytes);
        assert!(bitmap.opaque, "{kind:?}");
        assert_close(pixel(&bitmap, 2, 2), [20, 60, 220, 255], tolerance);
        assert_close(pixel(&bitmap, 29, 2), [200, 40, 40, 255], tolerance);
    }
}

#[test]
fn alpha_is_premultiplied() {
    let bytes = encode(RgbaImage::from_pixel(3, 2, Rgba([200, 100, 50, 128])), ImageFormat::Png);
    let bitmap = bitmap(&bytes);
    assert!(!bitmap.opaque);
    assert_eq!(pixel(&bitmap, 1, 1), [100, 50, 25, 128]);
}

#[test]
fn grey_deep_and_palette_pngs_become_eight_bit_colour() {
    let grey = encode(GrayImage::from_pixel(2, 2, Luma([77])), ImageFormat::Png);
    assert_eq!(pixel(&bitmap(&grey), 0, 0), [77, 77, 77, 255]);

    let deep = ImageBuffer::<Rgba<u16>, _>::from_pixel(2, 2, Rgba([0xffff, 0x8080, 0, 0xffff]));
    let deep = bitmap(&encode(DynamicImage::ImageRgba16(deep), ImageFormat::Png));
    assert_eq!(pixel(&deep, 1, 0), [255, 128, 0, 255]);
    assert!(deep.opaque);

    let palette = bitmap(PALETTE);
    assert_eq!([pixel(&palette, 0, 0), pixel(&palette, 1, 0)], [[255, 0, 0, 255], [0, 0, 0, 0]]);
}

#[test]
fn cmyk_jpeg_shows_its_colour() {
    assert_close(pixel(&bitmap(CMYK), 8, 4), [204, 41, 41, 255], 4);
}

#[test]
fn a_photo_is_opaque_to_its_last_pixel_even_where_it_is_cut_short() {
    let photo = RgbImage::from_fn(61, 47, |x, y| Rgb([(x * 4) as u8, (y * 5) as u8, (x * y % 256) as u8]));
    let bytes = encode(photo, ImageFormat::Jpeg);
    let plain = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg).unwrap().into_rgba8();
    let whole = bitmap(&bytes);
    let off = whole.pixels.rgba().iter().zip(plain.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(whole.opaque && off <= Some(3), "{off:?} levels off another decoder");
    let cut = &bytes[..bytes.len() * 3 / 4];
    let plain = image::load_from_memory_with_format(cut, ImageFormat::Jpeg).unwrap().into_rgba8();
    assert!(bitmap(cut).pixels.rgba() == plain.into_raw(), "the missing part is grey and opaque");
    let grey = encode(GrayImage::from_fn(20, 10, |x, _| Luma([x as u8 * 10])), ImageFormat::Jpeg);
    assert_close(pixel(&bitmap(&grey), 15, 5), [150, 150, 150, 255], 3);
}

#[test]
fn a_photo_without_image_data_is_rejected_with_a_reason() {
    let bytes = encode(two_colors(), ImageFormat::Jpeg);
    let error = probe_image(&bytes[..300], "stub.jpg").unwrap_err().to_string();
    assert_eq!(error, "stub.jpg cannot be read: it is damaged or cut short");
}

#[test]
fn exif_orientation_turns_the_picture_and_its_size() {
    let (blue, red) = ([20, 60, 220, 255], [200, 40, 40, 255]);
    // Orientation → colours at the top left and the bottom right.
    for (orientation, size, top_left, bottom_right) in [
        (1, (32, 16), blue, red),
        (3, (32, 16), red, blue),
        (6, (16, 32), blue, red),
        (8, (16, 32), red, blue),
    ] {
        let bytes = turned_jpeg(orientation);
        let info = probe_image(&bytes, "test").unwrap();
        let bitmap = bitmap(&bytes);
        assert_eq!((info.width, info.height), size);
        assert_eq!((bitmap.width, bitmap.height), size);
        assert_close(pixel(&bitmap, 1, 1), top_left, 6);
        assert_close(pixel(&bitmap, size.0 - 2, size.1 - 2), bottom_right, 6);
    }
}

#[test]
fn avif_shows_its_colour_alpha_and_rotation() {
    assert_close(pixel(&bitmap(RED_AVIF), 5, 5), [200, 40, 40, 255], 3);

    let translucent = bitmap(ALPHA_AVIF);
    assert!(!translucent.opaque);
    assert_close(pixel(&translucent, 5, 5), [100, 20, 20, 128], 3);

    let turned = bitmap(TURNED_AVIF);
    let info = probe_image(TURNED_AVIF, "test").unwrap();
    assert_eq!((turned.width, turned.height, info.width, info.height), (16, 32, 16, 32));
    assert_close(pixel(&turned, 8, 2), [20, 60, 220, 255], 6);
    assert_close(pixel(&turned, 8, 29), [200, 40, 40, 255], 6);
}

#[test]
fn animated_files_are_detected_and_load_as_their_first_frame() {
    for bytes in ANIMATED {
        assert!(probe_image(bytes, "test").unwrap().animated);
        assert_eq!(pixel(&bitmap(bytes), 4, 4), [255, 0, 0, 255]);
    }
}

#[test]
fn svg_is_drawn_at_the_size_it_is_shown_at() {
    let svg = br##"<?xml version="1.0"?><!-- logo --><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
        <rect x="10" width="10" height="10" fill="#ff8000"/></svg>"##;
    let still = load_image(svg, "logo", &SvgFonts::default()).unwrap();
    assert_eq!(still.size(), (20, 10));
    let Still::Svg(svg) = still else { panic!("not an SVG") };
    let large = svg.render(400, 200).unwrap();
    assert!(!large.opaque);
    // The edge is as sharp at twenty times the size: no pixel between the two sides is mixed.
    assert_eq!([pixel(&large, 199, 100), pixel(&large, 200, 100)], [[0, 0, 0, 0], [255, 128, 0, 255]]);
}

#[test]
fn svg_reads_nothing_outside_itself_but_shows_embedded_pictures() {
    use std::io::Write;
    let png = encode(RgbImage::from_pixel(4, 4, Rgb([0, 200, 0])), ImageFormat::Png);
    let mut file = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    file.write_all(&png).unwrap();
    let svg = |href: &str| {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><image width="4" height="4" href="{href}"/></svg>"#
        )
    };
    let outside = bitmap(svg(file.path().to_str().unwrap()).as_bytes());
    assert_eq!(pixel(&outside, 2, 2), [0, 0, 0, 0]);

    let hex: String = png.iter().map(|byte| format!("%{byte:02x}")).collect();
    let inside = bitmap(svg(&format!("data:image/png,{hex}")).as_bytes());
    assert_eq!(pixel(&inside, 2, 2), [0, 200, 0, 255]);
}

#[test]
fn decompression_bombs_are_rejected_before_they_are_decoded() {
    let mut png = encode(GrayImage::from_pixel(1, 1, Luma([0])), ImageFormat::Png);
    png[16..20].copy_from_slice(&60_000u32.to_be_bytes());
    png[20..24].copy_from_slice(&60_000u32.to_be_bytes());
    let crc = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    assert!(
        refusal(&png).contains("holiday.png") && refusal(&png).contains("60000×60000"),
        "{}",
        refusal(&png)
    );

    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1e6" height="1e6"/>"#;
    assert!(refusal(svg.as_bytes()).contains("1000000×1000000"));
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

#[test]
fn svgs_with_coordinates_far_beyond_the_picture_are_refused() {
    // The rasterizer takes minutes for some of these, and ends the process at others.
    let far = [
        r#"<path d="M-83 61 q-32768 -32768 -23320 -8.2e10 T0 32766 L-8.4e7 -32767 q0 -7.5e7 5e7 0 z"/>"#,
        r#"<path fill="none" stroke="red" stroke-width="1e10" d="M0 -32768 l-44 39896000"/>"#,
        r#"<g transform="scale(1e9)"><path d="M0 0 L9 9 C1 2 3 4 5 6 z"/></g>"#,
        r#"<clipPath id="c"><path d="M0 0 L1e9 9e9 C1 2 3 4 5 -6e9 z"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>"#,
        r#"<clipPath id="c" transform="scale(1e9)"><path d="M0 0 L1 9 C1 2 3 4 5 -6 z"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>"#,
        r#"<clipPath id="c"><path d="M0 0 L1 9 C1 2 3 4 5 -6 z"/></clipPath>
           <g transform="scale(1e9)"><g clip-path="url(#c)"><rect width="1e-8" height="1e-8"/></g></g>"#,
        r#"<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="9" height="9"><path fill="white" d="M0 0 L1 9 C1 2 3 4 5 -6 z"/></mask>
           <g transform="scale(1e9)"><g mask="url(#m)"><rect width="1e-8" height="1e-8"/></g></g>"#,
        r#"<pattern id="p" patternUnits="userSpaceOnUse" width="1e-8" height="1e-8" patternTransform="scale(1e9)">
           <path fill="red" d="M0 0 L1 9 C1 2 3 4 5 -6 z"/></pattern><rect width="9" height="9" fill="url(#p)"/>"#,
        r#"<image width="1e9" height="1e9" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Cpath d='M0 0 L1 9 C1 2 3 4 5 6 z'/%3E%3C/svg%3E"/>"#,
    ];
    for path in far {
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48">{path}</svg>"#);
        let Still::Svg(svg) = load_image(svg.as_bytes(), "far", &SvgFonts::default()).unwrap() else {
            panic!("not an SVG")
        };
        let error = svg.render(64, 48).map(|_| ()).expect_err(path).to_string();
        assert!(error.contains("coordinates of the SVG are too large"), "{error}");
    }
    // Beyond the picture is allowed, as in maps and cut-outs.
    let near = br##"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48">
        <rect x="-5000" y="-5000" width="10000" height="10000" fill="#00ff00"/></svg>"##;
    let picture = bitmap(near);
    assert_eq!(&picture.pixels.rgba()[..4], [0, 255, 0, 255]);
}

#[test]
fn deep_and_self_referencing_svgs_are_rejected() {
    let deep = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}{}</svg>"#,
        "<g>".repeat(20_000),
        "</g>".repeat(20_000)
    );
    assert!(refusal(deep.as_bytes()).contains("deeper"), "{}", refusal(deep.as_bytes()));

    let mut uses = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="a0" width="1" height="1"/>"#.to_owned();
    for level in 1..40 {
        let one = format!(r##"<use href="#a{}"/>"##, level - 1);
        uses += &format!(r#"<g id="a{level}">{}</g>"#, one.repeat(10));
    }
    uses += "</svg>";
    assert!(refusal(uses.as_bytes()).contains("cannot be drawn"), "{}", refusal(uses.as_bytes()));
}

#[test]
fn files_that_are_not_images_are_rejected_with_a_reason() {
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"<html><body>404</body></html>").contains("it is not a PNG"));
    assert!(refusal(b"\x1f\x8b\x08\0\0").contains("uncompressed"));
    assert_eq!(sniff_image(b"BM"), None);
}

#[test]
fn a_palette_that_ends_within_a_colour_is_refused() {
    let picture = include_bytes!("../../../fuzz/seeds/png/broken-palette.png");
    assert!(refusal(picture).contains("damaged"), "{}", refusal(picture));
    let data: String = picture.iter().map(|byte| format!("%{byte:02x}")).collect();
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image width="9" height="9" href="data:image/png,{data}"/></svg>"#
    );
    let Still::Svg(svg) = load_image(svg.as_bytes(), "test", &SvgFonts::default()).unwrap() else {
        panic!("not an SVG")
    };
    assert!(svg.render(9, 9).unwrap().pixels.rgba().iter().all(|value| *value == 0), "it is not drawn");
}

#[test]
fn svg_text_is_drawn_with_the_given_fonts_only() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text y="35" font-size="40">H</text></svg>"#;
    let ink = |fonts: &SvgFonts| {
        let Still::Svg(svg) = load_image(svg, "label", fonts).unwrap() else { panic!("not an SVG") };
        svg.render(40, 40).unwrap().pixels.rgba().chunks_exact(4).filter(|pixel| pixel[3] > 0).count()
    };
    assert_eq!(ink(&SvgFonts::default()), 0);
    let inter = include_bytes!("../../../assets/fonts/core/inter-latin-400-normal.woff2");
    let inter: Arc<[u8]> = wuff::decompress_woff2(inter).unwrap().into();
    assert!(ink(&SvgFonts::new([inter])) > 100);
}

#[test]
fn damaged_files_never_panic() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0L8 8z" stroke="red"/></svg>"#;
    let mut files = vec![
        encode(two_colors(), ImageFormat::Png),
        turned_jpeg(6),
        encode(two_colors(), ImageFormat::WebP),
        encode(two_colors(), ImageFormat::Bmp),
        svg.to_vec(),
    ];
    files.extend([CMYK, PALETTE, RED_AVIF, ALPHA_AVIF, TURNED_AVIF].map(<[u8]>::to_vec));
    files.extend(ANIMATED.map(<[u8]>::to_vec));
    let look = |bytes: &[u8]| {
        let _ = probe_image(bytes, "test");
        if let Ok(Some(mut animation)) = Animation::open(bytes, "test") {
            let last = animation.delays().len() - 1;
            let _ = (animation.frame(last), animation.frame(0));
        }
        if let Ok(Still::Svg(svg)) = load_image(bytes, "test", &SvgFonts::default()) {
            let _ = svg.render(8, 8);
        }
    };
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for file in files {
        for _ in 0..40 {
            look(&file[..next(file.len())]);
            let mut flipped = file.clone();
            for _ in 0..1 + next(4) {
                flipped[next(file.len())] ^= 1 << next(8);
            }
            look(&flipped);
        }
    }
}
