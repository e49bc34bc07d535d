//! Animated images as browsers show them: blending and disposal, delays, and loop count.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::time::Duration;

use image::{ImageFormat, Rgba, RgbaImage};
use rondo_media::image::Animation;
use rondo_pixels::Picture;

const SIDE: u32 = 8;
const NONE: [u8; 4] = [0, 0, 0, 0];
const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const PALETTE: [[u8; 4]; 4] = [NONE, RED, GREEN, BLUE];

#[derive(Clone, Copy, PartialEq)]
enum After {
    Keep,
    Clear,
    Restore,
}

/// One frame: a square of one colour.
#[derive(Clone, Copy)]
struct Part {
    at: u32,
    side: u32,
    color: [u8; 4],
    after: After,
    replaces: bool,
    millis: u16,
}

fn part(at: u32, side: u32, color: [u8; 4], after: After) -> Part {
    Part { at, side, color, after, replaces: false, millis: 40 }
}

/// A GIF without compression: every pixel's code follows a code that empties the dictionary.
fn gif(parts: &[Part], repetitions: Option<u16>) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend([SIDE as u8, 0, SIDE as u8, 0, 0x81, 0, 0]);
    PALETTE.iter().for_each(|color| file.extend(&color[..3]));
    if let Some(count) = repetitions {
        file.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01");
        file.extend(count.to_le_bytes());
        file.push(0);
    }
    for part in parts {
        let disposal = match part.after {
            After::Keep => 1,
            After::Clear => 2,
            After::Restore => 3,
        };
        let centis = (part.millis / 10).to_le_bytes();
        file.extend([0x21, 0xf9, 4, disposal << 2 | 1, centis[0], centis[1], 0, 0]);
        let (at, side) = (part.at as u8, part.side as u8);
        file.extend([0x2c, at, 0, at, 0, side, 0, side, 0, 0, 2]);
        let color = PALETTE.iter().position(|c| *c == part.color).unwrap() as u8;
        let codes = (0..part.side * part.side).flat_map(|_| [4, color]).chain([5]);
        let bits: Vec<u8> = codes.flat_map(|code: u8| (0..3).map(move |bit| code >> bit & 1)).collect();
        let data: Vec<u8> =
            bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |sum, bit| sum << 1 | bit)).collect();
        for block in data.chunks(255) {
            file.push(block.len() as u8);
            file.extend(block);
        }
        file.push(0);
    }
    file.push(0x3b);
    file
}

fn webp(parts: &[Part], plays: u16) -> Vec<u8> {
    let chunk = |name: &[u8], body: &[u8]| {
        let padding = vec![0; body.len() % 2];
        [name, &(body.len() as u32).to_le_bytes(), body, &padding].concat()
    };
    let three = |value: u32| value.to_le_bytes()[..3].to_vec();
    let mut body = chunk(b"VP8X", &[vec![0x12, 0, 0, 0], three(SIDE - 1), three(SIDE - 1)].concat());
    body.extend(chunk(b"ANIM", &[vec![9, 9, 9, 255], plays.to_le_bytes().to_vec()].concat()));
    for part in parts {
        let mut still = Vec::new();
        let square = RgbaImage::from_pixel(part.side, part.side, Rgba(part.color));
        square.write_to(&mut Cursor::new(&mut still), ImageFormat::WebP).unwrap();
        let flags = u8::from(part.after == After::Clear) | u8::from(part.replaces) << 1;
        let head = [
            three(part.at / 2),
            three(part.at / 2),
            three(part.side - 1),
            three(part.side - 1),
            three(part.millis.into()),
            vec![flags],
        ]
        .concat();
        body.extend(chunk(b"ANMF", &[&head, &still[12..]].concat()));
    }
    chunk(b"RIFF", &[b"WEBP", &body[..]].concat())
}

