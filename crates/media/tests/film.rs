//! Encoded files have the requested parameters and content.

mod support;

use std::path::Path;
use std::sync::Arc;

use rondo_media::{
    AudioReader, ChunkEncoder, Container, EncodedChunk, FilmReport, FilmWriter, MediaError, PictureCodec,
    PictureSettings, Quality, SoundCodec, VideoDecoder, encoder_sample, probe,
};
use rondo_pixels::Planes;
use support::ffprobe;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 96;

fn settings(fps: u32, quality: Quality) -> PictureSettings {
    PictureSettings {
        width: WIDTH,
        height: HEIGHT,
        fps,
        quality,
        codec: PictureCodec::H264,
        alpha: false,
        repeat_frames: true,
    }
}

/// BT.709 limited range.
fn yuv(rgb: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = rgb.map(|channel| f64::from(channel) / 255.0);
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let (u, v) = ((b - y) / 1.8556, (r - y) / 1.5748);
    [16.0 + 219.0 * y, 128.0 + 224.0 * u, 128.0 + 224.0 * v].map(|value| value.round() as u8)
}

fn create(path: &Path, settings: &PictureSettings, sound: bool) -> Result<FilmWriter, MediaError> {
    FilmWriter::create(path, Container::Mp4, settings, sound.then_some(SoundCodec::Aac))
}

fn push_flat(encoder: &mut ChunkEncoder, rgb: [u8; 3]) {
    let [y, u, v] = yuv(rgb);
    let plane = |value, area: u32| vec![value; area as usize];
    let (y, u, v) = (plane(y, WIDTH * HEIGHT), plane(u, WIDTH * HEIGHT / 4), plane(v, WIDTH * HEIGHT / 4));
    encoder.push_planes(Arc::new(Planes { width: WIDTH, height: HEIGHT, y, u, v })).expect("takes a picture");
}

fn tone(frames: usize) -> Vec<f32> {
    let sample = |frame: usize| (frame as f32 * 0.06).sin() * 0.5;
    (0..frames).flat_map(|frame| [sample(frame), sample(frame)]).collect()
}

fn colour(frame: u32) -> [u8; 3] {
    [(frame * 2) as u8, 255 - (frame * 3) as u8, 90]
}

/// Flat pictures of changing colour.
fn chunk(settings: &PictureSettings, frames: std::ops::Range<u32>) -> EncodedChunk {
    let mut encoder = ChunkEncoder::new(settings, frames.len() as u32).expect("starts");
    frames.for_each(|frame| push_flat(&mut encoder, colour(frame)));
    encoder.finish().expect("finishes")
}

/// A film of one chunk, with sound of a length of its own if there shall be any.
fn make(path: &Path, settings: &PictureSettings, frames: u32, sound: Option<usize>) -> FilmReport {
    let mut film = create(path, settings, sound.is_some()).expect("starts");
    let samples = tone(sound.unwrap_or(0));
    let (first, rest) = samples.split_at(samples.len() / 6 * 2);
    film.push_audio(first).expect("takes sound");
    film.append(&chunk(settings, 0..frames)).expect("takes a chunk");
    film.push_audio(rest).expect("takes sound");
    film.finish().expect("finishes")
}

