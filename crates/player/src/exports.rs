//! The functions that JavaScript calls. Bytes come in memory from `alloc`, which the callee frees; an answer is JSON text
//! that stays until the next one. A module has one thread and one player.

use std::cell::RefCell;

use rondo_composition::MediaRole;
use rondo_pixels::{Bitmap, Picture};
use serde_json::{Value, json};

use crate::coded::Part;
use crate::media::{self, Undecoded};
use crate::player::{Needs, Opened, Player};
use crate::sound::Stretch;
use crate::video_frame::FrameInfo;

#[derive(Default)]
struct State {
    player: Option<Player>,
    /// An image that another module shows.
    decoded: Option<Picture>,
    answer: String,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Calls `work` with the player, if there is one.
fn with<R: Default>(work: impl FnOnce(&mut Player) -> R) -> R {
    STATE.with_borrow_mut(|state| match &mut state.player {
        Some(player) => work(player),
        None => R::default(),
    })
}

fn answer(value: Value) {
    STATE.with_borrow_mut(|state| state.answer = value.to_string());
}

/// Memory for an argument.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Takes over an argument.
///
/// # Safety
/// `pointer` is from `alloc(length)` and is not used again.
unsafe fn take(pointer: *mut u8, length: usize) -> Vec<u8> {
    let slice = std::ptr::slice_from_raw_parts_mut(pointer, length);
    // SAFETY: `alloc` made it from a box of this length, and the caller gives it up.
    unsafe { Box::from_raw(slice) }.into_vec()
}

/// # Safety
/// As [`take`].
unsafe fn take_text(pointer: *mut u8, length: usize) -> String {
    // SAFETY: as the caller says.
    let bytes = unsafe { take(pointer, length) };
    String::from_utf8(bytes).unwrap_or_default()
}

#[unsafe(no_mangle)]
pub extern "C" fn answer_ptr() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// The font index. A player begins with it.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fonts(index: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let index = unsafe { take_text(index, length) };
    match Player::new(&index) {
        Ok(player) => {
            STATE.with_borrow_mut(|state| state.player = Some(player));
            answer(json!({"ok": true}));
        }
        Err(error) => answer(json!({"error": error.to_string()})),
    }
}

/// A font file or dictionary that was asked for; no bytes if it cannot be loaded.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn font(name: *mut u8, name_length: usize, bytes: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let (name, bytes) = unsafe { (take_text(name, name_length), take(bytes, length)) };
    with(|player| player.font(&name, Some(bytes).filter(|bytes| !bytes.is_empty())));
}

/// Opens a film: `{"composition", "replacements"?}`.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(film: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let film = unsafe { take_text(film, length) };
    let told = with(|player| opened(player, &film));
    answer(told);
}

fn opened(player: &mut Player, film: &str) -> Value {
    match player.open_text(film) {
        Ok(Opened { composition, media }) => {
            let media: Vec<Value> = media
                .into_iter()
                .map(|(role, src, known)| json!({"src": src, "kind": kind(role), "known": known}))
                .collect();
            json!({
                "width": composition.width, "height": composition.height, "fps": composition.fps,
                "durationInFrames": composition.duration, "media": media,
            })
        }
        Err(error) => {
            let problems: Vec<Value> = error
                .problems()
                .iter()
                .map(|problem| json!({"path": problem.path, "message": problem.to_string()}))
                .collect();
            json!({"error": error.to_string(), "problems": problems})
        }
    }
}

fn kind(role: MediaRole) -> &'static str {
    match role {
        MediaRole::Image => "image",
        MediaRole::Video => "video",
        MediaRole::Sound => "sound",
    }
}

fn role(kind: &str) -> MediaRole {
    match kind {
        "image" => MediaRole::Image,
        "video" => MediaRole::Video,
        _ => MediaRole::Sound,
    }
}

/// The file of an image: `{"parts": [{"codec", "at", "length"}]}` are AV1 pictures in it that `decoded` is to bring.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn image(src: *mut u8, src_length: usize, bytes: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let (src, bytes) = unsafe { (take_text(src, src_length), take(bytes, length)) };
    let told = with(|player| match player.image(&src, bytes) {
        Ok(parts) => {
            let part = |Part { codec, data }: &Part<'_>| json!({"codec": codec, "at": data.as_ptr() as usize, "length": data.len()});
            json!({"parts": parts.iter().map(part).collect::<Vec<_>>()})
        }
        Err(error) => json!({"error": error}),
    });
    answer(told);
}

/// The decoded pictures of an image, one after the other, and what is known of each, in `info`: `[{"width", "height", …}]`.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn decoded(
    src: *mut u8,
    src_length: usize,
    planes: *mut u8,
    planes_length: usize,
    info: *mut u8,
    length: usize,
) {
    // SAFETY: as the caller says.
    let (src, mut planes, info) =
        unsafe { (take_text(src, src_length), take(planes, planes_length), take_text(info, length)) };
    let infos: Vec<FrameInfo> = serde_json::from_str(&info).unwrap_or_default();
    let mut pictures = Vec::new();
    for info in infos {
        let rest = planes.split_off(info.bytes().unwrap_or(usize::MAX).min(planes.len()));
        pictures.push((std::mem::replace(&mut planes, rest), info));
    }
    let told = with(|player| match player.decoded(&src, pictures) {
        Ok(()) => json!({"ok": true}),
        Err(error) => json!({"error": error}),
    });
    answer(told);
}

