//! Repeated frames in H.264 films: every decoder shows the promised pictures, and streams that cannot contain repeats are
//! encoded without them.

mod support;

use std::path::Path;
use std::sync::Arc;

use openh264::OpenH264API;
use openh264::decoder::{DecodedYUV, Decoder, DecoderConfig, Flush};
use openh264::formats::YUVSource;
use rondo_media::{
    ChunkEncoder, Container, EncodedChunk, FilmWriter, MediaError, PictureCodec, PictureSettings, Quality,
    VideoDecoder,
};
use rondo_pixels::{Plane, Planes};
use support::{ffmpeg, ffprobe};

const WIDTH: u32 = 160;
const HEIGHT: u32 = 96;
const FPS: u32 = 30;

fn settings(quality: Quality) -> PictureSettings {
    PictureSettings {
        width: WIDTH,
        height: HEIGHT,
        fps: FPS,
        quality,
        codec: PictureCodec::H264,
        alpha: false,
        repeat_frames: true,
    }
}

fn without_repeats(settings: &PictureSettings) -> PictureSettings {
    PictureSettings { repeat_frames: false, ..*settings }
}

/// A grainy picture with a gradient whose brightness changes, for which encoders use weighted prediction.
fn grain(step: u32, settings: &PictureSettings) -> Planes {
    let (width, height) = (settings.width, settings.height);
    let mut state = step.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as f32 / 255.0 - 0.5
    };
    let light = 40.0 * (step as f32 * 0.8).sin();
    let value = |i: u32| {
        let (x, y) = ((i % width) as f32, (i / width) as f32);
        let texture = 30.0 * (x * 0.31).sin() * (y * 0.23).cos() + 20.0 * (x * 0.07 + y * 0.11).sin();
        (110.0 + texture + 17.0 * (noise() + noise() + noise()) + light * x / width as f32) as u8
    };
    let y = (0..width * height).map(value).collect();
    let chroma =
        |phase: u32| (0..width * height / 4).map(|i| 100 + ((i + phase * step) % 37) as u8).collect();
    Planes { width, height, y, u: chroma(1), v: chroma(2) }
}

fn negative(picture: Planes) -> Planes {
    let inverted = |plane: Vec<u8>| plane.into_iter().map(|value| 255 - value).collect();
    Planes { y: inverted(picture.y), u: inverted(picture.u), v: inverted(picture.v), ..picture }
}

/// The picture of each frame: pictures that are shown for so many frames each.
fn shown_at(durations: &[usize]) -> Vec<u32> {
    (0..).zip(durations).flat_map(|(step, duration)| vec![step; *duration]).collect()
}

fn encode(
    mut encoder: ChunkEncoder,
    pictures: impl Iterator<Item = Planes>,
) -> Result<EncodedChunk, MediaError> {
    for picture in pictures {
        encoder.push_planes(Arc::new(picture))?;
    }
    encoder.finish()
}

fn chunk_of(settings: &PictureSettings, pictures: impl ExactSizeIterator<Item = Planes>) -> EncodedChunk {
    let encoder = ChunkEncoder::new(settings, pictures.len() as u32).expect("starts");
    encode(encoder, pictures).expect("encodes")
}

fn write_film(path: &Path, settings: &PictureSettings, chunks: &[EncodedChunk]) {
    let mut film = FilmWriter::create(path, Container::Mp4, settings, None).expect("starts");
    chunks.iter().for_each(|chunk| film.append(chunk).expect("takes a chunk"));
    film.finish().expect("finishes");
}

/// The packets of a chunk in decoding order.
fn packets(chunk: &EncodedChunk) -> impl Iterator<Item = &[u8]> {
    let mut rest = &chunk.data[..];
    chunk.packets.iter().map(move |packet| {
        let (data, after) = rest.split_at(packet.bytes as usize);
        rest = after;
        data
    })
}

/// The number of repeats: packets of one P slice (`slice_type` 5) that is not a reference, which x264 never writes.
fn repeats(chunk: &EncodedChunk) -> usize {
    let is_repeat = |data: &&[u8]| matches!(data, [0, 0, 0, 1, 0x01, first, ..] if first >> 2 == 0b10_0110);
    packets(chunk).filter(is_repeat).count()
}