fn apng(parts: &[Part], plays: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(parts.len() as u32, plays).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for part in parts {
        writer.set_frame_position(0, 0).unwrap();
        writer.set_frame_dimension(part.side, part.side).unwrap();
        writer.set_frame_position(part.at, part.at).unwrap();
        writer.set_frame_delay(part.millis, 1000).unwrap();
        let blend = if part.replaces { png::BlendOp::Source } else { png::BlendOp::Over };
        writer.set_blend_op(blend).unwrap();
        let dispose = match part.after {
            After::Keep => png::DisposeOp::None,
            After::Clear => png::DisposeOp::Background,
            After::Restore => png::DisposeOp::Previous,
        };
        writer.set_dispose_op(dispose).unwrap();
        writer.write_image_data(&part.color.repeat((part.side * part.side) as usize)).unwrap();
    }
    writer.finish().unwrap();
    file
}

fn open(bytes: &[u8]) -> Animation {
    Animation::open(bytes, "moving").unwrap().unwrap()
}

/// The colours on the diagonal at 1, 3 and 6.
fn diagonal(picture: &Picture) -> [[u8; 4]; 3] {
    [1, 3, 6].map(|at| {
        let from = (at * picture.width as usize + at) * 4;
        picture.pixels.rgba()[from..from + 4].try_into().unwrap()
    })
}

fn diagonals(bytes: &[u8]) -> Vec<[[u8; 4]; 3]> {
    let mut animation = open(bytes);
    assert_eq!(animation.size(), (SIDE, SIDE));
    let frames = animation.delays().len();
    (0..frames).map(|frame| diagonal(&animation.frame(frame).unwrap())).collect()
}

#[test]
fn a_frame_is_kept_cleared_or_taken_back_when_the_next_one_comes() {
    let parts = [
        part(0, 8, RED, After::Keep),
        part(0, 4, GREEN, After::Restore),
        part(2, 2, BLUE, After::Clear),
        part(4, 4, GREEN, After::Clear),
        part(6, 2, BLUE, After::Keep),
    ];
    let shown =
        [[RED, RED, RED], [GREEN, GREEN, RED], [RED, BLUE, RED], [RED, NONE, GREEN], [RED, NONE, BLUE]];
    assert_eq!(diagonals(&gif(&parts, None)), shown);
    assert_eq!(diagonals(&apng(&parts, 0)), shown);
    let kept =
        parts.map(|p| Part { after: if p.after == After::Restore { After::Clear } else { p.after }, ..p });
    let shown =
        [[RED, RED, RED], [GREEN, GREEN, RED], [NONE, BLUE, RED], [NONE, NONE, GREEN], [NONE, NONE, BLUE]];
    assert_eq!(diagonals(&webp(&kept, 0)), shown, "a WebP file's background colour is not shown");
}

#[test]
fn translucent_frames_blend_with_the_canvas_or_replace_it() {
    let glass = [0, 0, 255, 128];
    let parts = [
        part(0, 8, RED, After::Keep),
        part(0, 4, glass, After::Keep),
        Part { replaces: true, ..part(2, 2, glass, After::Keep) },
    ];
    for bytes in [webp(&parts, 0), apng(&parts, 0)] {
        let mut animation = open(&bytes);
        assert!(animation.frame(0).unwrap().opaque);
        let [over, _, beside] = diagonal(&animation.frame(1).unwrap());
        assert!(over[0].abs_diff(127) <= 1 && over[2].abs_diff(128) <= 1 && over[3] == 255, "{over:?}");
        assert_eq!(beside, RED);
        let last = animation.frame(2).unwrap();
        assert_eq!(diagonal(&last)[1], [0, 0, 128, 128], "premultiplied, nothing under it");
        assert!(!last.opaque);
    }
}

#[test]
fn parts_of_a_frame_outside_the_canvas_are_not_shown() {
    let parts =
        [part(0, 8, RED, After::Keep), part(4, 8, GREEN, After::Keep), part(20, 3, BLUE, After::Clear)];
    assert_eq!(diagonals(&gif(&parts, None))[2], [RED, RED, GREEN]);
}

