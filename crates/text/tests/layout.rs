//! Lines as Chromium breaks and places them. Positions were read from its client rectangles at 40 px.

mod common;

use common::{engine, style};
use rondo_css::FontFeature;
use rondo_text::{Align, Indent, Length, LineHeight, TextLayout, TextStyle, WrapMode};

fn lay(text: &str, width: f32) -> TextLayout {
    lay_styled(text, &style("Inter", 40.0), width)
}

fn lay_styled(text: &str, style: &TextStyle, width: f32) -> TextLayout {
    engine().layout(text, style, Some(width), WrapMode::Wrap)
}

fn lines<'t>(text: &'t str, layout: &TextLayout) -> Vec<&'t str> {
    layout.lines.iter().map(|line| &text[line.text_range.clone()]).collect()
}

#[track_caller]
fn near(found: f32, expected: f32) {
    assert!((found - expected).abs() < 0.04, "{found} is not {expected}");
}

#[test]
fn words_wrap_and_long_words_break_inside() {
    let text = "hello worldwide web";
    let layout = lay(text, 150.0);
    assert_eq!(lines(text, &layout), ["hello ", "worldwi", "de web"]);
    assert_eq!((layout.width, layout.height), (150.0, 144.0));
    let text = "extraordinarily";
    let layout = lay(text, 150.0);
    assert_eq!(lines(text, &layout), ["extraor", "dinarily"]);
    // The kerning of "rd" is undone at the break.
    near(layout.lines[0].width, 134.6875);
    let text = "a-b-c word-break";
    assert_eq!(lines(text, &lay(text, 150.0)), ["a-b-c ", "word-", "break"]);
}

#[test]
fn trailing_spaces_hang_on_wrapped_lines_and_take_room_on_others() {
    let text = "hello    world";
    let layout = lay(text, 130.0);
    assert_eq!(lines(text, &layout), ["hello    ", "world"]);
    near(layout.lines[0].width, 90.34);
    near(lay("abc   ", 500.0).width, 103.5625);
    near(lay("abc   \nde", 70.0).width, 70.0);
    assert_eq!(lay("abc   \nde", 70.0).lines.len(), 2);
}

#[test]
fn newlines_open_lines_but_not_at_the_very_end() {
    let heights = ["abc\n", "abc\n\n", "\n", "", "\n\nabc", "a\r\nb"].map(|text| lay(text, 500.0).height);
    assert_eq!(heights, [48.0, 96.0, 48.0, 0.0, 144.0, 96.0]);
    near(lay("a\rb", 500.0).width, 46.96875);
}

#[test]
fn tabs_reach_the_next_stop() {
    near(lay("a\tb", 500.0).width, 114.5);
    near(lay("abcdefg\tb", 500.0).width, 204.5);
}

#[test]
fn letter_spacing_leaves_joined_scripts_alone_and_lies_right_of_letters_in_both_directions() {
    let mut engine = engine();
    let mut set = |text: &str, px: f32| {
        let style = TextStyle { letter_spacing: Length::px(px), ..style("Inter", 40.0) };
        engine.layout(text, &style, None, WrapMode::NoWrap)
    };
    assert_eq!(set("مرحبا", 6.0).width, set("مرحبا", 0.0).width);
    let (spaced, plain) = (set("שלום", 6.0), set("שלום", 0.0));
    assert_eq!(spaced.width, plain.width + 24.0);
    let first = |layout: &TextLayout| layout.lines[0].runs[0].glyphs.glyphs[0].x;
    assert_eq!(first(&spaced), first(&plain), "on their right, in both directions");
}

#[test]
fn letter_spacing_follows_every_character_and_undoes_ligatures() {
    let spaced = |text: &str, family: &str, px: f32| {
        let style = TextStyle { letter_spacing: Length::px(px), ..style(family, 40.0) };
        lay_styled(text, &style, 500.0).width
    };
    near(spaced("fi ffi", "Inter", 2.0), 85.484375);
    near(spaced("office", "Playfair Display", 0.0), 99.28125);
    near(spaced("office", "Playfair Display", 2.0), 111.890625);
    near(spaced("->", "Inter", 0.0), 38.171875);
    near(spaced("->", "Inter", 1.0), 46.875);
    near(spaced("שלום abc", "Inter", 4.0), 202.15625);
}

#[test]
fn word_spacing_follows_spaces_and_widens_tab_stops() {
    let width = |text: &str, px: f32| {
        lay_styled(text, &TextStyle { word_spacing: Length::px(px), ..style("Inter", 40.0) }, 500.0).width
    };
    near(width("a b\u{a0}c", 20.0) - width("a b\u{a0}c", 0.0), 40.0);
    near(width(" a", 20.0) - width(" a", 0.0), 20.0);
    assert_eq!(width("a\u{3000}\u{2003}b", 20.0), width("a\u{3000}\u{2003}b", 0.0));
    near(width("\tb", 20.0), 274.5);
}

#[test]
fn an_indent_moves_the_first_line_and_counts_in_the_width() {
    let text = "Indented text here\nnext";
    let set = |length: Length, align, width| {
        let indent = Indent { length, ..Indent::default() };
        lay_styled(text, &TextStyle { indent, align, ..style("Inter", 20.0) }, width)
    };
    let layout = set(Length::px(50.0), Align::Left, 300.0);
    near(layout.width, 222.171_88);
    near(layout.lines[0].left, 50.0);
    near(layout.clusters[0].x, 50.0);
    near(layout.lines[1].left, 0.0);
    let layout = set(Length::px(50.0), Align::Center, 300.0);
    near(layout.lines[0].left, 50.0);
    near(layout.lines[1].left, (222.171_88 - 40.890625) / 2.0);
    let layout = set(Length::px(50.0), Align::Left, 140.0);
    assert_eq!(lines(text, &layout), ["Indented ", "text here", "next"]);
    near(layout.lines[1].left, 0.0);
    // A percentage does not widen the block, it wraps the text.
    let percent = rondo_css::Length::percent(0.5);
    let context = rondo_css::Context::new(kurbo::Size::ZERO);
    let layout = set(Length::new(percent, context, 0.0), Align::Left, 300.0);
    near(layout.width, 172.171_88);
    near(layout.lines[0].left, 86.078125);
    assert_eq!(lines(text, &layout), ["Indented ", "text here", "next"]);
}

