//! Every kind of file: that it is what its name says, has the frames it promises, and shows and plays what the
//! composition does.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::*;
use rondo_render::{
    ChunkCache, ChunkStore, Format, Output, PictureCodec, Quality, RenderError, RenderOptions, Report, Scale,
    Wanted,
};
use serde_json::{Value, json};

const WIDTH: usize = 160;
const HEIGHT: usize = 96;

/// A green disc on the left half, a red veil of half opacity on the right, nothing behind them, and a tone.
fn see_through(studio: &Studio, background: &str) -> Value {
    if !studio.path("tone.wav").exists() {
        studio.wav("tone.wav", 48_000, 2, 4 * 48_000, |frame| tone(440.0, 0.4, frame as f64 / 48_000.0));
    }
    let disc = json!({"content": "circle", "styles": {"fill": "#20c040"}});
    let veil = json!({"content": "rectangle", "styles": {"fill": "rgba(220, 30, 30, 0.5)"}});
    let overlays = [
        overlay(1, "shape", [10.0, 18.0, 60.0, 60.0], disc),
        overlay(2, "shape", [80.0, 0.0, 80.0, 96.0], veil),
        overlay(3, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "tone.wav"})),
    ];
    let mut film = composition([WIDTH as u32, HEIGHT as u32], 30, 30, &overlays);
    film["backgroundColor"] = json!(background);
    film
}

/// A video of numbered frames with nothing else.
fn numbered(studio: &Studio, frames: u32) -> Value {
    studio.numbered("clip.mp4", "30", 120, "", LONG_GOP);
    let clip =
        overlay(1, "video", [0.0, 0.0, CODE_WIDTH as f64, CODE_HEIGHT as f64], json!({"src": "clip.mp4"}));
    composition([CODE_WIDTH as u32, CODE_HEIGHT as u32], 30, frames, &[clip])
}

fn make(
    studio: &Studio,
    film: &Value,
    name: &str,
    wanted: &Wanted,
) -> Result<(PathBuf, Report), RenderError> {
    let path = studio.path(name);
    let options = RenderOptions { wanted: wanted.clone(), ..RenderOptions::default() };
    let never = AtomicBool::new(false);
    let report = studio.film(film).render(&Output::File(path.clone()), &options, &mut |_| {}, &never)?;
    assert_eq!(report.bytes, std::fs::metadata(&path).expect("a file").len());
    Ok((path, report))
}

fn wanted(format: Format) -> Wanted {
    Wanted { format, ..Wanted::default() }
}

/// Every picture of a file as straight RGBA.
fn decode(path: &Path, decoder: &[&str]) -> Vec<Vec<u8>> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin"]).args(decoder).arg("-i").arg(path).args([
        "-fps_mode",
        "passthrough",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgba",
        "-",
    ]);
    let finished = command.output().expect("ffmpeg");
    assert!(finished.status.success(), "{}", String::from_utf8_lossy(&finished.stderr));
    finished.stdout.chunks_exact(WIDTH * HEIGHT * 4).map(<[u8]>::to_vec).collect()
}

fn at(picture: &[u8], x: usize, y: usize) -> [u8; 4] {
    let at = (y * WIDTH + x) * 4;
    [picture[at], picture[at + 1], picture[at + 2], picture[at + 3]]
}

/// The disc, the veil and the nothing around them.
#[track_caller]
fn assert_see_through(picture: &[u8], within: u8, what: &str) {
    let near =
        |got: [u8; 4], want: [u8; 4]| got.iter().zip(want).all(|(got, want)| got.abs_diff(want) <= within);
    let (disc, veil, nothing) = (at(picture, 40, 48), at(picture, 120, 48), at(picture, 3, 3));
    assert!(near(disc, [32, 192, 64, 255]), "{what}: the disc is {disc:?}");
    assert!(near(veil, [220, 30, 30, 128]), "{what}: the veil is {veil:?}");
    assert!(nothing[3] <= 2, "{what}: beside them is {nothing:?}");
    let edge = (0..WIDTH * HEIGHT).map(|i| &picture[i * 4..i * 4 + 4]).filter(|p| (60..200).contains(&p[3]));
    for pixel in edge.filter(|pixel| pixel[1] > pixel[0]) {
        assert!(pixel[1] > 140, "{what}: the disc's edge keeps its colour: {pixel:?}");
    }
}