#[test]
fn frames_are_the_same_in_whatever_order_they_are_asked_for() {
    let after = [After::Keep, After::Restore, After::Clear];
    let parts: Vec<Part> = (0..40)
        .map(|i| Part {
            replaces: i % 7 == 3,
            ..part((i * 2) % 8, 2 + i % 7, PALETTE[i as usize % 4], after[i as usize * 5 % 3])
        })
        .collect();
    let fitting: Vec<Part> = parts.iter().map(|p| Part { side: p.side.min(SIDE - p.at), ..*p }).collect();
    for bytes in [gif(&parts, None), apng(&fitting, 0), webp(&fitting, 0)] {
        let in_order = diagonals(&bytes);
        let mut animation = open(&bytes);
        for step in 0..120 {
            let frame = step * 23 % 40;
            assert_eq!(diagonal(&animation.frame(frame).unwrap()), in_order[frame], "frame {frame}");
        }
    }
}

#[test]
fn very_short_delays_become_a_tenth_of_a_second() {
    let times = [0, 10, 20, 70];
    let parts = times.map(|millis| Part { millis, ..part(0, 8, RED, After::Keep) });
    let meant = [100, 100, 20, 70].map(Duration::from_millis);
    for bytes in [gif(&parts, None), webp(&parts, 0), apng(&parts, 0)] {
        assert!(open(&bytes).delays().eq(meant));
    }
}

#[test]
fn animations_play_as_often_as_their_file_says() {
    let parts = [part(0, 8, RED, After::Keep), part(0, 8, BLUE, After::Keep)];
    let plays = |bytes: Vec<u8>| open(&bytes).plays();
    assert_eq!(plays(gif(&parts, None)), None);
    assert_eq!(plays(gif(&parts, Some(0))), None);
    assert_eq!(plays(gif(&parts, Some(2))), Some(3), "a GIF file counts the times after the first");
    assert_eq!([plays(webp(&parts, 0)), plays(webp(&parts, 2))], [None, Some(2)]);
    assert_eq!([plays(apng(&parts, 0)), plays(apng(&parts, 2))], [None, Some(2)]);
}

#[test]
fn still_images_are_not_animations() {
    let one = [part(0, 8, RED, After::Keep)];
    for bytes in [gif(&one, None), webp(&one, 0), apng(&one, 0), b"GIF89a".to_vec(), b"words".to_vec()] {
        assert!(Animation::open(&bytes, "still").unwrap().is_none());
    }
}

#[test]
fn a_damaged_frame_leaves_what_was_there() {
    let parts = [part(0, 8, RED, After::Keep), part(0, 8, BLUE, After::Keep)];
    let mut bytes = webp(&parts, 0);
    let last = bytes.windows(4).rposition(|name| name == b"VP8L").unwrap();
    bytes[last + 8] ^= 0xff;
    assert_eq!(diagonals(&bytes), [[RED; 3], [RED; 3]]);
    let whole = gif(&parts, None);
    assert_eq!(diagonals(&whole[..whole.len() - 20])[0], [RED; 3]);
}

#[test]
fn oversized_animations_are_rejected_with_an_alternative() {
    let parts = [part(0, 8, RED, After::Keep), part(0, 8, BLUE, After::Keep)];
    let mut wide = gif(&parts, None);
    wide[6..10].copy_from_slice(&[0x40, 0x1f, 0x40, 0x1f]);
    let refusal = Animation::open(&wide, "huge.gif").unwrap_err().to_string();
    assert!(
        refusal.contains("2 frames of 8000×8000 pixels") && refusal.contains("use a video instead"),
        "{refusal}"
    );
    let mut many = gif(&[part(0, 8, RED, After::Keep); 60], None);
    let sizes: Vec<usize> =
        (0..many.len() - 9).filter(|at| many[*at..*at + 6] == [0x2c, 0, 0, 0, 0, 8]).collect();
    assert_eq!(sizes.len(), 60);
    for at in sizes {
        many[at + 5..at + 9].copy_from_slice(&[0xff, 0x27, 0xff, 0x27]);
    }
    assert!(Animation::open(&many, "bomb.gif").is_err(), "60 frames of a hundred million pixels");
}
