//! Decoding at any time gives the frame that is displayed then.

mod support;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use rondo_media::{MediaError, OpenedMedia, VideoDecoder, probe};
use rondo_pixels::{PlanesRef, Stop};
use support::{LONG_GOP, ffmpeg, number, number_at, numbered};

/// Output frame rate of the imagined film.
const RATE: f64 = 30.0;

/// Groups of 40 pictures that begin with some made from the group before.
const OPEN_264: &str = "-c:v libx264 -preset veryfast -crf 20 \
                        -x264-params open-gop=1:keyint=40:min-keyint=40:bframes=3:scenecut=0";
const OPEN_265: &str = "-c:v libx265 -preset ultrafast -crf 20 \
                        -x265-params open-gop=1:keyint=40:min-keyint=40:bframes=3:scenecut=0:log-level=none";

/// The frame on show at `time` by the clip's own timetable, and its neighbour when `time` is a hair before that one.
fn expected(times: &[f64], time: f64) -> (u32, u32) {
    let on_show = |time: f64| times.iter().rposition(|&start| start <= time).unwrap_or(0) as u32;
    (on_show(time + 1e-7), on_show(time + 0.001_1))
}

fn assert_shows(video: &mut VideoDecoder, times: &[f64], time: f64, what: &str) {
    let shown = number(&video.frame_at(time).expect("a frame"));
    let (exact, early) = expected(times, time);
    assert!(shown == exact || shown == early, "{what} at {time}: frame {shown}, not {exact}");
}

/// Walks through a clip at three speeds from three in-points, then at random.
fn assert_frame_accurate(path: &Path, times: &[f64]) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut video = VideoDecoder::open(path).expect("opens");
    for speed in [0.5, 1.0, 2.5] {
        for in_point in [0.0, 1.37, 3.011] {
            for frame in 0..70 {
                let time = in_point + f64::from(frame) * speed / RATE;
                assert_shows(&mut video, times, time, &format!("{name}, speed {speed}, in-point {in_point}"));
            }
        }
    }
    for (index, &time) in times.iter().enumerate().step_by(7) {
        assert_eq!(
            number(&video.frame_at(time).expect("a frame")),
            index as u32,
            "{name}: frame {index} at its own time"
        );
    }
    for (index, &time) in times.iter().enumerate().step_by(37) {
        let shown = VideoDecoder::open(path).expect("opens").frame_at(time).expect("a frame");
        assert_eq!(number(&shown), index as u32, "{name}: frame {index} before any other");
    }
    let end = times.last().expect("frames") + 0.5;
    let mut random = 12_345u32;
    for _ in 0..40 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let time = f64::from(random >> 8) / f64::from(1 << 24) * end;
        assert_shows(&mut video, times, time, &format!("{name}, random access"));
    }
}

fn constant(rate: f64, frames: u32) -> Vec<f64> {
    (0..frames).map(|frame| f64::from(frame) / rate).collect()
}

#[test]
fn constant_rates_with_long_groups_and_b_frames_are_frame_accurate() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = 24_000.0 / 1001.0;
    for (name, rate, fps, frames) in [
        ("thirty.mp4", "30", 30.0, 300),
        ("twenty-five.mkv", "25", 25.0, 250),
        ("film.mp4", "24000/1001", film, 240),
        ("film.mkv", "24000/1001", film, 240),
        ("sixty.mp4", "60", 60.0, 600),
        ("stream.ts", "30", 30.0, 300),
    ] {
        let clip = numbered(&folder.path().join(name), rate, frames, "", LONG_GOP);
        assert_frame_accurate(&clip, &constant(fps, frames));
    }
}

#[test]
fn webm_and_open_groups_are_frame_accurate() {
    let folder = tempfile::tempdir().expect("a folder");
    let vp9 = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 90 -crf 20 -b:v 0";
    let clip = numbered(&folder.path().join("sixty.webm"), "60", 500, "", vp9);
    assert_frame_accurate(&clip, &constant(60.0, 500));
    for (name, coding) in [("264.mp4", OPEN_264), ("265.mp4", OPEN_265), ("265.mkv", OPEN_265)] {
        let clip = numbered(&folder.path().join(name), "30", 300, "", coding);
        assert_frame_accurate(&clip, &constant(30.0, 300));
    }
}

