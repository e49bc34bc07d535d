//! Every output frame shows the source frame that is on show then: the last one that starts at or before
//! `videoStartTime + f · speed / R`.

mod common;

use common::*;
use rondo_render::Film;
use serde_json::{Value, json};

const RATE: u32 = 30;
const SIZE: [f64; 4] = [0.0, 0.0, CODE_WIDTH as f64, CODE_HEIGHT as f64];
const CANVAS: [u32; 2] = [CODE_WIDTH as u32, CODE_HEIGHT as u32];

/// The frame shown by the clip's timestamps. The painter receives times in whole microseconds.
fn on_show(times: &[f64], time: f64) -> u32 {
    times.iter().rposition(|start| *start <= time + 1e-6).unwrap_or(0) as u32
}

fn constant(rate: f64, frames: u32) -> Vec<f64> {
    (0..frames).map(|frame| f64::from(frame) / rate).collect()
}

fn clip(id: u32, src: &str, start: f64, speed: f64, more: Value) -> Value {
    let mut overlay = overlay(id, "video", SIZE, more);
    overlay["src"] = json!(src);
    overlay["videoStartTime"] = json!(start);
    overlay["speed"] = json!(speed);
    overlay
}

/// Shows a clip at three speeds from three in-points, one after the other, and reads the number of every frame.
fn assert_frame_accurate(studio: &Studio, src: &str, times: &[f64]) {
    const SPAN: u32 = 36;
    let plays: Vec<(f64, f64)> = [0.5, 1.0, 2.5]
        .into_iter()
        .flat_map(|speed| [0.0, 0.73, 1.911].map(|start| (speed, start)))
        .collect();
    let overlays: Vec<Value> = plays
        .iter()
        .enumerate()
        .map(|(index, (speed, start))| {
            let timing = json!({"from": index as u32 * SPAN, "durationInFrames": SPAN});
            clip(index as u32, src, *start, *speed, timing)
        })
        .collect();
    let mut film = studio.film(&composition(CANVAS, RATE, SPAN * plays.len() as u32, &overlays));
    for (index, (speed, start)) in plays.iter().enumerate() {
        for local in 0..SPAN {
            let time = start + f64::from(local) * speed / f64::from(RATE);
            let shown = still_number(&mut film, index as u32 * SPAN + local, 0, 0);
            let wanted = on_show(times, time);
            assert_eq!(shown, wanted, "{src} at speed {speed} from {start} s, frame {local} ({time} s)");
        }
    }
}

#[test]
fn clips_of_30_frames_a_second_are_frame_accurate() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 150, "", LONG_GOP);
    assert_frame_accurate(&studio, "clip.mp4", &constant(30.0, 150));
}

#[test]
fn clips_of_25_frames_a_second_with_short_groups_are_frame_accurate() {
    let studio = Studio::new();
    let groups = "-c:v libx264 -preset veryfast -g 17 -sc_threshold 0 -bf 2 -crf 20";
    studio.numbered("clip.mp4", "25", 130, "", groups);
    assert_frame_accurate(&studio, "clip.mp4", &constant(25.0, 130));
}

#[test]
fn clips_of_film_rate_are_frame_accurate() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "24000/1001", 120, "", LONG_GOP);
    assert_frame_accurate(&studio, "clip.mp4", &constant(24_000.0 / 1001.0, 120));
}

#[test]
fn clips_of_60_frames_a_second_are_frame_accurate() {
    let studio = Studio::new();
    studio.numbered("clip.mkv", "60", 300, "", LONG_GOP);
    assert_frame_accurate(&studio, "clip.mkv", &constant(60.0, 300));
}

#[test]
fn clips_of_variable_rate_are_frame_accurate() {
    let studio = Studio::new();
    let timing = ",settb=1/90000,setpts='(0.03*N+0.01*mod(N,3)+if(gt(N,30),0.6,0))/TB'";
    studio.numbered("clip.mp4", "25", 120, timing, &format!("{LONG_GOP} -enc_time_base 1:90000"));
    let pause = |frame: u32| if frame > 30 { 0.6 } else { 0.0 };
    let times: Vec<f64> =
        (0..120).map(|frame| 0.03 * f64::from(frame) + 0.01 * f64::from(frame % 3) + pause(frame)).collect();
    assert_frame_accurate(&studio, "clip.mp4", &times);
}

#[test]
fn encoded_film_shows_the_same_source_frames() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "24000/1001", 100, "", LONG_GOP);
    let film = studio
        .render(&composition(CANVAS, RATE, 60, &[clip(1, "clip.mp4", 0.77, 1.5, json!({}))]), "out.mp4");
    let times = constant(24_000.0 / 1001.0, 100);
    let frames = decode_frames(&film, CODE_WIDTH, CODE_HEIGHT);
    assert_eq!(frames.len(), 60);
    for (frame, pixels) in frames.iter().enumerate() {
        let wanted = on_show(&times, 0.77 + frame as f64 * 1.5 / 30.0);
        assert_eq!(number(pixels, CODE_WIDTH, 3, 0, 0), wanted, "frame {frame}");
    }
}