fn stream(path: &Path, kind: &str) -> Value {
    let probed = ffprobe(path, &["-show_streams", "-count_packets"]);
    let streams = probed["streams"].as_array().cloned().unwrap_or_default();
    streams.into_iter().find(|stream| stream["codec_type"] == kind).unwrap_or(Value::Null)
}

#[test]
fn films_of_every_codec_have_their_frames_size_rate_colour_and_sound() {
    let studio = Studio::new();
    let film = see_through(&studio, "#2040a0");
    for (name, format, codec, picture, sound) in [
        ("a.mp4", Format::Mp4, PictureCodec::H264, "h264", "aac"),
        ("b.mp4", Format::Mp4, PictureCodec::Hevc, "hevc", "aac"),
        ("c.mp4", Format::Mp4, PictureCodec::Av1, "av1", "aac"),
        ("d.webm", Format::WebM, PictureCodec::Vp9, "vp9", "opus"),
        ("e.webm", Format::WebM, PictureCodec::Av1, "av1", "opus"),
        ("f.mov", Format::Mov, PictureCodec::ProRes, "prores", "pcm_s16le"),
        ("g.mov", Format::Mov, PictureCodec::H264, "h264", "aac"),
    ] {
        let (path, report) =
            make(&studio, &film, name, &Wanted { codec: Some(codec), ..wanted(format) }).expect(name);
        assert_eq!((report.frames, report.width, report.height), (30, 160, 96), "{name}");
        let video = stream(&path, "video");
        assert_eq!(video["codec_name"], picture, "{name}");
        assert_eq!((&video["width"], &video["height"]), (&json!(160), &json!(96)), "{name}");
        assert_eq!(
            (&video["r_frame_rate"], &video["nb_read_packets"]),
            (&json!("30/1"), &json!("30")),
            "{name}"
        );
        assert_eq!((&video["color_space"], &video["color_range"]), (&json!("bt709"), &json!("tv")), "{name}");
        assert_eq!(stream(&path, "audio")["codec_name"], sound, "{name}");
        let frames = decode_frames(&path, WIDTH, HEIGHT);
        assert_eq!(frames.len(), 30, "{name}");
        for frame in [&frames[0], &frames[29]] {
            let pixel =
                |x: usize| -> [u8; 3] { frame[(48 * WIDTH + x) * 3..][..3].try_into().expect("a pixel") };
            assert_near(pixel(40), [32, 192, 64], 6, name);
            assert_near(pixel(120), [126, 47, 95], 6, name);
        }
        let heard = Sound::decode(&path);
        let seconds = heard.left.len() as f64 / SAMPLE_RATE as f64;
        assert!((0.99..1.03).contains(&seconds), "{name}: {seconds} s of sound");
        assert!((heard.amplitude(440.0, 0.2, 0.8) - 0.4).abs() < 0.04, "{name}");
    }
}

#[test]
fn transparency_is_kept_where_supported_and_blended_with_white_elsewhere() {
    let studio = Studio::new();
    let film = see_through(&studio, "transparent");
    for (name, decoder, within) in [
        ("film.webm", &["-c:v", "libvpx-vp9"][..], 6),
        ("film.mov", &[], 3),
        ("picture.png", &[], 1),
        ("picture.webp", &[], 6),
    ] {
        let format = Format::of_ending(name.split_once('.').expect("an ending").1).expect("a format");
        let (path, _) = make(&studio, &film, name, &wanted(format)).expect(name);
        let frames = decode(&path, decoder);
        assert_eq!(frames.len(), if format.is_picture() { 1 } else { 30 }, "{name}");
        assert_see_through(&frames[0], within, name);
        assert_see_through(frames.last().expect("a frame"), within, name);
        let opaque = Wanted { alpha: Some(false), ..wanted(format) };
        let (path, _) = make(&studio, &film, name, &opaque).expect(name);
        let white = at(&decode(&path, decoder)[0], 3, 3);
        assert!(white.iter().all(|value| *value >= 253), "{name} without alpha: {white:?}");
    }
    for format in [Format::Mp4, Format::Jpg] {
        let (path, _) = make(&studio, &film, "white", &wanted(format)).expect("made");
        let frame = &decode(&path, &[])[0];
        assert!(at(frame, 3, 3).iter().all(|value| *value >= 250), "{format:?}");
        let veil = at(frame, 120, 48);
        assert_near([veil[0], veil[1], veil[2]], [237, 142, 142], 6, "half a veil over white");
    }
}