#[test]
fn clips_that_begin_with_sound_and_those_in_other_containers_are_frame_accurate() {
    let folder = tempfile::tempdir().expect("a folder");
    let keyed = "-c:v libx264 -preset veryfast -g 60 -bf 2 -crf 20";
    let bare = numbered(&folder.path().join("bare.mp4"), "30", 300, "", keyed);
    let from = bare.to_str().expect("text");
    let tone = ["-f", "lavfi", "-i", "sine=r=48000:d=10"];
    for name in ["sound-first.mp4", "sound-first.mkv"] {
        let clip = folder.path().join(name);
        let maps = ["-map", "1:a", "-map", "0:v", "-c:v", "copy", "-c:a", "aac"];
        let to = clip.to_str().expect("text");
        ffmpeg(&[&["-itsoffset", "0.5", "-i", from][..], &tone, &maps, &[to]].concat());
        assert_frame_accurate(&clip, &constant(30.0, 300));
    }
    for (name, coding) in
        [("clip.avi", "-c:v mpeg4 -q:v 3 -g 40"), ("clip.mov", "-c:v mjpeg -q:v 3 -pix_fmt yuvj420p")]
    {
        let clip = numbered(&folder.path().join(name), "30", 300, "", coding);
        assert_frame_accurate(&clip, &constant(30.0, 300));
    }
}

#[test]
fn streams_without_an_index_are_frame_accurate() {
    let folder = tempfile::tempdir().expect("a folder");
    let mpeg2 = "-c:v mpeg2video -q:v 2 -g 12 -bf 2";
    for (name, coding) in [
        ("open-264.ts", OPEN_264),
        ("open-265.ts", OPEN_265),
        ("mpeg2.ts", mpeg2),
        ("mpeg4.ts", "-c:v mpeg4 -q:v 2 -g 40 -bf 2"),
        ("mpeg2.mpg", mpeg2),
        ("vp8.ogg", "-c:v libvpx -deadline realtime -cpu-used 8 -g 40 -b:v 4M"),
    ] {
        // Pictures of a program stream have times of their own where they are larger than its packets.
        let clip = numbered(&folder.path().join(name), "30", 300, ",noise=c0s=20:c0f=t", coding);
        assert_frame_accurate(&clip, &constant(30.0, 300));
    }
}

/// Hashes of the pictures of a clip, asked for at every 30th of a second.
fn pictures_in_order(path: &Path, frames: u32) -> Vec<u64> {
    let mut video = VideoDecoder::open(path).expect("opens");
    (0..frames).map(|frame| picture_at(&mut video, frame)).collect()
}

fn picture_at(video: &mut VideoDecoder, frame: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    video.frame_at(f64::from(frame) / 30.0).expect("a frame").rgba().hash(&mut hasher);
    hasher.finish()
}

/// Asks for pictures of a clip in another order, and for each before any other.
fn assert_same_in_any_order(path: &Path, frames: u32) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let in_order = pictures_in_order(path, frames);
    let mut video = VideoDecoder::open(path).expect("opens");
    for step in (0..frames).step_by(3) {
        let frame = step * 89 % frames;
        let alone = picture_at(&mut VideoDecoder::open(path).expect("opens"), frame);
        let after_others = picture_at(&mut video, frame);
        assert_eq!([alone, after_others], [in_order[frame as usize]; 2], "{name} at frame {frame}");
    }
}

#[test]
fn a_clip_with_few_timestamps_decodes_the_same_from_any_position() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, coding) in [
        ("mpeg2.mpg", "-c:v mpeg2video -q:v 2 -g 12 -bf 2"),
        ("mpeg1.mpg", "-c:v mpeg1video -q:v 2 -g 12 -bf 2"),
        ("slow.mpg", "-c:v mpeg2video -b:v 100k -g 15 -bf 2"),
    ] {
        assert_same_in_any_order(&numbered(&folder.path().join(name), "30", 200, "", coding), 200);
    }
}

