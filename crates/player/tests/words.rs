//! Texts without spaces between words: their dictionary is asked for as fonts are, and breaks their lines.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not there")]

use std::path::Path;

use rondo_player::Player;
use serde_json::json;

const INDEX: &str = "face\tInter\t400\tnormal\t-\tInter-400.ttf\n";
const THAI: &str = "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน";

/// A player with a film of one text, whose fonts are there; and the dictionaries that its first frame needs.
fn open(text: &str) -> (Player, Vec<String>) {
    let mut player = Player::new(INDEX).unwrap();
    let film = json!({"width": 320, "height": 180, "fps": 30, "durationInFrames": 30, "overlays": [
        {"id": 1, "type": "text", "from": 0, "durationInFrames": 30, "row": 1, "left": 10, "top": 10, "width": 150,
         "height": 160, "content": text, "styles": {"fontFamily": "Inter", "fontSize": "20px", "color": "#000000"}}]});
    player.open(&film, None).unwrap();
    let mut dictionaries = Vec::new();
    for name in player.needs(0).fonts {
        if name.starts_with("dictionaries/") {
            dictionaries.push(name);
        } else {
            let bytes =
                std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts").join(&name));
            player.font(&name, Some(bytes.unwrap()));
        }
    }
    assert_eq!(player.needs(0).fonts, dictionaries);
    (player, dictionaries)
}

fn pixels(player: &mut Player) -> Vec<u8> {
    player.paint(0, false).unwrap();
    player.bitmap().unwrap().pixels.clone()
}

#[test]
fn each_language_asks_for_its_own_dictionary() {
    for (text, file) in [
        ("လူတိုင်းသည်", "dictionaries/burmese.bin"),
        ("មនុស្សទាំងអស់", "dictionaries/khmer.bin"),
        ("ມະນຸດທຸກຄົນ", "dictionaries/lao.bin"),
        (THAI, "dictionaries/thai.bin"),
    ] {
        assert_eq!(open(text).1, [file]);
    }
    for text in ["Hello", "Привет", "你好，世界", "مرحبا", "๑๒๓"] {
        assert_eq!(open(text).1, [""; 0], "{text}");
    }
}

#[test]
fn the_text_is_laid_out_again_when_its_dictionary_comes() {
    let (mut player, lacking) = open(THAI);
    let before = pixels(&mut player);
    let bytes =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(&lacking[0])).unwrap();
    player.font(&lacking[0], Some(bytes));
    assert_eq!(player.needs(0).fonts, [""; 0]);
    assert!(pixels(&mut player) != before, "its lines break elsewhere");
}

#[test]
fn a_dictionary_that_cannot_be_loaded_is_not_awaited() {
    let (mut player, lacking) = open(THAI);
    let before = pixels(&mut player);
    player.font(&lacking[0], None);
    assert_eq!(player.needs(0).fonts, [""; 0]);
    assert!(pixels(&mut player) == before);
}