#[test]
fn gif_films_keep_their_colours_their_length_and_their_transparency() {
    let studio = Studio::new();
    let (path, _) =
        make(&studio, &see_through(&studio, "#2040a0"), "film.gif", &wanted(Format::Gif)).expect("made");
    let frames = decode(&path, &[]);
    assert_eq!(frames.len(), 30);
    let probed = ffprobe(&path, &["-show_format", "-show_entries", "packet=duration_time"]);
    assert_eq!(probed["format"]["duration"], "1.000000");
    for frame in [&frames[0], &frames[29]] {
        let [disc, veil] = [at(frame, 40, 48), at(frame, 120, 48)];
        assert_eq!((disc, veil), ([32, 192, 64, 255], [126, 47, 95, 255]), "flat colours are exact");
    }
    let clear = see_through(&studio, "transparent");
    let (path, _) = make(&studio, &clear, "clear.gif", &wanted(Format::Gif)).expect("made");
    let frame = &decode(&path, &[])[29];
    assert_eq!((at(frame, 3, 3)[3], at(frame, 40, 48)), (0, [32, 192, 64, 255]));
    // Faster than players keep up with: every second frame, each twice as long.
    let mut fast = see_through(&studio, "#2040a0");
    fast["fps"] = json!(60);
    let (path, report) = make(&studio, &fast, "fast.gif", &wanted(Format::Gif)).expect("made");
    assert_eq!((report.frames, decode(&path, &[]).len()), (30, 15));
    let probed = ffprobe(&path, &["-show_format"]);
    assert_eq!(probed["format"]["duration"], "0.500000");
}

#[test]
fn a_gif_of_a_gradient_is_near_it_everywhere_when_seen_from_afar() {
    let studio = Studio::new();
    let sky =
        json!({"content": "rectangle", "styles": {"gradient": "linear-gradient(90deg, #102040, #f0a060)"}});
    let film = composition(
        [WIDTH as u32, HEIGHT as u32],
        30,
        2,
        &[overlay(1, "shape", [0.0, 0.0, 160.0, 96.0], sky)],
    );
    let (path, _) = make(&studio, &film, "sky.gif", &wanted(Format::Gif)).expect("made");
    let frame = &decode(&path, &[])[0];
    let mut film = studio.film(&film);
    let still = film.still(0).expect("a still");
    for cell in 0..WIDTH / 8 {
        for channel in 0..3 {
            let mean = |pixels: &[u8]| -> f64 {
                let places = (0..64).map(|i| ((40 + i / 8) * WIDTH + cell * 8 + i % 8) * 4 + channel);
                places.map(|place| f64::from(pixels[place])).sum::<f64>() / 64.0
            };
            let (got, want) = (mean(frame), mean(still.pixels));
            assert!(
                (got - want).abs() < 3.0,
                "cell {cell}, channel {channel}: {got:.1} instead of {want:.1}"
            );
        }
    }
}