#[test]
fn key_frames_without_an_immediate_picture_are_not_seek_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let rolling = |bframes| {
        format!("-c:v libx264 -preset veryfast -x264-params intra-refresh=1:keyint=30:bframes={bframes}")
    };
    for bframes in [0, 3] {
        let clip = folder.path().join(format!("rolling-{bframes}.ts"));
        assert_same_in_any_order(&numbered(&clip, "30", 150, "", &rolling(bframes)), 150);
    }
}

#[test]
fn a_clip_that_starts_with_disposable_pictures_decodes_the_same_from_any_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let leading = "-c:v libx265 -preset ultrafast -x265-params open-gop=0:radl=3:keyint=50:min-keyint=50:\
                   bframes=3:scenecut=0:b-pyramid=1:b-adapt=0:log-level=none";
    let whole = numbered(&folder.path().join("whole.ts"), "25", 250, ",noise=c0s=15:c0f=t", leading);
    let cut = folder.path().join("cut.mkv");
    let (from, to) = (whole.to_str().expect("text"), cut.to_str().expect("text"));
    ffmpeg(&["-ss", "4.1", "-i", from, "-c", "copy", to]);
    assert_same_in_any_order(&cut, 120);
}

#[test]
fn a_recording_behind_another_is_not_taken_for_its_beginning() {
    let folder = tempfile::tempdir().expect("a folder");
    let keyed = "-c:v libx264 -preset veryfast -g 25 -bf 2 -crf 20";
    let mut bytes = Vec::new();
    for (name, frames) in [("first.ts", 150), ("second.ts", 120)] {
        let part = numbered(&folder.path().join(name), "30", frames, "", keyed);
        bytes.extend(std::fs::read(part).expect("reads"));
    }
    let both = folder.path().join("both.ts");
    std::fs::write(&both, bytes).expect("writes");
    let in_order = pictures_in_order(&both, 180);
    for frame in [100, 151, 158, 165, 179] {
        let alone = picture_at(&mut VideoDecoder::open(&both).expect("opens"), frame);
        assert_eq!(alone, in_order[frame as usize], "frame {frame}");
    }
}

#[test]
fn variable_rates_are_frame_accurate() {
    let folder = tempfile::tempdir().expect("a folder");
    let timing = ",settb=1/90000,setpts='(0.04*N+0.01*mod(N,3))/TB'";
    let times: Vec<f64> =
        (0..250).map(|frame| 0.04 * f64::from(frame) + 0.01 * f64::from(frame % 3)).collect();
    for name in ["variable.mp4", "variable.mkv"] {
        let coding = format!("{LONG_GOP} -enc_time_base 1:90000");
        let clip = numbered(&folder.path().join(name), "25", 250, timing, &coding);
        assert_frame_accurate(&clip, &times);
    }
}

#[test]
fn a_clip_that_starts_late_is_counted_from_its_first_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let bare = numbered(&folder.path().join("bare.mp4"), "60", 300, "", LONG_GOP);
    let clip = folder.path().join("with-sound.mkv");
    let (from, to) = (bare.to_str().expect("text"), clip.to_str().expect("text"));
    let tone = ["-f", "lavfi", "-i", "sine=r=44100:d=5"];
    ffmpeg(&[&["-i", from][..], &tone, &["-c:v", "copy", "-c:a", "aac", to]].concat());
    let start = support::ffprobe(&clip, "stream=start_time", "v:0");
    assert_ne!(start, ["start_time=0.000000"], "the clip does start late");
    let mut video = VideoDecoder::open(&clip).expect("opens");
    for frame in 0..300 {
        let shown = number(&video.frame_at(f64::from(frame) / 60.0).expect("a frame"));
        assert_eq!(shown, frame, "asked for at its own time");
    }
}