/// A still image that was not decoded yet: its file, and the size at which it is kept,
/// `{"at", "length", "key", "width", "height"}`. Null for others.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn undecoded(src: *mut u8, src_length: usize) {
    // SAFETY: as the caller says.
    let src = unsafe { take_text(src, src_length) };
    let told = with(|player| {
        let Undecoded { bytes, key, size: (width, height) } = player.undecoded(&src)?;
        Some(
            json!({"at": bytes.as_ptr() as usize, "length": bytes.len(), "key": key, "width": width, "height": height}),
        )
    });
    answer(told.unwrap_or(Value::Null));
}

/// Decodes the file of a still image, which another module shows: `{"at", "length", "opaque"}`, until the next one is decoded. Null if
/// it cannot be decoded.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn decode(bytes: *mut u8, length: usize, width: u32, height: u32) {
    // SAFETY: as the caller says.
    let bytes = unsafe { take(bytes, length) };
    STATE.with_borrow_mut(|state| {
        state.decoded = None;
        let decoded = media::decode(&bytes, (width, height)).ok();
        let told = decoded.as_ref().map_or(Value::Null, |picture| {
            let pixels = picture.pixels.rgba();
            json!({"at": pixels.as_ptr() as usize, "length": pixels.len(), "opaque": picture.opaque})
        });
        state.answer = told.to_string();
        state.decoded = decoded;
    });
}

/// The pixels of a still image that another module decoded.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keep(
    src: *mut u8,
    src_length: usize,
    file_key: u32,
    pixels: *mut u8,
    length: usize,
    width: u32,
    height: u32,
    opaque: u32,
) {
    // SAFETY: as the caller says.
    let (src, pixels) = unsafe { (take_text(src, src_length), take(pixels, length)) };
    if pixels.len() as u64 == u64::from(width) * u64::from(height) * 4 {
        with(|player| {
            player.keep(&src, file_key, Picture::new(Bitmap { width, height, pixels }, opaque != 0))
        });
    }
}

/// What is known of a video: `{"width", "height", "duration", "sound"}`.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clip(src: *mut u8, src_length: usize, info: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let (src, info) = unsafe { (take_text(src, src_length), take_text(info, length)) };
    let info: Value = serde_json::from_str(&info).unwrap_or_default();
    let side = |name: &str| info[name].as_u64().and_then(|side| u32::try_from(side).ok()).unwrap_or(0);
    let (duration, sound) = (info["duration"].as_f64().unwrap_or(0.0), info["sound"].as_bool() == Some(true));
    with(|player| player.clip(&src, (side("width"), side("height")), duration, sound));
}

/// A sound can be played.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sound(src: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let src = unsafe { take_text(src, length) };
    with(|player| player.sound(&src));
}

/// A source of a kind cannot be loaded.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn missing(kind: *mut u8, kind_length: usize, src: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let (kind, src) = unsafe { (take_text(kind, kind_length), take_text(src, length)) };
    with(|player| player.missing(role(&kind), &src));
}

/// What painting a frame exactly still lacks.
#[unsafe(no_mangle)]
pub extern "C" fn needs(frame: u32) {
    let Needs { fonts, pictures } = with(|player| player.needs(frame));
    let pictures: Vec<Value> =
        pictures.into_iter().map(|(src, time)| json!({"src": src, "time": time as f64 / 1e6})).collect();
    answer(json!({"fonts": fonts, "pictures": pictures}));
}

/// Prepares one more overlay of those that are shown from a frame on: whether there are others, and the fonts that are
/// lacking: `{"more", "fonts"}`.
#[unsafe(no_mangle)]
pub extern "C" fn ahead(frame: u32) {
    let (more, fonts) = with(|player| (player.prepare_ahead(frame), player.fonts_ahead()));
    answer(json!({"more": more, "fonts": fonts}));
}

/// Where the overlays of a frame are on the canvas, back to front: `[{"index", "id", "quad", "box", "seen"}]`.
#[unsafe(no_mangle)]
pub extern "C" fn outlines(frame: u32) {
    let areas = with(|player| player.areas(frame));
    let told: Vec<Value> = areas
        .iter()
        .map(|area| {
            json!({
                "index": area.overlay,
                "id": area.id.number(),
                "quad": area.corners.map(|corner| [corner.x, corner.y]),
                "box": {
                    "left": area.rect.x0, "top": area.rect.y0,
                    "width": area.rect.width(), "height": area.rect.height(), "rotation": area.rotation,
                },
                "seen": area.seen,
            })
        })
        .collect();
    answer(Value::Array(told));
}