#[test]
fn a_range_shows_its_first_and_last_frame_and_sounds_as_it_does_in_the_film() {
    let studio = Studio::new();
    studio.wav("pulse.wav", 48_000, 1, 3 * 48_000, |frame| pulse(1.5, frame as f64 / 48_000.0));
    let mut film = numbered(&studio, 90);
    let sound = overlay(2, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "pulse.wav"}));
    film["overlays"].as_array_mut().expect("overlays").push(sound);
    for (name, format) in [("part.mp4", Format::Mp4), ("part.webm", Format::WebM), ("part.mov", Format::Mov)]
    {
        let part = Wanted { range: Some((30, 59)), ..wanted(format) };
        let (path, report) = make(&studio, &film, name, &part).expect(name);
        assert_eq!(report.frames, 30, "{name}");
        let frames = decode_frames(&path, CODE_WIDTH, CODE_HEIGHT);
        let shown: Vec<u32> = frames.iter().map(|frame| number(frame, CODE_WIDTH, 3, 0, 0)).collect();
        assert_eq!(shown, (30..60).collect::<Vec<u32>>(), "{name}");
        let at = Sound::decode(&path).peak(0.0, 0.95);
        assert!((at - 0.5).abs() < 0.003, "{name}: the pulse is at {at} s");
    }
    let part = Wanted { range: Some((30, 59)), ..wanted(Format::Wav) };
    let (path, _) = make(&studio, &film, "part.wav", &part).expect("made");
    let heard = Sound::decode(&path);
    assert_eq!(heard.left.len(), 48_000);
    assert!((heard.peak(0.0, 1.0) - 0.5).abs() < 0.001);
}

#[test]
fn audio_files_contain_the_sound_for_the_length_of_the_film() {
    let studio = Studio::new();
    let film = see_through(&studio, "white");
    for (name, codec) in [("a.mp3", "mp3"), ("b.wav", "pcm_s16le"), ("c.aac", "aac"), ("d.m4a", "aac")] {
        let format = Format::of_ending(&name[2..]).expect("a format");
        let (path, _) = make(&studio, &film, name, &wanted(format)).expect(name);
        let probed = ffprobe(&path, &["-show_streams"]);
        assert_eq!(probed["streams"].as_array().map(Vec::len), Some(1), "{name}");
        assert_eq!(probed["streams"][0]["codec_name"], codec, "{name}");
        let heard = Sound::decode(&path);
        let seconds = heard.left.len() as f64 / SAMPLE_RATE as f64;
        assert!((0.999..1.06).contains(&seconds), "{name}: {seconds} s");
        assert!((heard.amplitude(440.0, 0.2, 0.8) - 0.4).abs() < 0.03, "{name}");
    }
    let silent = composition([160, 96], 30, 45, &[]);
    let (path, _) = make(&studio, &silent, "silence.wav", &wanted(Format::Wav)).expect("made");
    let heard = Sound::decode(&path);
    assert_eq!((heard.left.len(), heard.level(0.0, 1.5)), (72_000, 0.0));
}

#[test]
fn sequences_contain_an_image_of_every_frame_in_an_archive_or_a_folder() {
    let studio = Studio::new();
    let film = numbered(&studio, 20);
    let some = Wanted { range: Some((5, 9)), ..wanted(Format::Png) };
    let (path, report) = make(&studio, &film, "pictures.zip", &some).expect("made");
    assert_eq!(report.frames, 5);
    let unpacked = Command::new("python3")
        .args(["-m", "zipfile", "-e"])
        .arg(&path)
        .arg(studio.path("unpacked"))
        .status()
        .expect("python");
    assert!(unpacked.success());
    let folder = studio.path("folder");
    let options = RenderOptions { wanted: some, ..RenderOptions::default() };
    studio
        .film(&film)
        .render(&Output::Folder(folder.clone()), &options, &mut |_| {}, &AtomicBool::new(false))
        .expect("made");
    for frame in 5..10 {
        let name = format!("frame-{frame:06}.png");
        let bytes = std::fs::read(folder.join(&name)).expect("a picture");
        assert_eq!(bytes, std::fs::read(studio.path("unpacked").join(&name)).expect("the same"));
        let pixels = decode_frames(&folder.join(&name), CODE_WIDTH, CODE_HEIGHT);
        assert_eq!(number(&pixels[0], CODE_WIDTH, 3, 0, 0), frame);
    }
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 5);
}

#[test]
fn a_cancelled_render_leaves_no_file_of_any_kind() {
    let studio = Studio::new();
    let film = numbered(&studio, 20);
    let before = studio.files();
    let all = Some((0, 19));
    for wanted in [
        wanted(Format::Gif),
        wanted(Format::WebM),
        wanted(Format::Mp3),
        Wanted { range: all, ..wanted(Format::Jpg) },
    ] {
        let cancel = AtomicBool::new(false);
        let options = RenderOptions { wanted, ..RenderOptions::default() };
        let mut stop = |_| cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        let output = Output::File(studio.path("film.x"));
        let ended = studio.film(&film).render(&output, &options, &mut stop, &cancel);
        assert!(matches!(ended, Err(RenderError::Cancelled)), "{:?}", options.wanted);
        assert_eq!(studio.files(), before, "{:?}", options.wanted);
    }
}