#[test]
fn a_clip_cut_by_an_edit_list_starts_at_its_first_shown_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let grouped = "-c:v libx264 -preset veryfast -g 50 -bf 3 -crf 20";
    for (name, coding) in
        [("long", LONG_GOP), ("grouped", grouped), ("mpeg4", "-c:v mpeg4 -q:v 3 -g 50 -bf 2")]
    {
        let whole = numbered(&folder.path().join("whole.mp4"), "30", 300, "", coding);
        for from in [31, 36, 69, 105] {
            let cut = folder.path().join("cut.mp4");
            let start = format!("{:.4}", f64::from(from) / 30.0 - 0.001);
            ffmpeg(&[
                "-ss",
                &start,
                "-i",
                whole.to_str().expect("text"),
                "-c",
                "copy",
                cut.to_str().expect("text"),
            ]);
            let mut video = VideoDecoder::open(&cut).expect("opens");
            let first = number(&video.frame_at(0.0).expect("a frame"));
            assert!(first.abs_diff(from) <= 1, "{name}: {first} at {start}");
            for frame in [0, 90, 2, 3, 4, 163, 1, 30] {
                let time = f64::from(frame) / 30.0;
                assert_eq!(
                    number(&video.frame_at(time).expect("a frame")),
                    first + frame,
                    "{name} from {from}"
                );
                let alone = VideoDecoder::open(&cut).expect("opens").frame_at(time).expect("a frame");
                assert_eq!(number(&alone), first + frame, "{name} from {from}, before any other");
            }
        }
    }
}

#[test]
fn a_clip_whose_first_pictures_are_lost_shows_the_first_that_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("clip.mp4"), "30", 90, "", "-c:v libx264 -g 30 -bf 2 -an");
    let first = support::ffprobe(&clip, "packet=pos,size", "v:0");
    let told = |name: &str| {
        let line = first.iter().find_map(|line| line.strip_prefix(name));
        line.and_then(|number| number.parse::<usize>().ok()).expect("a number")
    };
    let mut bytes = std::fs::read(&clip).expect("reads");
    // The units of the first packet have lengths that lead nowhere.
    bytes[told("pos=")..][..told("size=")].fill(0xff);
    std::fs::write(&clip, &bytes).expect("writes");
    let mut video = VideoDecoder::open(&clip).expect("opens");
    assert_eq!(number(&video.frame_at(0.0).expect("a frame")), 30, "the first key frame that is left");
    for frame in [0, 15, 31, 0, 30, 31] {
        let time = f64::from(frame) / 30.0;
        assert_eq!(number(&video.frame_at(time).expect("a frame")), 30 + frame);
        let alone = VideoDecoder::open(&clip).expect("opens").frame_at(time).expect("a frame");
        assert_eq!(number(&alone), 30 + frame, "before any other");
    }
}

#[test]
fn a_clip_that_starts_between_key_frames_decodes_the_same_from_any_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let rolling = "-c:v libx264 -preset veryfast -x264-params intra-refresh=1:keyint=24:bframes=0";
    let whole = numbered(&folder.path().join("whole.mp4"), "30", 120, "", rolling);
    for name in ["cut.mkv", "cut.mp4"] {
        let cut = folder.path().join(name);
        let (from, to) = (whole.to_str().expect("text"), cut.to_str().expect("text"));
        ffmpeg(&["-ss", "1", "-i", from, "-c", "copy", "-copyinkf", to]);
        let mut video = VideoDecoder::open(&cut).expect("opens");
        let first = number(&video.frame_at(0.0).expect("a frame"));
        for frame in [0, 1, 2, 50, 3, 20, 0, 30, 31] {
            let time = f64::from(frame) / 30.0;
            let shown = number(&video.frame_at(time).expect("a frame"));
            assert!(shown >= first, "{name}: {shown} after {first}");
            let alone = VideoDecoder::open(&cut).expect("opens").frame_at(time).expect("a frame");
            assert_eq!(number(&alone), shown, "{name} at {time}");
        }
    }
}