#[test]
fn ffprobe_shows_exactly_the_promised_parameters() {
    let folder = tempfile::tempdir().expect("a folder");
    for quality in [Quality::Draft, Quality::Standard, Quality::High] {
        let path = folder.path().join(format!("{quality:?}.mp4"));
        let report = make(&path, &settings(30, quality), 75, Some(48_000 * 3));
        assert_eq!(report, FilmReport { frames: 75, bytes: std::fs::metadata(&path).expect("a file").len() });
        let video = ffprobe(
            &path,
            "stream=codec_name,profile,pix_fmt,width,height,sample_aspect_ratio,color_range,color_space,\
             color_transfer,color_primaries,chroma_location,r_frame_rate,avg_frame_rate,start_time,duration,nb_frames",
            "v:0",
        );
        for promised in [
            "codec_name=h264",
            "profile=High",
            "pix_fmt=yuv420p",
            "width=160",
            "height=96",
            "sample_aspect_ratio=1:1",
            "color_range=tv",
            "color_space=bt709",
            "color_transfer=bt709",
            "color_primaries=bt709",
            "chroma_location=left",
            "r_frame_rate=30/1",
            "avg_frame_rate=30/1",
            "start_time=0.000000",
            "duration=2.500000",
            "nb_frames=75",
        ] {
            assert!(video.iter().any(|line| line == promised), "{quality:?}: {promised} is not in {video:?}");
        }
        let audio =
            ffprobe(&path, "stream=codec_name,profile,sample_rate,channels,start_time,duration", "a:0");
        for promised in [
            "codec_name=aac",
            "profile=LC",
            "sample_rate=48000",
            "channels=2",
            "start_time=0.000000",
            "duration=2.500000",
        ] {
            assert!(audio.iter().any(|line| line == promised), "{quality:?}: {promised} is not in {audio:?}");
        }
        let whole = ffprobe(&path, "format=duration,nb_streams:format_tags", "");
        assert_eq!(
            whole
                .iter()
                .filter(|line| !line.contains("brand") && !line.contains("minor"))
                .collect::<Vec<_>>(),
            ["nb_streams=2", "duration=2.500000"],
            "and no tag of date or program"
        );
    }
}

#[test]
fn the_index_comes_first_and_carries_the_colour() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    make(&path, &settings(25, Quality::Standard), 10, Some(0));
    let bytes = std::fs::read(&path).expect("reads");
    let find = |name: &[u8]| bytes.windows(name.len()).position(|window| window == name);
    assert!(find(b"moov").expect("an index") < find(b"mdat").expect("media"));
    assert!(find(b"colrnclx\0\x01\0\x01\0\x01\0").is_some(), "the container says BT.709, limited range");
}

#[test]
fn length_is_exact_at_every_rate_and_sound_never_outlasts_the_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    for (fps, frames, sound) in
        [(24, 25, 100_000), (25, 1, 0), (7, 15, 48_000), (60, 121, 96_800), (120, 50, 1000)]
    {
        make(&path, &settings(fps, Quality::Draft), frames, Some(sound));
        let found = probe(&path).expect("probes");
        let length = f64::from(frames) / f64::from(fps);
        let (video, audio) = (found.video.expect("pictures"), found.audio.expect("sound"));
        assert_eq!(video.frames, Some(u64::from(frames)));
        assert!((video.duration - length).abs() < 1e-9, "{fps}: {} for {length}", video.duration);
        assert!(
            audio.duration <= length + 1e-9 && audio.duration > length - 0.000_03,
            "{fps}: {}",
            audio.duration
        );
        assert!((found.duration - length).abs() < 2e-6, "{fps}: {} for {length}", found.duration);
    }
}

#[test]
fn flat_colours_survive_within_two_of_255_on_their_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    for quality in [Quality::Standard, Quality::High] {
        let path = folder.path().join("film.mp4");
        make(&path, &settings(30, quality), 80, None);
        let mut video = VideoDecoder::open(&path).expect("opens");
        for frame in 0..80 {
            let shown = video.frame_at(f64::from(frame) / 30.0).expect("a frame");
            let wanted = colour(frame);
            for pixel in shown.rgba().chunks_exact(4) {
                let near = pixel.iter().zip(wanted).all(|(value, wanted)| value.abs_diff(wanted) <= 2);
                assert!(near, "{quality:?}, frame {frame}: {pixel:?} for {wanted:?}");
            }
        }
    }
}