/// Planes of a size, without the padding of their rows.
fn cropped(width: usize, height: usize, planes: [Plane<'_>; 3]) -> Planes {
    let crop = |plane: &Plane<'_>, width: usize, height: usize| {
        plane.bytes.chunks(plane.stride).take(height).flat_map(|row| &row[..width]).copied().collect()
    };
    let [y, u, v] = &planes;
    Planes {
        width: width as u32,
        height: height as u32,
        y: crop(y, width, height),
        u: crop(u, width / 2, height / 2),
        v: crop(v, width / 2, height / 2),
    }
}

/// Every frame of a film as FFmpeg decodes it.
fn decoded_by_ffmpeg(path: &Path, settings: &PictureSettings, frames: usize) -> Vec<Planes> {
    let (width, height) = (settings.width as usize, settings.height as usize);
    let mut video = VideoDecoder::open(path).expect("opens");
    let frame = |frame: usize| {
        let shown = video.frame_at(frame as f64 / f64::from(FPS)).expect("a frame");
        let planes = shown.planes().expect("planes");
        cropped(width, height, [planes.y, planes.u, planes.v])
    };
    (0..frames).map(frame).collect()
}

/// Every frame of a stream as OpenH264 decodes it, in display order.
///
/// OpenH264 queues pictures for output in the `max_num_ref_frames` + 2 buffers it decodes into, and runs out of them when
/// non-reference P pictures wait there. So the SPS says Scalable Baseline (83) instead of High (100), which has the same
/// syntax: OpenH264 then returns pictures at once, in decoding order. Slices are those of the film.
fn decoded_by_openh264(chunks: &[EncodedChunk]) -> Vec<Planes> {
    const SPS_AND_HIGH: [u8; 5] = [0, 0, 1, 0x67, 100];
    let mut header = chunks[0].header.clone();
    let sps = header.windows(5).position(|bytes| bytes == SPS_AND_HIGH).expect("a High profile SPS");
    header[sps + 4] = 83;
    let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
    let mut decoder = Decoder::with_api_config(OpenH264API::from_source(), config).expect("starts");
    let planes = |picture: &DecodedYUV<'_>| {
        let ((width, height), (y, u, v)) = (picture.dimensions(), picture.strides());
        let plane = |bytes, stride| Plane { bytes, stride };
        let planes = [plane(picture.y(), y), plane(picture.u(), u), plane(picture.v(), v)];
        cropped(width, height, planes)
    };
    assert!(decoder.decode(&header).expect("decodes").is_none());
    let mut frames = Vec::new();
    for chunk in chunks {
        let mut of_chunk = Vec::new();
        for (packet, data) in chunk.packets.iter().zip(packets(chunk)) {
            let picture = decoder.decode(data).expect("decodes").expect("a picture");
            of_chunk.push((packet.frame, planes(&picture)));
        }
        of_chunk.sort_by_key(|(frame, _)| *frame);
        frames.extend(of_chunk.into_iter().map(|(_, planes)| planes));
    }
    frames
}

#[test]
fn frames_that_stay_are_repeated_exactly_and_the_others_are_shown_at_their_time() {
    const REPEATS: usize = 2 + 2 + 3 + 11 + 11 + 11 + 36 + 5 * 5;
    let folder = tempfile::tempdir().expect("a folder");
    let durations =
        [vec![3], vec![1; 9], vec![2, 3, 4, 1, 1, 12, 1, 13, 1, 14, 40], [1, 1, 1, 1, 1, 6].repeat(5)]
            .concat();
    let shown_at = shown_at(&durations);
    // With the largest mean squared error of a frame, and the number of repeats: ultrafast streams cannot contain any; in the
    // others every twelfth equal frame, and a single one, is encoded.
    for (quality, largest, repeats) in
        [(Quality::Draft, 100.0, 0), (Quality::Standard, 60.0, REPEATS), (Quality::High, 15.0, REPEATS)]
    {
        let settings = settings(quality);
        // Another scene begins after the longest stay.
        let picture = |step: &u32| match step {
            0..21 => grain(*step, &settings),
            _ => negative(grain(*step, &settings)),
        };
        let chunk = chunk_of(&settings, shown_at.iter().map(picture));
        let path = folder.path().join(format!("{quality:?}.mp4"));
        // Twice, so that the end of a chunk meets the start of another.
        write_film(&path, &settings, &[chunk.clone(), chunk]);
        let shown: Vec<u32> = shown_at.iter().chain(&shown_at).copied().collect();
        let frames = decoded_by_ffmpeg(&path, &settings, shown.len());
        for (frame, (step, decoded)) in shown.iter().zip(&frames).enumerate() {
            let luma = picture(step).y;
            let squares = decoded.y.iter().zip(&luma).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
            let error = squares.sum::<f64>() / luma.len() as f64;
            assert!(error < largest, "{quality:?}: frame {frame} has an error of {error}");
        }
        let stays = |pair: &[usize]| shown[pair[0]] == shown[pair[1]] && frames[pair[0]] == frames[pair[1]];
        let stayed = (1..shown.len()).filter(|frame| stays(&[frame - 1, *frame])).count();
        assert!(stayed >= 2 * repeats, "{quality:?}: {stayed}");
    }
}