#[test]
fn first_frame_is_shown_before_the_start_and_the_last_is_held_after_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("clip.mp4"), "30", 40, "", LONG_GOP);
    let mut video = VideoDecoder::open(&clip).expect("opens");
    for (time, frame) in [(-5.0, 0), (1.4, 39), (500.0, 39), (0.0, 0), (f64::NAN, 0), (f64::INFINITY, 0)] {
        assert_eq!(number(&video.frame_at(time).expect("a frame")), frame, "at {time}");
    }
}

#[test]
fn the_same_source_frame_is_the_same_allocation() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("clip.mp4"), "10", 20, "", LONG_GOP);
    let mut video = VideoDecoder::open(&clip).expect("opens");
    let first = video.frame_at(0.30).expect("a frame");
    assert!(Arc::ptr_eq(&first, &video.frame_at(0.38).expect("a frame")));
    assert!(!Arc::ptr_eq(&first, &video.frame_at(0.42).expect("a frame")));
    assert_eq!(number(&first), 3, "a frame handed out is never written to again");
    for frame in 5..20 {
        video.frame_at(f64::from(frame) / 10.0).expect("a frame");
    }
    assert_eq!(number(&first), 3);
}

#[test]
fn rotation_metadata_turns_picture_and_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let upright = numbered(&folder.path().join("upright.mp4"), "30", 60, "", LONG_GOP);
    let from = upright.to_str().expect("text");
    let mut turns = Vec::new();
    for tag in ["rotate=90", "rotate=270", "rotate=180"] {
        let turned = folder.path().join("turned.mp4");
        ffmpeg(&["-i", from, "-c", "copy", "-metadata:s:v:0", tag, turned.to_str().expect("text")]);
        let track = probe(&turned).expect("probes").video.expect("pictures");
        let mut video = VideoDecoder::open(&turned).expect("opens");
        let frame = video.frame_at(37.0 / 30.0).expect("a frame");
        assert_eq!((frame.width, frame.height), (track.width, track.height));
        let shown = match track.rotation {
            90 => number_at(&frame, |block| (32, block * 16 + 8)),
            180 => number_at(&frame, |block| (151 - block * 16, 32)),
            270 => number_at(&frame, |block| (32, 151 - block * 16)),
            other => panic!("{tag} turns by {other}"),
        };
        assert_eq!(shown, 37, "{tag}");
        turns.push((track.rotation, frame.width));
    }
    turns.sort_unstable();
    assert_eq!(turns, [(90, 64), (180, 160), (270, 64)]);
}

#[test]
fn anamorphic_pictures_are_shown_with_square_pixels() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("wide.mp4"), "30", 10, ",setsar=2", LONG_GOP);
    let track = probe(&clip).expect("probes").video.expect("pictures");
    assert_eq!((track.width, track.height), (320, 64));
    let frame = VideoDecoder::open(&clip).expect("opens").frame_at(0.2).expect("a frame");
    assert_eq!((frame.width, frame.height), (320, 64));
    assert_eq!(number_at(&frame, |block| (block * 32 + 16, 32)), 6);
}

#[test]
fn probe_reports_sizes_rates_and_codecs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("both.mp4");
    let arguments =
        "-f lavfi -i testsrc=s=96x64:r=25:d=2 -f lavfi -i sine=r=44100:d=2 -c:v libx264 -c:a aac -ac 1";
    let mut arguments: Vec<&str> = arguments.split(' ').collect();
    arguments.push(path.to_str().expect("text"));
    ffmpeg(&arguments);
    let found = probe(&path).expect("probes");
    let (video, audio) = (found.video.expect("pictures"), found.audio.expect("sound"));
    assert!(found.container.contains("mp4"));
    assert!((found.duration - 2.0).abs() < 0.05 && (video.duration - 2.0).abs() < 1e-6);
    assert_eq!((video.width, video.height, video.frames, video.rotation), (96, 64, Some(50), 0));
    assert!((video.fps - 25.0).abs() < 1e-9 && !video.has_alpha && video.codec == "h264");
    assert_eq!((audio.sample_rate, audio.channels, audio.codec.as_str()), (44_100, 1, "aac"));
}