#[test]
fn normal_lines_are_as_high_as_their_faces_ask_for() {
    let height = |text: &str, families: &str, size: f32| {
        let style = TextStyle { line_height: LineHeight::Normal, ..style(families, size) };
        lay_styled(text, &style, 500.0).height
    };
    for (family, heights) in [
        ("Inter", [20.0, 37.0, 49.0, 78.0]),
        ("Roboto", [19.0, 37.0, 47.0, 76.0]),
        ("Playfair Display", [21.0, 42.0, 53.0, 86.0]),
        ("Roboto Mono", [21.0, 40.0, 53.0, 85.0]),
        ("Space Grotesk", [21.0, 40.0, 51.0, 82.0]),
        ("Noto Sans JP", [24.0, 45.0, 58.0, 94.0]),
        ("Noto Sans Arabic", [34.0, 66.0, 85.0, 137.0]),
    ] {
        for (size, expected) in [16.0, 31.0, 40.0, 64.5].into_iter().zip(heights) {
            assert_eq!(height("Hxg 10", family, size), expected, "{family} {size}");
        }
    }
    assert_eq!(height("abc\n日本\nabc", "Inter, Noto Sans JP", 40.0), 156.0);
}

#[test]
fn features_choose_glyphs_and_the_last_value_counts() {
    let width = |features: &[(&[u8; 4], u32)]| {
        let features =
            features.iter().map(|(tag, value)| FontFeature { tag: **tag, value: *value }).collect();
        lay_styled("1110 3/4 1st 2a", &TextStyle { features, ..style("Inter", 40.0) }, 900.0).width
    };
    near(width(&[]), 270.078_13);
    near(width(&[(b"tnum", 1)]), 310.8125);
    near(width(&[(b"frac", 1)]), 236.40625);
    near(width(&[(b"tnum", 1), (b"tnum", 0)]), 270.078_13);
}

#[test]
fn letters_are_measured_for_lengths_relative_to_them() {
    let (zero, x) = engine().letter_sizes(&style("Inter", 40.0));
    near(400.0 * zero, 252.344);
    near(400.0 * x, 218.359);
}

#[test]
fn lines_align_within_the_block() {
    let aligned = |text, align, width| lay_styled(text, &TextStyle { align, ..style("Inter", 40.0) }, width);
    let layout = aligned("hello worldwide", Align::Center, 100.0);
    near(layout.lines[0].left, 4.828125);
    near(layout.lines[3].left, 38.328125);
    near(layout.clusters[0].x, 4.828125);
    near(layout.lines[0].runs[0].x, 4.828125);
    let layout = aligned("abc  def", Align::Right, 90.0);
    near(layout.lines[0].left, 20.1875);
    near(layout.lines[1].left, 27.375);
    // Nothing wrapped: the block is as wide as its longest line.
    let layout = aligned("abc\nabcabc", Align::Right, 900.0);
    assert_eq!(layout.lines[1].left, 0.0);
    near(layout.lines[0].left, layout.lines[1].width - layout.lines[0].width);
}

#[test]
fn right_to_left_words_are_placed_from_the_right() {
    let layout = lay("שלום abc", 500.0);
    near(layout.width, 170.15625);
    let x: Vec<f32> = layout.clusters.iter().map(|cluster| cluster.x).collect();
    for (found, expected) in x.iter().zip([59.875, 38.9844, 27.3594, 0.0, 89.0938, 100.3438]) {
        near(*found, expected);
    }
    assert!(layout.lines[0].runs[0].rtl && !layout.lines[0].runs[1].rtl);
    let centred = TextStyle { align: Align::Center, ..style("Inter", 40.0) };
    let layout = lay_styled("שלום עולם", &centred, 130.0);
    assert_eq!(layout.lines.len(), 2);
    near(layout.clusters[0].x, 80.3281);
    near(layout.clusters[5].x, 83.2656);
}

#[test]
fn a_fallback_glyph_does_not_move_the_baseline() {
    let plain = lay("abc", 500.0);
    let mixed = lay("abc 日本 עברית", 500.0);
    assert_eq!(plain.lines[0].baseline, mixed.lines[0].baseline);
    let fonts: std::collections::BTreeSet<u64> =
        mixed.lines[0].runs.iter().map(|run| run.glyphs.font.key).collect();
    assert_eq!(fonts.len(), 3);
}

#[test]
fn units_tell_where_words_ended_up() {
    let text = "hello worldwide web";
    let layout = lay(text, 150.0);
    let broken = layout.units(6..15);
    assert_eq!(broken.len(), 2);
    assert_eq!((broken[0].line, &text[broken[0].text_range.clone()]), (1, "worldwi"));
    assert_eq!((broken[1].line, &text[broken[1].text_range.clone()]), (2, "de"));
    let web = layout.units(16..19);
    assert_eq!(web[0].line, 2);
    near(web[0].x, 59.0625);
}

#[test]
fn ligatures_share_their_width_among_their_characters() {
    let layout = lay_styled("office", &style("Playfair Display", 40.0), 500.0);
    assert_eq!(layout.clusters.len(), 6);
    near(layout.clusters[2].x, 34.4688);
    near(layout.clusters[3].x, 47.0313);
}