#[test]
fn scaled_films_are_drawn_at_their_size() {
    let studio = Studio::new();
    // Stripes a pixel wide: drawn twice as large their edges stay sharp. A picture of such stripes becomes grey.
    let stripes = json!({"content": "rectangle", "styles": {
        "gradient": "repeating-linear-gradient(90deg, #000 0px, #000 1px, #fff 1px, #fff 2px)"}});
    let film = composition([80, 48], 30, 2, &[overlay(1, "shape", [0.0, 0.0, 80.0, 48.0], stripes)]);
    let twice = Wanted { scale: Scale::By(2.0), ..wanted(Format::Png) };
    let (path, report) = make(&studio, &film, "large.png", &twice).expect("made");
    assert_eq!((report.width, report.height), (160, 96));
    let large = &decode(&path, &[])[0];
    assert_eq!([0, 1, 2, 3].map(|x| at(large, x, 40)[0]), [0, 0, 255, 255]);
    let lines = "nullsrc=s=80x48:r=1,format=gray,geq=lum='255*mod(X,2)'";
    studio.ffmpeg(&["-f", "lavfi", "-i", lines, "-frames:v", "1"], "lines.png");
    let picture = overlay(1, "image", [0.0, 0.0, 80.0, 48.0], json!({"src": "lines.png"}));
    let film = composition([80, 48], 30, 2, &[picture]);
    let half = Wanted { scale: Scale::By(0.5), ..wanted(Format::Mp4) };
    let (path, report) = make(&studio, &film, "small.mp4", &half).expect("made");
    assert_eq!((report.width, report.height), (40, 24));
    let small = &decode_frames(&path, 40, 24)[0];
    assert!(small.iter().all(|value| (90..=165).contains(value)), "grey, not black or white");
}

#[test]
fn chunks_of_every_codec_are_kept_and_give_the_same_film_again() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "10", 90, "", LONG_GOP);
    let clip = overlay(1, "video", [0.0, 0.0, 160.0, 32.0], json!({"src": "clip.mp4"}));
    let mut film = composition([160, 32], 10, 80, &[clip]);
    film["backgroundColor"] = json!("transparent");
    let cache = ChunkCache::open(&studio.path("chunks"), ChunkCache::DEFAULT_LIMIT).expect("a cache");
    for (format, codec) in [
        (Format::Mp4, PictureCodec::Hevc),
        (Format::Mp4, PictureCodec::Av1),
        (Format::WebM, PictureCodec::Vp9),
        (Format::Mov, PictureCodec::ProRes),
    ] {
        let render = |chunks: Option<ChunkCache>| {
            let wanted = Wanted { codec: Some(codec), quality: Quality::Draft, ..wanted(format) };
            let chunks = chunks.map(|cache| Arc::new(cache) as Arc<dyn ChunkStore>);
            let options = RenderOptions { wanted, chunks, ..RenderOptions::default() };
            let path = studio.path("film.x");
            let never = AtomicBool::new(false);
            let output = Output::File(path.clone());
            let report = studio.film(&film).render(&output, &options, &mut |_| {}, &never).expect("made");
            (std::fs::read(&path).expect("a film"), report.chunks)
        };
        let (plain, _) = render(None);
        let (first, made) = render(Some(cache.clone()));
        let (second, reused) = render(Some(cache.clone()));
        assert_eq!((made.reused, reused.rendered), (0, 0), "{codec:?}");
        assert!(made.total >= 2 && reused.reused == made.total, "{codec:?}: {made:?}");
        assert!(plain == first && first == second, "{codec:?}: the same bytes");
        let frames = decode_frames(&studio.path("film.x"), CODE_WIDTH, CODE_HEIGHT);
        let shown: Vec<u32> = frames.iter().map(|frame| number(frame, CODE_WIDTH, 3, 0, 0)).collect();
        assert_eq!(shown, (0..80).collect::<Vec<u32>>(), "{codec:?}");
    }
}