#[test]
fn alpha_of_vp9_and_prores_is_premultiplied() {
    let folder = tempfile::tempdir().expect("a folder");
    let red = "color=red@0.5:s=64x64:r=10:d=0.5,format=yuva444p";
    for (name, coding) in [
        ("alpha.webm", "-c:v libvpx-vp9 -pix_fmt yuva420p -deadline realtime -cpu-used 8 -crf 10 -b:v 0"),
        ("alpha.mov", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
    ] {
        let path = folder.path().join(name);
        let mut arguments = vec!["-f", "lavfi", "-i", red];
        arguments.extend(coding.split(' '));
        arguments.push(path.to_str().expect("text"));
        ffmpeg(&arguments);
        assert!(probe(&path).expect("probes").video.expect("pictures").has_alpha, "{name}");
        let frame = VideoDecoder::open(&path).expect("opens").frame_at(0.2).expect("a frame");
        assert!(!frame.opaque, "{name}");
        let pixel = &frame.rgba()[(32 * 64 + 32) * 4..][..4];
        for (value, wanted) in pixel.iter().zip([127, 0, 0, 127]) {
            assert!(value.abs_diff(wanted) <= 4, "{name}: {pixel:?}");
        }
    }
}

#[test]
fn colours_follow_matrix_range_and_depth() {
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = [200u8, 60, 120];
    for (index, (format, tags)) in [
        ("yuv420p", "colorspace=bt709:range=tv"),
        ("yuv420p", "colorspace=smpte170m:range=pc"),
        ("yuv422p", "colorspace=smpte170m:range=tv"),
        ("yuv444p", "colorspace=bt709:range=pc"),
        ("yuv420p10le", "colorspace=bt709:range=tv"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{index}.mkv"));
        let (space, range) = tags.split_once(':').expect("two tags");
        let (space, range) = (&space["colorspace=".len()..], &range["range=".len()..]);
        let source = format!(
            "color=0xC83C78:s=66x50:r=10:d=0.3,format=gbrp,scale=out_color_matrix={}:out_range={range}:\
             flags=accurate_rnd+full_chroma_int,format={format}",
            if space == "bt709" { "bt709" } else { "bt601" }
        );
        let path_text = path.to_str().expect("text");
        ffmpeg(&[
            "-f",
            "lavfi",
            "-i",
            &source,
            "-c:v",
            "libx264",
            "-qp",
            "1",
            "-colorspace",
            space,
            "-color_range",
            range,
            path_text,
        ]);
        let frame = VideoDecoder::open(&path).expect("opens").frame_at(0.0).expect("a frame");
        assert!(frame.opaque);
        for pixel in frame.rgba().chunks_exact(4) {
            for (value, wanted) in pixel.iter().zip(wanted) {
                assert!(value.abs_diff(wanted) <= 2, "{format} {tags}: {pixel:?}");
            }
        }
    }
}

#[test]
fn unreadable_files_are_named_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let whole = numbered(&at("whole.mp4"), "30", 300, "", "-c:v libx264 -g 30 -qp 4 -movflags +faststart");
    let bytes = std::fs::read(&whole).expect("reads");
    let index_last = numbered(&at("index-last.mp4"), "30", 60, "", LONG_GOP);
    let index_last = std::fs::read(index_last).expect("reads");
    std::fs::write(at("empty.mp4"), b"").expect("writes");
    std::fs::write(at("text.mp4"), "this is not a film ".repeat(500)).expect("writes");
    std::fs::write(at("headless.mp4"), &index_last[..index_last.len() / 2]).expect("writes");
    std::fs::write(at("list.m3u8"), "#EXTM3U\n#EXTINF:1,\nwhole.mp4\n").expect("writes");
    numbered(&at("bare.m2v"), "30", 30, "", "-c:v mpeg2video -q:v 3");
    for (name, reason) in [
        ("missing.mp4", "it does not exist"),
        ("empty.mp4", "it is empty"),
        ("text.mp4", "FFmpeg does not recognize its format"),
        ("headless.mp4", "it is damaged or cut short"),
        ("list.m3u8", "FFmpeg does not recognize its format"),
        ("bare.m2v", "its format is not supported"),
        (".", "it is not a file"),
    ] {
        let path = at(name);
        let sentence = format!("{} cannot be read: {reason}", path.display());
        assert_eq!(probe(&path).expect_err(name).to_string(), sentence);
        assert_eq!(VideoDecoder::open(&path).err().expect(name).to_string(), sentence);
    }
    std::fs::write(at("short.mp4"), &bytes[..bytes.len() / 2]).expect("writes");
    let mut short = VideoDecoder::open(&at("short.mp4")).expect("its first half is there");
    assert_eq!(number(&short.frame_at(1.0).expect("a frame")), 30);
    let error = short.frame_at(9.5).expect_err("its second half is not").to_string();
    assert!(error.contains("short.mp4 cannot be read: it is damaged or cut short after"), "{error}");
}

#[test]
fn files_that_name_other_files_and_sequences_of_images_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let clip = numbered(&at("clip.ts"), "30", 30, "", "-c:v libx264");
    ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=16x16:r=5:d=1", at("image-%03d.png").to_str().expect("text")]);
    let address = clip.display();
    let playlist = format!(
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1.0,\n{address}\n\
         #EXT-X-ENDLIST\n"
    );
    let script = format!("ffconcat version 1.0\nfile '{address}'\n");
    let manifest = format!(
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" \
         mediaPresentationDuration=\"PT1S\"><Period><AdaptationSet mimeType=\"video/mp2t\"><Representation id=\"1\">\
         <BaseURL>{address}</BaseURL></Representation></AdaptationSet></Period></MPD>"
    );
    let session = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n\
                   a=rtpmap:96 H264/90000\n";
    for (name, text) in [
        ("list.m3u8", playlist.as_str()),
        ("list.mp4", &playlist),
        ("list.ffconcat", &script),
        ("script.mp4", &script),
        ("film.mpd", &manifest),
        ("session.sdp", session),
    ] {
        std::fs::write(at(name), text).expect("writes");
    }
    // A name that FFmpeg reads as a pattern is the name of one file here.
    std::fs::copy(at("image-001.png"), at("pattern-%03d.png")).expect("copies");
    for name in [
        "list.m3u8",
        "list.mp4",
        "list.ffconcat",
        "script.mp4",
        "film.mpd",
        "session.sdp",
        "image-001.png",
        "image-%03d.png",
        "pattern-%03d.png",
    ] {
        let error = probe(&at(name)).expect_err(name).to_string();
        // Some random folder names in a file make it look like another format, of which it is then a damaged one.
        let refused = [
            "its format is not supported",
            "FFmpeg does not recognize its format",
            "does not exist",
            "it is damaged or cut short",
        ];
        assert!(refused.iter().any(|reason| error.ends_with(reason)), "{name}: {error}");
    }
    let concat = format!("concat:{}", at("clip.ts").display());
    assert!(probe(Path::new(&concat)).expect_err("a protocol").to_string().ends_with("it does not exist"));
}