#[test]
fn sound_comes_back_where_it_was_put() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    let draft = settings(30, Quality::Draft);
    let mut film = create(&path, &draft, true).expect("starts");
    let mut samples = vec![0.0; 48_000];
    samples.extend(tone(24_000));
    for piece in samples.chunks(1234) {
        film.push_audio(piece).expect("takes sound");
    }
    for frames in [0..13, 13..37, 37..60] {
        film.append(&chunk(&draft, frames)).expect("takes a chunk");
    }
    film.finish().expect("finishes");
    let mut reader = AudioReader::open(&path, 0.0).expect("opens").expect("sound");
    let mut heard = vec![0.0; 48_000 * 6];
    let frames = reader.read(&mut heard).expect("reads");
    // FFmpeg hands out the last packet whole, players stop at the stated end.
    assert!((96_000..97_024).contains(&frames), "two seconds, the end filled with silence: {frames}");
    let onset = heard.chunks_exact(2).position(|pair| pair[0].abs() > 0.2).expect("a tone");
    assert!(onset.abs_diff(24_000) < 48, "onset at sample {onset}");
    assert!(heard[76_000 * 2..frames * 2].iter().all(|sample| sample.abs() < 0.02), "silence after the tone");
}

#[test]
fn encoding_twice_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let films: Vec<Vec<u8>> = ["a.mp4", "b.mp4"]
        .iter()
        .map(|name| {
            let path = folder.path().join(name);
            make(&path, &settings(30, Quality::Standard), 60, Some(96_000));
            std::fs::read(&path).expect("reads")
        })
        .collect();
    assert!(films[0] == films[1]);
}

#[test]
fn a_film_without_sound_has_no_sound_track() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    make(&path, &settings(30, Quality::Draft), 5, None);
    assert!(probe(&path).expect("probes").audio.is_none());
}

#[test]
fn an_abandoned_film_leaves_nothing_and_the_old_one_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    std::fs::write(&path, "the old film").expect("writes");
    let draft = settings(30, Quality::Draft);
    let mut film = create(&path, &draft, true).expect("starts");
    film.append(&chunk(&draft, 0..3)).expect("takes a chunk");
    drop(film);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    assert_eq!(std::fs::read(&path).expect("reads"), b"the old film");
}

#[test]
fn invalid_settings_and_paths_are_rejected_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    let draft = settings(30, Quality::Draft);
    let odd = PictureSettings { width: 161, ..draft };
    let refusal = "a film of 161×96 at 30 frames per second cannot be encoded: width and height must be even and between 2 and 16384";
    assert_eq!(create(&path, &odd, false).err().expect("an error").to_string(), refusal);
    assert_eq!(ChunkEncoder::new(&odd, 5).err().expect("an error").to_string(), refusal);
    let nowhere = folder.path().join("no/such/folder/film.mp4");
    let error = create(&nowhere, &draft, false).err().expect("an error");
    assert!(matches!(error, MediaError::Unwritable { .. }));
    assert!(error.to_string().contains("No such file or directory"), "{error}");
    let empty = create(&path, &draft, true).expect("starts").finish();
    assert!(empty.is_err() && !path.exists());
    let mut encoder = ChunkEncoder::new(&draft, 2).expect("starts");
    let short = Planes { y: vec![0; 100], ..Planes::new(WIDTH, HEIGHT) };
    assert!(encoder.push_planes(Arc::new(short)).is_err());
    assert!(encoder.push_planes(Arc::new(Planes::new(WIDTH, HEIGHT - 2))).is_err());
    push_flat(&mut encoder, [1, 2, 3]);
    assert!(encoder.finish().is_err(), "a picture is missing");
}