#[test]
fn frames_asked_for_in_any_order_show_the_same_source_frames() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 120, "", LONG_GOP);
    let mut film = studio.film(&composition(CANVAS, RATE, 80, &[clip(1, "clip.mp4", 1.0, 1.0, json!({}))]));
    for step in 0..80 {
        let frame = step * 37 % 80;
        assert_eq!(still_number(&mut film, frame, 0, 0), 30 + frame);
    }
}

#[test]
fn last_frame_is_held_after_the_end_of_the_clip() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "25", 25, "", LONG_GOP);
    let mut film = studio.film(&composition(CANVAS, RATE, 90, &[clip(1, "clip.mp4", 0.4, 1.0, json!({}))]));
    for frame in [17, 18, 30, 60, 89] {
        assert_eq!(still_number(&mut film, frame, 0, 0), 24, "frame {frame}");
    }
    let mut beyond = studio.film(&composition(CANVAS, RATE, 2, &[clip(1, "clip.mp4", 50.0, 1.0, json!({}))]));
    assert_eq!(still_number(&mut beyond, 0, 0, 0), 24, "an in-point behind the end");
}

#[test]
fn one_clip_plays_at_two_places_and_two_times() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 150, "", LONG_GOP);
    let overlays = [
        clip(1, "clip.mp4", 0.0, 1.0, json!({})),
        clip(2, "clip.mp4", 1.5, 2.0, json!({"top": CODE_HEIGHT, "from": 10})),
    ];
    let size = [CODE_WIDTH as u32, 2 * CODE_HEIGHT as u32];
    let mut film = studio.film(&composition(size, RATE, 60, &overlays));
    for frame in 10..60 {
        assert_eq!(still_number(&mut film, frame, 0, 0), frame, "the first at frame {frame}");
        let second = (45 + 2 * (frame - 10)).min(149);
        assert_eq!(still_number(&mut film, frame, 0, CODE_HEIGHT), second, "the second at frame {frame}");
    }
}

#[test]
fn segments_play_one_after_another_and_hold_their_last_frame() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 100, "", LONG_GOP);
    let segments = json!({"segments": [
        {"startFrame": 40, "endFrame": 50}, {"startFrame": 5, "endFrame": 25, "speed": 2},
    ]});
    let mut film = studio.film(&composition(CANVAS, RATE, 30, &[clip(1, "clip.mp4", 3.0, 1.0, segments)]));
    for frame in 0..30 {
        let wanted = if frame < 10 { 40 + frame } else { (5 + 2 * (frame - 10)).min(24) };
        assert_eq!(still_number(&mut film, frame, 0, 0), wanted, "frame {frame}");
    }
}

#[test]
fn rotation_in_the_file_turns_the_picture() {
    let studio = Studio::new();
    let picture = "color=red:s=32x64:r=30,format=yuv420p,drawbox=w=32:h=32:color=blue:t=fill";
    studio
        .ffmpeg(&["-f", "lavfi", "-i", picture, "-frames:v", "5", "-c:v", "libx264", "-crf", "10"], "up.mp4");
    studio.ffmpeg(&["-i", "up.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90"], "turned.mp4");
    let turned = decode_frames(&studio.path("turned.mp4"), 64, 32).swap_remove(0);
    let shown = clip(1, "turned.mp4", 0.0, 1.0, json!({"width": 64, "height": 32}));
    let mut film = studio.film(&composition([64, 32], RATE, 1, &[shown]));
    let mut halves = Vec::new();
    for x in [8, 56] {
        let [red, _, blue] = pixel(&mut film, 0, x, 16);
        let at = (16 * 64 + x as usize) * 3;
        assert_eq!(red > blue, turned[at] > turned[at + 2], "x {x}: as other players turn it");
        halves.push(red > blue);
    }
    assert!(halves[0] != halves[1], "the halves lie side by side");
}

/// Half a green screen, half a red one, for two seconds.
fn green_and_red(studio: &Studio) {
    let picture = "color=0x00ff00:s=64x32:r=30:d=2,format=rgb24,drawbox=x=32:w=32:h=32:color=0xd02010:t=fill";
    let coding = "-c:v libx264 -crf 5 -pix_fmt yuv444p -colorspace bt709 -color_range tv \
                  -vf scale=out_color_matrix=bt709:out_range=tv";
    let mut arguments = vec!["-f", "lavfi", "-i", picture];
    arguments.extend(coding.split_whitespace());
    studio.ffmpeg(&arguments, "screen.mp4");
}