#[test]
fn containers_and_codecs_that_are_not_documented_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, coding, reason) in [
        ("clip.nut", "-c:v mpeg4", "its format is not supported"),
        ("clip.flv", "-c:v flv1", "its format is not supported"),
        ("lossless.mkv", "-c:v ffv1", "its ffv1 track has a codec that is not supported"),
        ("old.avi", "-c:v msmpeg4", "its msmpeg4v3 track has a codec that is not supported"),
    ] {
        let clip = numbered(&folder.path().join(name), "30", 10, "", coding);
        let sentence = format!("{} cannot be read: {reason}", clip.display());
        assert_eq!(probe(&clip).expect_err(name).to_string(), sentence);
        assert_eq!(VideoDecoder::open(&clip).err().expect(name).to_string(), sentence);
    }
}

#[test]
fn a_file_with_very_many_tracks_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("clip.mp4"), "30", 5, "", LONG_GOP);
    for (tracks, is_read) in [(90, true), (120, false)] {
        let many = folder.path().join(format!("{tracks}.mp4"));
        let maps = ["-map", "0:v"].repeat(tracks);
        let start = ["-i", clip.to_str().expect("text"), "-c", "copy"];
        ffmpeg(&[&start[..], &maps, &[many.to_str().expect("text")]].concat());
        assert_eq!(probe(&many).is_ok(), is_read, "{tracks} tracks");
    }
}