#[test]
fn joined_chunks_have_uniform_times_and_all_their_frames_whatever_their_lengths() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    for quality in [Quality::Draft, Quality::Standard, Quality::High] {
        let settings = settings(30, quality);
        let mut film = create(&path, &settings, true).expect("starts");
        let mut start = 0;
        for length in [1, 1, 2, 3, 5, 40, 1, 27] {
            film.append(&chunk(&settings, start..start + length)).expect("takes a chunk");
            film.push_audio(&tone(1600 * length as usize)).expect("takes sound");
            start += length;
        }
        film.finish().expect("finishes");
        let times = |what: &str| -> Vec<f64> {
            let lines = ffprobe(&path, &format!("packet={what}"), "v:0");
            lines.iter().filter_map(|line| line.split_once('=')?.1.parse().ok()).collect()
        };
        let (mut shown, decoded) = (times("pts_time"), times("dts_time"));
        assert!(shown.iter().zip(&decoded).all(|(shown, decoded)| decoded <= shown), "{quality:?}");
        shown.sort_by(f64::total_cmp);
        assert_eq!((shown.len(), decoded.len()), (80, 80));
        for (index, shown) in shown.iter().enumerate() {
            assert!((shown - index as f64 / 30.0).abs() < 1e-5, "{quality:?}: frame {index} at {shown}");
        }
        let mut steps = decoded.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.all(|step| (step - 1.0 / 30.0).abs() < 1e-5), "{quality:?}: {decoded:?}");
        let mut video = VideoDecoder::open(&path).expect("opens");
        for frame in 0..80 {
            let shown = video.frame_at(f64::from(frame) / 30.0).expect("a frame");
            let near = shown.rgba()[..3].iter().zip(colour(frame)).all(|(v, wanted)| v.abs_diff(wanted) <= 3);
            assert!(near, "{quality:?}, frame {frame}: {:?} for {:?}", &shown.rgba()[..3], colour(frame));
        }
    }
}

#[test]
fn a_chunk_has_one_key_frame_at_its_start_and_never_one_at_its_end() {
    let standard = settings(30, Quality::Standard);
    let mut encoder = ChunkEncoder::new(&standard, 40).expect("starts");
    for frame in 0..40 {
        push_flat(&mut encoder, if frame < 39 { [10, 20, 30] } else { [240, 200, 90] });
    }
    let chunk = encoder.finish().expect("finishes");
    let keys: Vec<u32> = chunk.packets.iter().filter(|p| p.key).map(|p| p.frame).collect();
    assert_eq!(keys, [0]);
    assert!(chunk.is_whole());
}

#[test]
fn chunks_of_another_film_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("film.mp4");
    let mut film = create(&path, &settings(30, Quality::Standard), false).expect("starts");
    assert!(film.append(&chunk(&settings(30, Quality::Draft), 0..5)).is_err());
    let mut cut = chunk(&settings(30, Quality::Standard), 0..5);
    cut.data.pop();
    assert!(film.append(&cut).is_err());
}

#[test]
fn encoder_sample_depends_on_quality_and_frame_rate_only() {
    let sample = |fps, quality| encoder_sample(&settings(fps, quality)).expect("encodes");
    let standard = sample(30, Quality::Standard);
    assert_eq!(standard, sample(30, Quality::Standard));
    assert_ne!(standard, sample(30, Quality::High));
    assert_ne!(standard, sample(25, Quality::Standard));
}

/// Pictures that hardly can be compressed.
fn noisy_chunk(settings: &PictureSettings, frames: u32) -> EncodedChunk {
    let mut encoder = ChunkEncoder::new(settings, frames).expect("starts");
    let mut state = 1_u32;
    let mut plane = |area: u32| -> Vec<u8> {
        let noise = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        noise.take(area as usize).collect()
    };
    let (width, height) = (settings.width, settings.height);
    for _ in 0..frames {
        let (y, u, v) = (plane(width * height), plane(width * height / 4), plane(width * height / 4));
        encoder.push_planes(Arc::new(Planes { width, height, y, u, v })).expect("takes a picture");
    }
    encoder.finish().expect("finishes")
}

/// Writes a film, and returns its bytes and how it left: the numbers and sizes of its parts.
fn film_in_parts(
    path: &Path,
    container: Container,
    chunk: &EncodedChunk,
    count: usize,
) -> (Vec<u8>, Vec<(u32, usize)>) {
    let settings = PictureSettings { width: 640, height: 360, ..settings(30, Quality::High) };
    let (send, arrive) = std::sync::mpsc::channel();
    let keep = Box::new(move |part| send.send(part).map_err(|error| error.to_string()));
    let sound = Some(SoundCodec::Aac);
    let mut film = FilmWriter::streamed(path, container, &settings, sound, None, Some(keep)).expect("starts");
    film.push_audio(&tone(48_000 / 2 * count)).expect("takes sound");
    (0..count).for_each(|_| film.append(chunk).expect("takes a chunk"));
    let report = film.finish().expect("finishes");
    let mut parts: Vec<rondo_media::Part> = arrive.iter().collect();
    let order = parts.iter().map(|part| (part.number, part.bytes.len())).collect();
    parts.sort_by_key(|part| part.number);
    let bytes = match parts.is_empty() {
        true => std::fs::read(path).expect("a file"),
        false => parts.into_iter().flat_map(|part| part.bytes).collect::<Vec<u8>>(),
    };
    assert_eq!(report, FilmReport { frames: 15 * count as u64, bytes: bytes.len() as u64 });
    (bytes, order)
}