/// Files of an HLS film by name, in order.
fn hls_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn an_hls_film_is_a_playlist_and_segments_that_play_as_the_mp4_does() {
    let studio = Studio::new();
    let mut film = see_through(&studio, "#2040a0");
    (film["durationInFrames"], film["overlays"][0]["durationInFrames"]) = (json!(330), json!(170));
    film["overlays"][2]["durationInFrames"] = json!(330);
    let (mp4, _) = make(&studio, &film, "film.mp4", &wanted(Format::Mp4)).expect("made");
    let never = AtomicBool::new(false);
    let mut made: Vec<Vec<(String, Vec<u8>)>> = Vec::new();
    for workers in [1, 3] {
        let folder = studio.path(&format!("hls-{workers}"));
        std::fs::create_dir(&folder).expect("a folder");
        let workers = std::num::NonZeroUsize::new(workers);
        let options = RenderOptions { wanted: wanted(Format::Hls), workers, ..RenderOptions::default() };
        let output = Output::File(folder.join("film.m3u8"));
        let report = studio.film(&film).render(&output, &options, &mut |_| {}, &never).expect("made");
        let files = hls_files(&folder);
        let bytes: usize =
            files.iter().filter(|(name, _)| name != "film.m3u8").map(|(_, bytes)| bytes.len()).sum();
        assert_eq!((report.bytes, report.frames), (bytes as u64, 330));
        made.push(files);
    }
    assert!(made[0] == made[1], "segments do not depend on how many threads made them");
    let names: Vec<&str> = made[0].iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..3], ["film-init.mp4", "film-s1.m4s", "film-s2.m4s"]);
    assert!(names.len() >= 5, "{names:?}");
    let playlist = studio.path("hls-1/film.m3u8");
    assert!(decode(&playlist, &[]) == decode(&mp4, &[]), "every picture is the same");
}

#[test]
fn an_hls_film_replaces_another_one_when_it_is_complete() {
    let studio = Studio::new();
    let mut film = see_through(&studio, "#2040a0");
    (film["durationInFrames"], film["overlays"][0]["durationInFrames"]) = (json!(330), json!(170));
    film["overlays"][2]["durationInFrames"] = json!(330);
    let folder = studio.path("hls");
    std::fs::create_dir(&folder).expect("a folder");
    let options = RenderOptions { wanted: wanted(Format::Hls), ..RenderOptions::default() };
    let output = Output::File(folder.join("50% off.m3u8"));
    let cancelled = AtomicBool::new(false);
    let render = |film: &Value, last: u32| {
        cancelled.store(false, std::sync::atomic::Ordering::Relaxed);
        studio.film(film).render(
            &output,
            &options,
            &mut |progress| cancelled.store(progress.frame > last, std::sync::atomic::Ordering::Relaxed),
            &cancelled,
        )
    };
    let ended = render(&film, 250);
    assert!(matches!(ended, Err(RenderError::Cancelled)), "{ended:?}");
    assert!(hls_files(&folder).is_empty(), "no part of it is left");

    render(&film, u32::MAX).expect("made");
    let first = hls_files(&folder);
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["50% off-init.mp4", "50% off-s1.m4s"]);
    assert_eq!(names.last(), Some(&"50% off.m3u8"));
    let playlist = String::from_utf8(first.last().expect("a playlist").1.clone()).expect("a text");
    assert!(playlist.contains("URI=\"50%25%20off-init.mp4\""), "{playlist}");
    assert!(playlist.contains("\n50%25%20off-s1.m4s\n"), "{playlist}");

    film["backgroundColor"] = json!("#802020");
    let ended = render(&film, 250);
    assert!(matches!(ended, Err(RenderError::Cancelled)), "{ended:?}");
    assert!(hls_files(&folder) == first, "the film of before is whole");
    render(&film, u32::MAX).expect("made");
    let second = hls_files(&folder);
    let now: Vec<&str> = second.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(now, names, "nothing else is left");
    assert!(second[1].1 != first[1].1, "it was replaced");
}