#[test]
fn a_file_that_is_stopped_is_read_no_further() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = numbered(&folder.path().join("clip.mp4"), "30", 300, "", LONG_GOP);
    let stop = Stop::default();
    let mut video = VideoDecoder::of(OpenedMedia::open(&clip, &stop).expect("opens")).expect("opens");
    assert_eq!(number(&video.frame_at(1.0).expect("a frame")), 30);
    stop.set();
    assert!(video.frame_at(9.0).is_err());
    assert!(OpenedMedia::open(&clip, &stop).is_err());
    stop.clear();
    let mut video = VideoDecoder::of(OpenedMedia::open(&clip, &stop).expect("opens")).expect("opens");
    assert_eq!(number(&video.frame_at(9.0).expect("a frame")), 270);
}

#[test]
fn an_audio_file_is_not_a_video() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tone.wav");
    ffmpeg(&["-f", "lavfi", "-i", "sine=d=0.2", path.to_str().expect("text")]);
    assert!(matches!(VideoDecoder::open(&path), Err(MediaError::NoPicture { .. })));
}

#[test]
fn garbage_inside_a_file_neither_panics_nor_hangs() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip =
        numbered(&folder.path().join("clip.mp4"), "30", 90, "", "-c:v libx264 -g 30 -movflags +faststart");
    let whole = std::fs::read(&clip).expect("reads");
    let mut random = 7u32;
    for round in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..40 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = random as usize % bytes.len();
            bytes[place] = (random >> 24) as u8;
        }
        let path = folder.path().join(format!("{round}.mp4"));
        std::fs::write(&path, &bytes).expect("writes");
        if let Ok(mut video) = VideoDecoder::open(&path) {
            for time in [0.0, 2.9, 1.0, 50.0] {
                if let Err(error) = video.frame_at(time) {
                    assert!(error.to_string().contains("cannot be read"), "{error}");
                }
            }
        }
    }
}

#[test]
fn bt709_frames_are_available_as_planes_and_in_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let clip = |space: &str, range: &str| {
        let path = folder.path().join("clip.mkv");
        let source = ["-f", "lavfi", "-i", "testsrc2=s=130x64:r=10:d=0.3,format=yuv420p"];
        let tags = ["-colorspace", space, "-color_range", range, "-c:v", "libx264", "-qp", "0"];
        ffmpeg(&[&source[..], &tags[..], &[path.to_str().expect("text")]].concat());
        VideoDecoder::open(&path).expect("opens").frame_at(0.1).expect("a frame")
    };
    let frame = clip("bt709", "tv");
    let PlanesRef { y, u, v } = frame.planes().expect("planes");
    assert!(y.bytes.len() >= 130 * 63 && u.bytes.len() >= 65 * 31 && v.bytes.len() >= 65 * 31);
    for rows in [0..64, 0..7, 20..21, 31..50, 62..64] {
        for columns in [0..130, 0..65, 1..2, 33..98, 70..130] {
            let mut part = vec![0; rows.len() * columns.len() * 4];
            clip("bt709", "tv").copy_part(columns.clone(), rows.clone(), &mut part);
            let whole: Vec<u8> = rows
                .clone()
                .flat_map(|row| &frame.rgba()[(row * 130 + columns.start) * 4..(row * 130 + columns.end) * 4])
                .copied()
                .collect();
            assert!(part == whole, "rows {rows:?}, columns {columns:?}");
        }
    }
    for (space, range) in [("bt709", "pc"), ("smpte170m", "tv")] {
        let other = clip(space, range);
        assert!(other.planes().is_none(), "{space} {range}");
        assert_eq!(other.rgba().len(), other.rgba_len());
    }
}