/// The clip over a blue ground, from frame 0 to 30.
fn over_blue(studio: &Studio, more: Value) -> Film {
    let mut shown =
        clip(1, "screen.mp4", 0.0, 1.0, json!({"width": 64, "height": 32, "durationInFrames": 30}));
    for (key, value) in more.as_object().expect("an object") {
        shown[key] = value.clone();
    }
    let mut film = composition([64, 32], RATE, 30, &[shown]);
    film["backgroundColor"] = json!("#0000ff");
    studio.film(&film)
}

#[test]
fn green_in_a_clip_shows_what_is_behind() {
    let studio = Studio::new();
    green_and_red(&studio);
    let mut film = over_blue(&studio, json!({"greenscreen": {"enabled": true, "sensitivity": 100}}));
    for frame in [0, 14, 29] {
        assert_near(pixel(&mut film, frame, 8, 16), [0, 0, 255], 3, "the green half");
        assert_near(pixel(&mut film, frame, 56, 16), [208, 32, 16], 6, "the red half");
    }
}

#[test]
fn a_cropped_clip_keeps_its_place() {
    let studio = Studio::new();
    green_and_red(&studio);
    let crop = json!({"cropEnabled": true, "cropX": 25, "cropY": 0, "cropWidth": 50, "cropHeight": 100});
    let mut film = over_blue(&studio, json!({"styles": crop}));
    assert_near(pixel(&mut film, 9, 8, 16), [0, 0, 255], 0, "left of the crop");
    assert_near(pixel(&mut film, 9, 24, 16), [0, 255, 0], 6, "within");
    assert_near(pixel(&mut film, 9, 40, 16), [208, 32, 16], 6, "within");
    assert_near(pixel(&mut film, 9, 56, 16), [0, 0, 255], 0, "right of it");
}

#[test]
fn clips_enter_drift_and_leave_like_pictures() {
    let studio = Studio::new();
    green_and_red(&studio);
    let fade = json!({"enter": "fade", "enterDuration": 0.2, "exit": "fade", "exitDuration": 0.2});
    let mut film = over_blue(&studio, json!({"styles": {"animation": fade}}));
    assert_near(pixel(&mut film, 0, 56, 16), [0, 0, 255], 3, "not there yet");
    assert_near(pixel(&mut film, 15, 56, 16), [208, 32, 16], 6, "there");
    let [red, _, blue] = pixel(&mut film, 3, 56, 16);
    assert!((60..160).contains(&red) && (90..200).contains(&blue), "half faded: {red} {blue}");
    let [red, _, blue] = pixel(&mut film, 27, 56, 16);
    assert!((60..160).contains(&red) && (90..200).contains(&blue), "half gone: {red} {blue}");

    let pan = json!({"during": "pan-left", "duringIntensity": 2});
    let mut film = over_blue(&studio, json!({"styles": {"animation": pan}}));
    let mut edges = Vec::new();
    for frame in [0, 15, 29] {
        edges.push((0..64).find(|x| pixel(&mut film, frame, *x, 16)[0] > 100).expect("the red half"));
        for x in [0, 63] {
            assert!(pixel(&mut film, frame, x, 16)[2] < 60, "the clip fills its box at frame {frame}");
        }
    }
    assert!(edges[0] != edges[2], "the picture has moved: {edges:?}");
}

#[test]
fn an_in_point_behind_the_end_of_a_clip_is_told_and_frames_are_recognised() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 60, "", LONG_GOP);
    let at = |id: u32, start: f64| clip(id, "clip.mp4", start, 1.0, json!({"durationInFrames": 3}));
    let cut = clip(4, "clip.mp4", 90.0, 1.0, json!({"segments": [{"startFrame": 0, "endFrame": 3}]}));
    let film = studio.film(&composition(CANVAS, RATE, 3, &[at(1, 1.9), at(2, 45.0), at(3, 90.0), cut]));
    let late: Vec<_> = film.notices().iter().filter(|n| n.code == "MEDIA_START_PAST_END").collect();
    let told: Vec<(&str, &str)> =
        late.iter().map(|n| (n.path.as_str(), n.hint.as_deref().unwrap_or_default())).collect();
    assert_eq!(
        told,
        [
            (
                "overlays[1].videoStartTime",
                "videoStartTime is in seconds. If 45 is a number of frames, write 1.500."
            ),
            ("overlays[2].videoStartTime", "Write a number of seconds below 2.0."),
        ]
    );
    assert_eq!(
        late[0].message,
        "videoStartTime is 45 s and the source lasts 2.0 s, so only its last picture is shown."
    );
}