#[test]
fn a_large_film_leaves_in_parts_with_the_bytes_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = PictureSettings { width: 640, height: 360, ..settings(30, Quality::High) };
    let chunk = noisy_chunk(&settings, 15);
    for (container, name) in [(Container::Mp4, "film.mp4"), (Container::Mov, "film.mov")] {
        let path = folder.path().join(name);
        for count in [1, 9] {
            let mut film =
                FilmWriter::create(&path, container, &settings, Some(SoundCodec::Aac)).expect("starts");
            film.push_audio(&tone(48_000 / 2 * count)).expect("takes sound");
            (0..count).for_each(|_| film.append(&chunk).expect("takes a chunk"));
            film.finish().expect("finishes");
            let expected = std::fs::read(&path).expect("a file");
            std::fs::remove_file(&path).expect("removed");

            let (bytes, order) = film_in_parts(&path, container, &chunk, count);
            assert!(bytes == expected, "{name} of {count} chunks has other bytes");
            assert_eq!(path.is_file(), order.is_empty(), "a film is a file or parts");
            if count == 9 {
                let numbers: Vec<u32> = order.iter().map(|(number, _)| *number).collect();
                let last = numbers.len() as u32 - 1;
                assert!(last >= 2, "{order:?}");
                assert_eq!(numbers, (1..=last).chain([0]).collect::<Vec<_>>(), "the first one comes last");
                assert!(order[..order.len() - 2].iter().all(|(_, size)| *size == 8 << 20), "{order:?}");
                assert!(order[order.len() - 1].1 > 8 << 20, "{order:?}");
            }
            let _ = std::fs::remove_file(&path);
        }
    }
}

#[test]
fn a_long_film_has_the_same_bytes_though_its_index_is_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = settings(30, Quality::Draft);
    let chunk = chunk(&settings, 0..300);
    let sound = tone(48_000 * 10);
    let make = |name: &str, keep: Option<rondo_media::KeepPart>| {
        let path = folder.path().join(name);
        let codec = Some(SoundCodec::Aac);
        let mut film =
            FilmWriter::streamed(&path, Container::Mp4, &settings, codec, None, keep).expect("starts");
        for _ in 0..20 {
            film.push_audio(&sound).expect("takes sound");
            film.append(&chunk).expect("takes a chunk");
        }
        film.finish().expect("finishes");
        std::fs::read(path).expect("a file")
    };
    let expected = make("file.mp4", None);
    let find = |name: &[u8]| expected.windows(name.len()).position(|window| window == name);
    let index = find(b"mdat").expect("media") - find(b"moov").expect("an index");
    assert!(index > 100_000, "{index} bytes are written at once");
    assert!(make("parts.mp4", Some(Box::new(|_| Ok(())))) == expected);
}

#[test]
fn a_part_that_is_not_taken_ends_the_film_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = PictureSettings { width: 640, height: 360, ..settings(30, Quality::High) };
    let path = folder.path().join("film.mp4");
    let keep = Box::new(|_| Err("the bucket is full".to_owned()));
    let mut film =
        FilmWriter::streamed(&path, Container::Mp4, &settings, None, None, Some(keep)).expect("starts");
    let chunk = noisy_chunk(&settings, 15);
    let mut written = (0..9).map(|_| film.append(&chunk));
    let error = written.find_map(Result::err).expect("it is refused");
    assert!(error.to_string().contains("the bucket is full"), "{error}");
    drop(film);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