/// The overlays of a frame at a point of the canvas by their index, the one in front first.
#[unsafe(no_mangle)]
pub extern "C" fn hit(frame: u32, x: f64, y: f64) {
    let areas = with(|player| player.areas(frame));
    let found = rondo_scene::hit(&areas, (x, y).into());
    answer(found.iter().map(|area| area.overlay).collect());
}

/// When the word of captions at a point of the canvas, or nearest to it, is said, in milliseconds of the overlay; null where the
/// overlay has no words.
#[unsafe(no_mangle)]
pub extern "C" fn said(frame: u32, overlay: u32, x: f64, y: f64) {
    answer(json!(with(|player| player.said_at(frame, overlay, (x, y)))));
}

/// A decoded video frame for a time that was asked for, in seconds; 1 if it can be used.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn picture(
    src: *mut u8,
    src_length: usize,
    time: f64,
    planes: *mut u8,
    planes_length: usize,
    info: *mut u8,
    length: usize,
) -> u32 {
    // SAFETY: as the caller says.
    let (src, planes, info) =
        unsafe { (take_text(src, src_length), take(planes, planes_length), take_text(info, length)) };
    let Ok(info) = serde_json::from_str::<FrameInfo>(&info) else { return 0 };
    let time_us = (time * 1e6).round() as i64;
    u32::from(with(|player| player.picture(&src, time_us, planes, info)))
}

/// Paints a frame at 100 or 50 percent; 1 if it was painted.
#[unsafe(no_mangle)]
pub extern "C" fn paint(frame: u32, percent: u32) -> u32 {
    let painted = with(|player| Some(player.paint(frame, percent < 100)));
    match painted {
        Some(Ok(())) => 1,
        Some(Err(error)) => {
            answer(json!({"error": error}));
            0
        }
        None => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn pixels_ptr() -> *const u8 {
    with(|player| player.bitmap().map(|bitmap| bitmap.pixels.as_ptr())).unwrap_or(std::ptr::null())
}

#[unsafe(no_mangle)]
pub extern "C" fn pixels_width() -> u32 {
    with(|player| player.bitmap().map_or(0, |bitmap| bitmap.width))
}

#[unsafe(no_mangle)]
pub extern "C" fn pixels_height() -> u32 {
    with(|player| player.bitmap().map_or(0, |bitmap| bitmap.height))
}

/// What changed in the frame painted last since the one before of the same size.
#[unsafe(no_mangle)]
pub extern "C" fn dirty() {
    let rects = with(|player| player.dirty().to_vec());
    let told: Vec<Value> = rects
        .iter()
        .map(|rect| json!({"x": rect.x0, "y": rect.y0, "width": rect.x1 - rect.x0, "height": rect.y1 - rect.y0}))
        .collect();
    answer(Value::Array(told));
}

/// Notices about the overlays that are prepared: `[{"code", "severity", "path", "message"}]`.
#[unsafe(no_mangle)]
pub extern "C" fn warnings() {
    let told = with(|player| {
        let told = player.notices().into_iter().map(|notice| {
            json!({"code": notice.code, "severity": notice.severity.name(), "path": notice.path, "message": notice.message})
        });
        Value::Array(told.collect())
    });
    answer(told);
}

/// Decoded samples of a source: interleaved 32-bit floats, from a second of it on; none at its end.
///
/// # Safety
/// The arguments are from `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn samples(
    src: *mut u8,
    src_length: usize,
    from: f64,
    rate: u32,
    channels: usize,
    bytes: *mut u8,
    length: usize,
) {
    // SAFETY: as the caller says.
    let (src, bytes) = unsafe { (take_text(src, src_length), take(bytes, length)) };
    let samples: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    with(|player| player.samples(&src, from, rate, channels, &samples));
}

/// Begins the mix at a frame of the film.
#[unsafe(no_mangle)]
pub extern "C" fn mix_from(frame: u32) {
    with(|player| player.mix_from(frame));
}

/// What the next seconds of the mix need of its sources.
#[unsafe(no_mangle)]
pub extern "C" fn needs_sound(seconds: f64) {
    let needs = with(|player| player.needs_sound(seconds));
    answer(stretches(&needs));
}

/// What measuring the next seconds of the film's loudness needs of its sources; null if there is nothing to measure.
#[unsafe(no_mangle)]
pub extern "C" fn needs_level(seconds: f64) {
    let needs = with(|player| player.needs_level(seconds));
    answer(needs.map_or(Value::Null, |needs| stretches(&needs)));
}

/// Measures the next seconds of the film's loudness.
#[unsafe(no_mangle)]
pub extern "C" fn measure(seconds: f64) {
    with(|player| player.measure(seconds));
}

fn stretches(needs: &[Stretch]) -> Value {
    needs.iter().map(|need| json!({"src": need.src, "from": need.from, "to": need.to})).collect()
}

/// The next frames of the mix: interleaved stereo of 32-bit floats at 48 kHz. Null if nothing sounds.
#[unsafe(no_mangle)]
pub extern "C" fn mix(frames: usize) -> *const f32 {
    with(|player| match player.mix(frames) {
        Ok(samples) if !samples.is_empty() => Some(samples.as_ptr()),
        _ => None,
    })
    .unwrap_or(std::ptr::null())
}