#[test]
fn a_new_scene_after_repeats_starts_with_a_key_frame_except_on_the_last_frame() {
    let standard = settings(Quality::Standard);
    let picture = |step: &u32| match step.is_multiple_of(2) {
        true => grain(*step, &standard),
        false => negative(grain(*step, &standard)),
    };
    let chunk = chunk_of(&standard, shown_at(&[5, 5, 5, 1]).iter().map(picture));
    let keys: Vec<u32> = chunk.packets.iter().filter(|p| p.key).map(|p| p.frame).collect();
    assert_eq!(keys, [0, 5, 10]);
}

#[test]
fn a_still_film_takes_a_few_bytes_per_frame() {
    let standard = settings(Quality::Standard);
    let mut encoder = ChunkEncoder::new(&standard, 150).expect("starts");
    let picture = Arc::new(grain(7, &standard));
    (0..150).for_each(|_| encoder.push_planes(picture.clone()).expect("takes a picture"));
    let chunk = encoder.finish().expect("finishes");
    assert!(chunk.is_whole());
    let repeats = chunk.packets.iter().filter(|packet| packet.bytes <= 20).count();
    assert!(repeats >= 137, "{repeats} of 149");
}

#[test]
fn openh264_and_ffmpeg_decode_every_frame_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = [vec![3], vec![1; 9], vec![2, 3, 4, 1, 1, 12, 1, 13, 1, 40], [1, 1, 1, 6].repeat(4)].concat();
    let short = vec![1, 1, 4, 1, 1, 1, 14, 1];
    // Sides that are not multiples of 16 are cropped by the SPS.
    for (width, height, durations) in
        [(WIDTH, HEIGHT, &long), (162, 90, &long), (98, 182, &long), (1920, 1080, &short)]
    {
        for quality in [Quality::Standard, Quality::High] {
            let settings = PictureSettings { width, height, ..settings(quality) };
            let shown_at = shown_at(durations);
            let scene = |cut: u32| {
                let picture = |step: &u32| match *step < cut {
                    true => grain(*step, &settings),
                    false => negative(grain(*step, &settings)),
                };
                chunk_of(&settings, shown_at.iter().map(picture))
            };
            // A chunk that ends in repeats, one with another scene in it, and one that is only repeats.
            let still = chunk_of(&settings, (0..20).map(|_| grain(3, &settings)));
            let chunks = [scene(u32::MAX), scene(7), still];
            assert!(chunks.iter().all(|chunk| repeats(chunk) > 0));
            let path = folder.path().join("film.mp4");
            write_film(&path, &settings, &chunks);
            let count: usize = chunks.iter().map(|chunk| chunk.packets.len()).sum();
            let (one, other) = (decoded_by_ffmpeg(&path, &settings, count), decoded_by_openh264(&chunks));
            assert_eq!(other.len(), count, "{width}×{height} {quality:?}");
            for (frame, (one, other)) in one.iter().zip(&other).enumerate() {
                assert!(one == other, "{width}×{height} {quality:?}: frame {frame} differs");
            }
        }
    }
}

