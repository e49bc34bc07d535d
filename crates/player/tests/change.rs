//! A film that changes: only what is shown is prepared, what did not change is kept, and the pixels are those of a player
//! that sees the film for the first time.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not there")]

use std::path::{Path, PathBuf};

use rondo_player::{FrameInfo, Player};
use serde_json::{Value, json};

const INDEX: &str =
    "face\tInter\t400\tnormal\t-\tInter-400.ttf\nface\tMontserrat\t400\tnormal\t-\tMontserrat-400.ttf\n";

fn player() -> Player {
    Player::new(INDEX).unwrap()
}

fn fonts_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts")
}

/// Gives the fonts that a frame needs; returns their names.
fn supply(player: &mut Player, frame: u32) -> Vec<String> {
    let mut given = Vec::new();
    loop {
        let fonts = player.needs(frame).fonts;
        if fonts.is_empty() {
            return given;
        }
        for name in fonts {
            player.font(&name, Some(std::fs::read(fonts_folder().join(&name)).unwrap()));
            given.push(name);
        }
    }
}

fn pixels(player: &mut Player, frame: u32) -> Vec<u8> {
    supply(player, frame);
    player.paint(frame, false).unwrap();
    player.bitmap().unwrap().pixels.clone()
}

fn text(id: u32, from: u32, content: &str, family: &str) -> Value {
    json!({"id": id, "type": "text", "from": from, "durationInFrames": 10, "row": id, "left": 4 * id, "top": 5 * id,
           "width": 120, "height": 40, "content": content, "styles": {"fontFamily": family, "color": "#000000"}})
}

fn film(overlays: Vec<Value>) -> Value {
    json!({"width": 160, "height": 90, "fps": 30, "durationInFrames": 30, "overlays": overlays})
}

#[test]
fn a_changed_film_has_the_pixels_of_a_new_one() {
    let mut edited = player();
    let (one, two) = (text(1, 0, "One", "Inter"), text(2, 0, "Two", "Montserrat"));
    let mut moved = one.clone();
    moved["left"] = json!(30.5);
    let mut larger = film(vec![two.clone(), one.clone()]);
    larger["width"] = json!(200);
    let steps = [
        film(vec![one.clone(), two.clone()]),
        film(vec![moved.clone(), two.clone()]),
        film(vec![two.clone()]),
        film(vec![two, text(3, 0, "One", "Inter"), moved]),
        larger,
    ];
    for (number, step) in steps.iter().enumerate() {
        edited.open(step, None).unwrap();
        let mut fresh = player();
        fresh.open(step, None).unwrap();
        assert!(pixels(&mut edited, 0) == pixels(&mut fresh, 0), "step {number}");
    }
}

#[test]
fn only_what_is_shown_is_prepared_and_the_rest_when_there_is_time() {
    let mut player = player();
    let mut unreadable = text(2, 20, "Later", "Montserrat");
    unreadable["styles"]["textShadow"] = json!("nonsense");
    player.open(&film(vec![text(1, 0, "Now", "Inter"), unreadable]), None).unwrap();
    assert_eq!(supply(&mut player, 0), ["Inter-400.ttf"]);
    assert_eq!(player.notices(), []);
    assert!(!player.prepare_ahead(0), "there are two overlays");
    assert_eq!(player.fonts_ahead(), ["Montserrat-400.ttf"]);
    assert_eq!(player.needs(0).fonts, [""; 0], "the frame does not wait for them");
    let told: Vec<String> = player.notices().into_iter().map(|notice| notice.path).collect();
    assert_eq!(told, ["overlays[1].styles.textShadow"]);
    // The path follows the overlay.
    let mut unreadable = text(2, 20, "Later", "Montserrat");
    unreadable["styles"]["textShadow"] = json!("nonsense");
    player.open(&film(vec![unreadable]), None).unwrap();
    assert_eq!(player.notices()[0].path, "overlays[0].styles.textShadow");
}

#[test]
fn texts_that_were_laid_out_alike_without_their_font_get_it() {
    let mut player = player();
    let second = json!({"id": 2, "row": 2, "top": 45});
    let mut same = text(1, 0, "Same", "Montserrat");
    same.as_object_mut().unwrap().extend(second.as_object().unwrap().clone());
    player.open(&film(vec![text(1, 0, "Same", "Montserrat"), same]), None).unwrap();
    let painted = pixels(&mut player, 0);
    let is_dark = |rows: std::ops::Range<usize>| {
        painted[rows.start * 160 * 4..rows.end * 160 * 4].chunks_exact(4).any(|pixel| pixel[0] < 100)
    };
    assert!(is_dark(0..45) && is_dark(50..90));
}

#[test]
fn another_picture_for_the_same_time_is_painted() {
    let mut player = player();
    let clip = json!({"id": 1, "type": "video", "src": "a.mp4", "from": 0, "durationInFrames": 30, "row": 0,
                      "left": 0, "top": 0, "width": 160, "height": 90, "styles": {"objectFit": "fill"}});
    player.open(&film(vec![clip]), None).unwrap();
    player.clip("a.mp4", (16, 16), 1.0, false);
    let info: FrameInfo = serde_json::from_value(json!({"width": 16, "height": 16})).unwrap();
    let give = |player: &mut Player, luma: u8| {
        let planes = [vec![luma; 256], vec![128; 128]].concat();
        assert!(player.picture("a.mp4", 0, planes, info.clone()));
        pixels(player, 0)[0]
    };
    let (dark, light) = (give(&mut player, 16), give(&mut player, 235));
    assert!(dark < 10 && light > 245, "{dark} {light}");
}

#[test]
fn a_film_with_a_font_file_of_its_own_is_set_in_it() {
    let own = "https://video.example/files/upl_1.ttf";
    let mut brand = film(vec![text(1, 0, "One", "'My Brand', serif"), text(2, 0, "Two", "Inter")]);
    brand["fontFaces"] = json!([{"family": "My Brand", "src": own}]);
    let built_in = film(vec![text(1, 0, "One", "Montserrat"), text(2, 0, "Two", "Inter")]);
    let mut first = player();
    first.open(&built_in, None).unwrap();
    let wanted = pixels(&mut first, 0);

    let mut player = player();
    player.open(&brand, None).unwrap();
    assert!(player.needs(0).fonts.contains(&own.to_owned()), "{:?}", player.needs(0));
    let montserrat = std::fs::read(fonts_folder().join("Montserrat-400.ttf")).unwrap();
    player.font(own, Some(montserrat));
    assert!(pixels(&mut player, 0) == wanted);
    // A film without it has it no longer, and it does not have to come again.
    let mut other = brand.clone();
    other["fontFaces"] = json!([]);
    player.open(&other, None).unwrap();
    assert!(pixels(&mut player, 0) != wanted);
    player.open(&brand, None).unwrap();
    assert!(pixels(&mut player, 0) == wanted);
    // One that cannot be loaded is not waited for.
    brand["fontFaces"][0]["src"] = json!("https://video.example/gone.ttf");
    player.open(&brand, None).unwrap();
    player.font("https://video.example/gone.ttf", None);
    assert!(pixels(&mut player, 0) != wanted);
    let codes: Vec<&str> = player.notices().iter().map(|notice| notice.code).collect();
    assert!(codes.contains(&"FONT_NOT_RESOLVED"), "{codes:?}");
}
