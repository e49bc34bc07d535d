//! Any string lays out.
#![allow(clippy::unwrap_used, reason = "test data is there")]

mod common;

use std::sync::Arc;

use common::{catalog, engine, style};
use rondo_text::{
    Catalog, FitRequest, Indent, Length, LineHeight, TextEngine, TextLayout, TextStyle, WrapMode,
};

/// Clusters tile the text between newlines, in order.
fn check(text: &str, layout: &TextLayout) {
    let mut at = 0;
    for cluster in &layout.clusters {
        let gap = &text[at..cluster.text_range.start];
        assert!(gap.chars().all(|ch| ch == '\n'), "{text:?} skips {gap:?}");
        at = cluster.text_range.end;
        assert!(cluster.x.is_finite() && cluster.advance.is_finite());
    }
    assert!(text[at..].chars().all(|ch| ch == '\n'), "{text:?} loses {:?}", &text[at..]);
    assert!(layout.width.is_finite() && layout.height.is_finite());
}

fn odd_texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "\u{301}\u{302}",
        "a\u{0}b\u{1}\u{7f}\u{9f}",
        "\u{202e}abc\u{202c} \u{2066}אב\u{2069}",
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷🇩 ❤️ ❤ ©",
        "\u{fe0f}\u{200d}\u{200b}\u{ad}\u{feff}",
        "مرحبا world עולם 日本語 हिन्दी ไทยภาษา",
        "\u{10ffff}\u{e000}\u{fffd}",
        "\r\r\n\n\t\t\u{b}\u{c}\u{85}\u{2028}\u{2029}",
        "     ",
        "ﷺﷺ \u{1f1e6}",
        "אבג (abc) [דהו] 123",
    ]
    .map(String::from)
    .into();
    texts.push(format!("a{}", "\u{301}".repeat(600)));
    texts.push("x".repeat(20_000));
    texts.push("\n".repeat(3_000));
    // A simple generator covers unusual combinations.
    let alphabet: Vec<char> =
        "aZ \t\n\r-\u{301}\u{200d}\u{fe0f}👍🏽🇫אע١مﷺकि്日 ﬁ\u{202e}\u{2067}\u{2069}\u{0}".chars().collect();
    let mut state = 0x2545_f491_u32;
    for _ in 0..300 {
        let text = (0..24).map(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            alphabet[state as usize % alphabet.len()]
        });
        texts.push(text.collect());
    }
    texts
}

#[test]
fn any_text_is_laid_out_whole() {
    let mut engine = engine();
    for text in odd_texts() {
        for width in [None, Some(0.0), Some(37.5), Some(f32::NAN)] {
            check(&text, &engine.layout(&text, &style("Inter", 24.0), width, WrapMode::Wrap));
        }
        let spaced = TextStyle { letter_spacing: Length::px(-3.0), ..style("Playfair Display", 24.0) };
        check(&text, &engine.layout(&text, &spaced, Some(100.0), WrapMode::Wrap));
    }
}

#[test]
fn any_number_is_survived() {
    let mut engine = engine();
    for number in [0.0, -5.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, 1e-30] {
        let style = TextStyle {
            size: number,
            letter_spacing: Length::em(number),
            word_spacing: Length::px(number),
            indent: Indent { length: Length::px(number), hanging: true, each_line: true },
            line_height: LineHeight::Factor(number),
            weight: 0,
            ..TextStyle::default()
        };
        check("some text", &engine.layout("some text", &style, Some(number), WrapMode::Wrap));
        for font_size in [None, Some(number)] {
            let fit = engine.fit(&FitRequest {
                text: "some text",
                style: &style,
                width: number,
                height: number,
                padding: std::array::from_fn(|_| Length::px(number)),
                border: [Some(Length::px(number)), Some(Length::px(number))],
                font_size,
                fixed: false,
                scale: number,
            });
            assert!(fit.size.is_finite(), "{number}");
        }
    }
}

#[test]
fn without_any_font_a_text_has_lines_and_no_glyphs() {
    let mut engine = TextEngine::new(Arc::new(Catalog::default()));
    let layout = engine.layout("one\ntwo", &style("Inter", 20.0), None, WrapMode::Wrap);
    assert_eq!((layout.lines.len(), layout.height), (2, 48.0));
    assert!(layout.lines.iter().all(|line| line.runs.is_empty()));
}

#[test]
fn what_was_laid_out_before_changes_nothing() {
    let catalog = Arc::new(catalog());
    let text = "Same text, same places: שלום 日本";
    let fresh =
        TextEngine::new(catalog.clone()).layout(text, &style("Roboto", 31.0), Some(180.0), WrapMode::Wrap);
    let mut used = TextEngine::new(catalog);
    for other in odd_texts().iter().take(40) {
        used.layout(other, &style("Inter", 12.0), Some(90.0), WrapMode::Wrap);
    }
    let again = used.layout(text, &style("Roboto", 31.0), Some(180.0), WrapMode::Wrap);
    assert_eq!(format!("{fresh:?}"), format!("{again:?}"));
}