#[test]
fn films_with_and_without_repeats_have_the_same_frames_at_the_same_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown_at = shown_at(&[6, 1, 1, 1, 1, 5, 1, 1, 30, 1, 1, 1, 4]);
    for quality in [Quality::Draft, Quality::Standard, Quality::High] {
        let on = settings(quality);
        let off = without_repeats(&on);
        let picture = |step: &u32| grain(*step, &on);
        let chunks = [on, off].map(|settings| chunk_of(&settings, shown_at.iter().map(picture)));
        assert_eq!(repeats(&chunks[1]), 0);
        if quality == Quality::Draft {
            assert_eq!(chunks[0], chunks[1], "CAVLC streams never contain repeats");
            continue;
        }
        assert!(repeats(&chunks[0]) > 30, "{}", repeats(&chunks[0]));
        let films =
            [(on, "on.mp4"), (off, "off.mp4")].map(|(settings, name)| (settings, folder.path().join(name)));
        let times = |path: &Path| {
            let mut times = ffprobe(path, "packet=pts_time", "v:0");
            times.sort();
            times
        };
        for ((settings, path), chunk) in films.iter().zip(&chunks) {
            write_film(path, settings, std::slice::from_ref(chunk));
        }
        assert_eq!(times(&films[0].1), times(&films[1].1));
        let [on, off] = films.map(|(settings, path)| decoded_by_ffmpeg(&path, &settings, shown_at.len()));
        for frame in 0..shown_at.len() {
            let mean =
                on[frame].y.iter().zip(&off[frame].y).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>()
                    / f64::from(WIDTH * HEIGHT);
            assert!(mean < 6.0, "{quality:?}: frame {frame} differs by {mean} of 255");
        }
    }
}

/// The stream x264 writes with other parameters than Rondo's: its parameter sets come first.
fn foreign_stream(folder: &Path, format: &str, parameters: &str) -> Vec<u8> {
    let path = folder.join("foreign.h264");
    let name = path.to_str().expect("a plain path");
    ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=160x96:r=30",
        "-frames:v",
        "3",
        "-pix_fmt",
        format,
        "-c:v",
        "libx264",
        "-x264-params",
        parameters,
        "-f",
        "h264",
        name,
    ]);
    std::fs::read(path).expect("reads")
}

#[test]
fn streams_with_unsupported_parameter_sets_are_encoded_without_repeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let standard = settings(Quality::Standard);
    let shown_at = shown_at(&[5, 1, 1, 20, 1, 4]);
    let pictures = || shown_at.iter().map(|step| grain(*step, &standard));
    let plain = chunk_of(&without_repeats(&standard), pictures());
    let foreign = |format, parameters| foreign_stream(folder.path(), format, parameters);
    for (name, parameter_sets) in [
        ("CAVLC", foreign("yuv420p", "cabac=0")),
        ("interlaced", foreign("yuv420p", "fake-interlaced=1")),
        ("no B-frames", foreign("yuv420p", "bframes=0")),
        ("implicit weights", foreign("yuv420p", "ref=4:bframes=3:weightb=1")),
        ("4:4:4", foreign("yuv444p", "bframes=3")),
        ("none", Vec::new()),
    ] {
        let encoder = ChunkEncoder::with_parameter_sets(&standard, shown_at.len() as u32, &parameter_sets);
        let chunk = encode(encoder.expect("starts"), pictures()).expect(name);
        assert!(chunk == plain, "{name}");
    }
}

#[test]
fn a_stream_that_turns_out_to_be_unsupported_is_an_error_only_after_repeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let standard = settings(Quality::Standard);
    // Longer frame_num and pic_order_cnt_lsb fields than those in the encoder's slices.
    let parameter_sets = foreign_stream(folder.path(), "yuv420p", "ref=16:bframes=16:weightb=0");
    let encode = |shown_at: &[u32]| {
        let encoder = ChunkEncoder::with_parameter_sets(&standard, shown_at.len() as u32, &parameter_sets);
        encode(encoder.expect("starts"), shown_at.iter().map(|step| grain(*step, &standard)))
    };
    let error = encode(&shown_at(&[5, 1, 1, 1])).expect_err("repeats were scheduled");
    assert!(matches!(error, MediaError::RepeatsUnsupported { .. }), "{error}");
    // The first stay comes after the first packet.
    let shown_at = shown_at(&[vec![1; 60], vec![9]].concat());
    let chunk = encode(&shown_at).expect("goes on without repeats");
    let pictures = shown_at.iter().map(|step| grain(*step, &standard));
    assert!(chunk == chunk_of(&without_repeats(&standard), pictures));
}
