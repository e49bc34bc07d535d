//! Captions: which word is lit when, where words stand, and what templates and styles make of them.
#![allow(clippy::unwrap_used, reason = "what the tests build is there")]

use std::path::Path;
use std::sync::{Arc, LazyLock};

use kurbo::{Point, Rect};
use rondo_composition::{Composition, Limits};
use rondo_scene::display::{Content, Draw, Frame, Item, Layer, Outline, Paint};
use rondo_scene::{MediaInfo, Notice, Scene, World};
use rondo_text::{Catalog, GlyphRun, Origin, TextEngine};
use serde_json::{Value, json};

struct NoMedia;

impl World for NoMedia {
    fn media(&self, _: &str) -> Option<MediaInfo> {
        None
    }
}

static FONTS: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts");
    let mut catalog = Catalog::default();
    for file in ["Inter-400", "Inter-500", "Inter-600", "Montserrat-800", "RubikMonoOne-400"] {
        let bytes = std::fs::read(folder.join(format!("{file}.ttf"))).unwrap();
        catalog.add(bytes, Origin::Bundled).unwrap();
    }
    Arc::new(catalog)
});

/// Three words of 400 ms, one after the other.
fn counting() -> Value {
    let word = |text: &str, start: u32| json!({"word": text, "startMs": start, "endMs": start + 400, "confidence": 1});
    json!([{"text": "one two three", "startMs": 0, "endMs": 1200,
            "words": [word("one", 0), word("two", 400), word("three", 800)]}])
}

fn untimed(text: &str) -> Value {
    json!([{"text": text, "startMs": 0, "endMs": 1000, "words": []}])
}

struct Show {
    scene: Scene,
    notices: Vec<Notice>,
}

fn show(captions: Value, template: &str, styles: Value) -> Show {
    show_at(30, captions, template, styles)
}

fn show_at(fps: u32, captions: Value, template: &str, styles: Value) -> Show {
    let page = json!({"width": 800, "height": 400, "fps": fps, "durationInFrames": 300, "overlays": [
        {"id": 1, "type": "caption", "from": 0, "durationInFrames": 300, "row": 0, "left": 100, "top": 100,
         "width": 600, "height": 200, "captions": captions, "template": template, "styles": styles}]});
    let read = Composition::read(&page, Limits::default()).unwrap();
    let (scene, notices) = Scene::new(&read.composition, &mut TextEngine::new(FONTS.clone()), &NoMedia);
    Show { scene, notices }
}

fn layers(frame: &Frame) -> Vec<&Layer> {
    let mut layers = Vec::new();
    for item in &frame.items {
        let Item::Layer(layer) = item else { panic!("a group where a layer was expected") };
        layers.push(layer);
    }
    layers
}

fn glyphs(content: &Content) -> Option<(&GlyphRun, Point, [u8; 4])> {
    content.draws.iter().find_map(|draw| match draw {
        Draw::Glyphs { run, origin, paint: Paint::Solid(color) } => Some((&**run, *origin, color.rgba8())),
        _ => None,
    })
}

/// The colour and place of the first box a content fills.
fn filled(content: &Content) -> Option<(Rect, [u8; 4])> {
    content.draws.iter().find_map(|draw| match draw {
        Draw::Fill { outline, paint: Paint::Solid(color), .. } => match outline {
            Outline::Rect(rect) | Outline::RoundedRect(rect, _) => Some((*rect, color.rgba8())),
            Outline::Path(..) => None,
        },
        _ => None,
    })
}

/// A word as it is seen.
#[derive(Debug)]
struct Seen {
    lit: bool,
    /// Where its first glyph begins on the canvas.
    x: f64,
    baseline: f64,
    scale: f64,
    size: f32,
    color: [u8; 4],
    /// On the canvas.
    box_: Option<(Rect, [u8; 4])>,
    content: Arc<Content>,
}

impl Show {
    fn words(&self, frame: u32) -> Vec<Seen> {
        let frame = self.scene.frame(frame);
        layers(&frame).into_iter().filter_map(seen).collect()
    }

    fn lit(&self, frame: u32) -> Vec<usize> {
        let words = self.words(frame);
        (0..words.len()).filter(|i| words[*i].lit).collect()
    }

    fn lit_word(&self, frame: u32) -> Seen {
        self.words(frame).into_iter().find(|w| w.lit).expect("a lit word")
    }

    fn block(&self, frame: u32) -> Option<Rect> {
        let frame = self.scene.frame(frame);
        let block = layers(&frame).into_iter().find(|l| glyphs(&l.content).is_none())?;
        filled(&block.content).map(|(rect, _)| block.placement.transform.map_rect(rect).unwrap())
    }
}

fn seen(layer: &Layer) -> Option<Seen> {
    let (run, origin, color) = glyphs(&layer.content)?;
    let transform = layer.placement.transform;
    let at = transform.apply(origin).unwrap();
    let box_ = filled(&layer.content).map(|(rect, color)| (transform.map_rect(rect).unwrap(), color));
    Some(Seen {
        lit: layer.placement.opacity == 1.0,
        x: at.x,
        baseline: at.y,
        scale: transform.0[0],
        size: run.size,
        color,
        box_,
        content: layer.content.clone(),
    })
}

#[test]
fn the_word_being_spoken_is_lit_at_every_frame_rate() {
    for fps in [24, 25, 30, 60] {
        let show = show_at(fps, counting(), "classic", json!({}));
        for frame in 0..fps * 6 / 5 {
            let ms = f64::from(frame) / f64::from(fps) * 1000.0;
            assert_eq!(show.lit(frame), [(ms / 400.0) as usize], "frame {frame} at {fps} fps");
        }
    }
}

#[test]
fn a_caption_is_gone_after_its_end() {
    let show = show(counting(), "classic", json!({}));
    assert_eq!(show.words(36).len(), 3, "its last millisecond belongs to it");
    assert!(show.scene.frame(37).items.is_empty());
}

#[test]
fn words_without_times_share_the_captions_time_by_their_characters() {
    let show = show(untimed("a bbb cccccc"), "classic", json!({}));
    let lit: Vec<usize> = [0, 2, 3, 11, 12, 29].into_iter().flat_map(|frame| show.lit(frame)).collect();
    assert_eq!(lit, [0, 0, 1, 1, 2, 2]);
}

#[test]
fn lighting_a_word_moves_and_repaints_no_other() {
    let show = show(counting(), "classic", json!({}));
    let (before, after) = (show.words(6), show.words(18));
    assert_eq!((before[2].x, before[2].baseline), (after[2].x, after[2].baseline));
    assert_eq!(before[2].content.hash, after[2].content.hash);
    assert_eq!(show.words(30)[0].x, after[0].x);
}

#[test]
fn the_highlight_grows_for_300_ms() {
    let show = show(counting(), "hustle", json!({}));
    let scales = [12, 15, 18, 21, 23].map(|frame| (show.lit_word(frame).scale * 1000.0).round());
    assert_eq!(scales, [1000.0, 1027.0, 1053.0, 1080.0, 1080.0]);
}

#[test]
fn without_a_scale_the_word_jumps() {
    let show = show(counting(), "bold", json!({}));
    assert_eq!(show.lit_word(12).scale, 1.08);
}

#[test]
fn a_transition_sets_the_time_and_fades_colour_and_background() {
    let highlight = json!({"transition": "all 0.2s ease", "color": "#000", "backgroundColor": "#f00"});
    let show = show(counting(), "classic", json!({"color": "#fff", "highlightStyle": highlight}));
    let half = show.lit_word(15);
    assert_eq!(half.color, [128, 128, 128, 255]);
    assert!((half.scale - 1.03).abs() < 1e-9);
    assert!(matches!(half.content.draws[0], Draw::Group { opacity: 0.5, .. }));
    assert_eq!(show.lit_word(18).color, [0, 0, 0, 255]);
}

#[test]
fn templates_set_size_colours_and_scale() {
    let white = [255, 255, 255, 255];
    type Rgba = [u8; 4];
    type Row = (&'static str, f32, Rgba, Option<Rgba>, Rgba, f64);
    let rows: [Row; 14] = [
        ("classic", 35.2, white, Some([59, 130, 246, 235]), white, 1.06),
        ("hustle", 35.2, white, Some([255, 59, 59, 255]), white, 1.08),
        ("medusa", 32.0, white, Some([34, 197, 94, 242]), white, 1.06),
        ("minimal", 24.0, white, Some([0, 0, 0, 204]), white, 1.02),
        ("neon", 35.2, white, Some([139, 92, 246, 64]), [240, 171, 252, 255], 1.07),
        ("handwritten", 35.2, white, Some([34, 197, 94, 230]), white, 1.08),
        ("retro", 28.8, [255, 215, 0, 255], Some([255, 69, 0, 255]), [255, 215, 0, 255], 1.05),
        ("cinematic", 38.4, white, Some([245, 158, 11, 230]), white, 1.06),
        ("gradient", 35.2, white, Some([0, 0, 0, 255]), white, 1.05),
        ("future", 33.6, [226, 232, 240, 255], Some([14, 165, 233, 38]), [56, 189, 248, 255], 1.06),
        ("default", 24.0, white, None, white, 1.08),
        ("modern", 28.0, white, None, white, 1.08),
        ("bold", 32.0, white, None, white, 1.08),
        ("highlight", 26.0, white, Some([255, 235, 59, 255]), [0, 0, 0, 255], 1.08),
    ];
    for (name, size, color, lit_background, lit_color, scale) in rows {
        let show = show(counting(), name, json!({}));
        let words = show.words(11);
        assert!((words[1].size - size).abs() < 0.03, "{name}: {}", words[1].size);
        assert_eq!(words[1].color, color, "{name}");
        assert_eq!(words[0].color, lit_color, "{name}");
        assert_eq!(words[0].box_.map(|(_, color)| color), lit_background, "{name}");
        assert!((words[0].scale - scale).abs() < 1e-9, "{name}: {}", words[0].scale);
    }
}

#[test]
fn styles_override_the_template_field_by_field() {
    let show = show(counting(), "Hustle", json!({"fontSize": "3em", "highlightStyle": {"color": "#00f"}}));
    let words = show.words(11);
    assert_eq!(words[1].size, 48.0);
    assert_eq!(words[0].color, [0, 0, 255, 255]);
    assert_eq!(words[0].box_.unwrap().1, [255, 59, 59, 255]);
}

#[test]
fn captions_without_a_known_template_are_classic_and_the_author_is_told() {
    let show = show(counting(), "husle", json!({}));
    assert_eq!(show.lit_word(11).box_.unwrap().1, [59, 130, 246, 235]);
    let notice = &show.notices[0];
    assert_eq!((notice.code, notice.path.as_str()), ("UNKNOWN_CAPTION_TEMPLATE", "overlays[0].template"));
    assert!(notice.hint.as_deref().unwrap().contains("hustle"));
}

#[test]
fn styles_without_a_known_template_stand_alone() {
    for template in ["", "husle"] {
        let show = show(counting(), template, json!({"color": "#ff0"}));
        let lit = show.lit_word(11);
        assert!(lit.box_.is_none(), "{:?}", lit.box_);
        assert_eq!((lit.color, lit.scale), ([255, 255, 0, 255], 1.08));
        let shadows = lit.content.draws.iter().filter(|draw| matches!(draw, Draw::Group { .. }));
        assert_eq!(shadows.count(), 0);
    }
    let classic = show(counting(), "", json!({}));
    assert!(classic.lit_word(11).box_.is_some());
}

#[test]
fn values_that_cannot_be_read_are_named_by_their_path() {
    let styles = json!({"color": "blurple", "highlightStyle": {"padding": "wide", "transition": "soon"}});
    let show = show(counting(), "classic", styles);
    let paths: Vec<&str> = show.notices.iter().map(|n| n.path.as_str()).collect();
    for field in ["color", "highlightStyle.padding", "highlightStyle.transition"] {
        assert!(paths.contains(&format!("overlays[0].styles.{field}").as_str()), "{field} in {paths:?}");
    }
}

#[test]
fn a_missing_font_is_told_once() {
    let show = show(counting(), "classic", json!({"fontFamily": "Nowhere Sans"}));
    let missing: Vec<_> = show.notices.iter().filter(|n| n.code == "FONT_NOT_RESOLVED").collect();
    assert_eq!(missing.len(), 1, "{missing:?}");
}

/// All words lit and of their own size, so that their boxes can be seen.
fn boxed(styles: Value) -> Value {
    let mut styles = styles;
    styles["mode"] = json!("karaoke");
    styles["highlightStyle"]["scale"] = json!(1);
    styles["highlightStyle"]["backgroundColor"] = json!("#123456");
    styles
}

/// The boxes of the words that are lit.
fn boxes_lit(show: &Show, frame: u32) -> Vec<Rect> {
    show.words(frame).iter().filter(|w| w.lit).filter_map(|w| w.box_).map(|(rect, _)| rect).collect()
}

fn boxes(show: &Show, frame: u32) -> Vec<Rect> {
    show.words(frame).iter().map(|w| w.box_.unwrap().0).collect()
}

#[test]
fn neighbours_stand_six_pixels_apart_in_a_block_centred_in_the_box() {
    let show = show(counting(), "classic", boxed(json!({"backgroundColor": "#fff", "padding": "10px 30px"})));
    let (words, block) = (boxes(&show, 36), show.block(36).unwrap());
    for pair in words.windows(2) {
        assert!((pair[1].x0 - pair[0].x1 - 6.0).abs() <= 1.0, "{pair:?}");
    }
    assert!((words[0].x0 - block.x0 - 32.0).abs() <= 1.0);
    assert!((block.x1 - words[2].x1 - 32.0).abs() <= 1.0);
    assert_eq!(words[0].y0 - block.y0, 10.0);
    assert!((block.center() - Point::new(400.0, 200.0)).hypot() <= 1.0, "{block:?}");
}

#[test]
fn words_that_do_not_fit_go_to_the_next_row_of_a_block_as_wide_as_the_box() {
    let text = "many more words than a single row of this caption could ever hold";
    let show = show(untimed(text), "classic", boxed(json!({"backgroundColor": "#fff"})));
    let (words, block) = (boxes(&show, 30), show.block(30).unwrap());
    assert_eq!((block.x0, block.x1), (100.0, 700.0));
    let mut rows: Vec<f64> = words.iter().map(|w| w.y0).collect();
    rows.dedup();
    assert!(rows.len() >= 2);
    assert!((rows[1] - rows[0] - words[0].height() - 2.0).abs() <= 1.0, "rows are 2 px apart");
    for row in &rows {
        let row: Vec<&Rect> = words.iter().filter(|w| w.y0 == *row).collect();
        let middle = (row[0].x0 + row[row.len() - 1].x1) / 2.0;
        assert!((middle - 400.0).abs() <= 1.0, "every row is centred");
    }
}

#[test]
fn text_align_moves_the_block_and_its_rows() {
    let x = |align: &str| show(counting(), "classic", boxed(json!({"textAlign": align, "padding": "0"})));
    assert_eq!(boxes(&x("left"), 36)[0].x0, 102.0);
    assert_eq!(boxes(&x("right"), 36)[2].x1, 698.0);
}

#[test]
fn a_highlight_border_takes_its_room_on_every_word() {
    let plain = show(counting(), "classic", json!({}));
    let bordered = show(counting(), "classic", json!({"highlightStyle": {"border": "5px solid red"}}));
    let between = |show: &Show| show.words(36)[1].x - show.words(36)[0].x;
    assert!((between(&bordered) - between(&plain) - 10.0).abs() < 0.01);
}

#[test]
fn a_caption_too_tall_for_its_box_stays_centred_and_is_clipped() {
    let text = "a great many very large words";
    let show = show(untimed(text), "classic", json!({"fontSize": "120px", "backgroundColor": "#fff"}));
    let block = show.block(5).unwrap();
    assert!(block.height() > 200.0 && (block.center().y - 200.0).abs() <= 1.0, "{block:?}");
    let frame = show.scene.frame(5);
    let clip = &layers(&frame)[0].placement.clips[0];
    let Outline::Rect(rect) = clip.outline else { panic!("not a rectangle") };
    assert_eq!(clip.transform.map_rect(rect), Some(Rect::new(100.0, 100.0, 700.0, 300.0)));
}

#[test]
fn a_long_caption_turns_its_pages_as_it_is_spoken() {
    let text =
        "a caption that goes on and on until nobody could read the half of it in a box of this small size";
    let count = text.split(' ').count();
    let words: Vec<Value> = text
        .split(' ')
        .zip(0..)
        .map(|(word, i)| json!({"word": word, "startMs": i * 300, "endMs": i * 300 + 200, "confidence": 1}))
        .collect();
    let captions = json!([{"text": text, "startMs": 0, "endMs": count * 300, "words": words}]);
    let show = show(
        captions,
        "classic",
        boxed(json!({"fontSize": "60px", "backgroundColor": "#fff", "highlightStyle": {"fontWeight": 500}})),
    );
    let (mut seen, mut page) = (0, Vec::new());
    for index in 0..count {
        let (at, later) = (index as u32 * 9, index as u32 * 9 + 8);
        let shown: Vec<(f64, f64)> = show.words(at).iter().map(|w| (w.x, w.baseline)).collect();
        let moved: Vec<(f64, f64)> = show.words(later).iter().map(|w| (w.x, w.baseline)).collect();
        assert_eq!(shown, moved, "nothing moves between two words");
        if shown != page {
            (seen, page) = (index, shown);
            assert!(page.len() > 1 && page.len() < count, "several words at a time");
            let block = show.block(at).unwrap();
            assert!(block.y0 >= 100.0 && block.y1 <= 300.0, "a page is within the box: {block:?}");
        }
        let lit = boxes_lit(&show, at);
        assert_eq!(lit.len(), index - seen + 1, "the word spoken is on the page, at word {index}");
    }
    assert!(seen > 0 && seen + page.len() == count, "the last page ends with the last word");
}

#[test]
fn karaoke_words_stay_lit() {
    let show = show(counting(), "classic", json!({"mode": "karaoke"}));
    assert_eq!(show.lit(18), [0, 1]);
}

#[test]
fn progressive_words_appear_when_they_are_spoken() {
    let show = show(counting(), "classic", json!({"mode": "progressive"}));
    assert_eq!([6, 18, 30].map(|frame| show.words(frame).len()), [1, 2, 3]);
}

#[test]
fn one_word_captions_show_the_word_alone_in_the_middle() {
    let show = show(counting(), "classic", json!({"mode": "one-word", "highlightStyle": {"scale": 1}}));
    for frame in [6, 18, 30] {
        let words = show.words(frame);
        assert_eq!(words.len(), 1);
        let middle = words[0].box_.unwrap().0.center().x;
        assert!((middle - 400.0).abs() <= 1.0, "{middle}");
    }
}

#[test]
fn a_filled_word_is_lit_as_far_as_it_is_spoken() {
    let show = show(counting(), "classic", json!({"mode": "fill"}));
    let frame = show.scene.frame(18);
    let layers = layers(&frame);
    let lit: Vec<&&Layer> = layers.iter().filter(|l| l.placement.opacity == 1.0).collect();
    assert_eq!((layers.len(), lit.len()), (5, 2), "three words, two of them lit over themselves");
    let Outline::Rect(part) = lit[1].placement.clips[0].outline else { panic!("not a rectangle") };
    let (whole, _) = filled(&lit[1].content).unwrap();
    assert!((part.x1 - whole.center().x).abs() <= 1.0, "half of the second word after half its time");
}

#[test]
fn a_transform_of_the_lit_word_replaces_the_jump_and_comes_before_a_scale() {
    let center = |styles: Value| {
        let shown = show(counting(), "default", json!({ "highlightStyle": styles }));
        assert!(shown.notices.is_empty(), "{:?}", shown.notices);
        let frame = shown.scene.frame(35);
        let lit =
            layers(&frame).last().map(|layer| (layer.placement.transform, layer.content.bounds)).unwrap();
        (lit.0.apply(lit.1.center()).unwrap(), lit.0.scale_at(lit.1.center()))
    };
    let (still, grown) = center(json!({}));
    assert!((grown - 1.08).abs() < 1e-9);
    let (lifted, plain) = center(json!({"transform": "translateY(-10px)"}));
    assert!((plain - 1.0).abs() < 1e-9 && (lifted.y - still.y + 10.0).abs() < 1.0, "{lifted:?} {still:?}");
    let (_, both) = center(json!({"transform": "scale(2)", "scale": 1.5}));
    assert!((both - 3.0).abs() < 1e-6, "{both}");
}

#[test]
fn words_change_case_after_they_were_timed() {
    let small = show(untimed("one three"), "default", json!({}));
    let large = show(untimed("one three"), "default", json!({"textTransform": "uppercase"}));
    let runs = |show: &Show, frame: u32| {
        let frame = show.scene.frame(frame);
        let of = |layer: &&Layer| {
            glyphs(&layer.content).map(|(run, ..)| run.glyphs.iter().map(|g| g.id).collect())
        };
        layers(&frame).iter().filter_map(of).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(runs(&small, 0).len(), 2);
    assert_ne!(runs(&small, 0), runs(&large, 0));
}

#[test]
fn captions_that_their_box_cuts_are_told_once_with_the_worst_of_them() {
    let told = |size: u32, height: u32, texts: [&str; 2]| -> Vec<(String, String)> {
        let captions: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| json!({"text": text, "startMs": at * 1000, "endMs": at * 1000 + 900, "words": []}))
            .collect();
        let styles = json!({"fontFamily": "Inter", "fontSize": format!("{size}px"), "lineHeight": 1, "padding": "0px",
                            "highlightStyle": {"padding": "0px"}});
        let page = json!({"width": 800, "height": 400, "durationInFrames": 90, "overlays": [
            {"id": 1, "type": "caption", "from": 0, "durationInFrames": 90, "row": 0, "left": 0, "top": 0,
             "width": 800, "height": height, "captions": captions, "styles": styles}]});
        let read = Composition::read(&page, Limits::default()).unwrap();
        let (_, notices) = Scene::new(&read.composition, &mut TextEngine::new(FONTS.clone()), &NoMedia);
        notices.into_iter().map(|n| (format!("{} {}", n.code, n.path), n.message)).collect()
    };
    let cut = told(80, 60, ["acorn", "gypsy"]);
    assert_eq!(cut.len(), 1, "{cut:?}");
    assert_eq!(cut[0].0, "TEXT_INK_CLIPPED overlays[0].captions[1].text");
    assert!(
        cut[0].1.ends_with("of the letters are cut off at the bottom of the 800 × 60 box."),
        "{}",
        cut[0].1
    );
    assert_eq!(told(40, 60, ["acorn", "gypsy"]), []);
}

#[test]
fn the_word_at_a_point_is_found() {
    let Show { scene, .. } = show(counting(), "", json!({"fontSize": "40px"}));
    let words = show(counting(), "", json!({"fontSize": "40px"})).words(3);
    let [one, two, three] = [0, 1, 2].map(|index: usize| &words[index]);
    let said = |x: f64, y: f64| scene.said_at(3, 0, Point::new(x, y));
    let middle = one.baseline - 10.0;
    assert_eq!(said(one.x + 5.0, middle), Some(0.0));
    assert_eq!(said(two.x + 5.0, middle), Some(400.0));
    assert_eq!(said(three.x + 5.0, middle), Some(800.0));
    // Beside the words the nearest one counts.
    assert_eq!(said(790.0, middle), Some(800.0));
    assert_eq!(said(one.x - 50.0, 390.0), Some(0.0));
    // Nothing is said any more, or there is no such overlay.
    assert_eq!(scene.said_at(200, 0, Point::new(two.x, middle)), None);
    assert_eq!(scene.said_at(3, 7, Point::new(two.x, middle)), None);
}

#[test]
fn words_that_are_not_shown_yet_are_not_found() {
    let Show { scene, .. } = show(counting(), "", json!({"fontSize": "40px", "mode": "progressive"}));
    assert_eq!(scene.said_at(3, 0, Point::new(700.0, 200.0)), Some(0.0));
    assert_eq!(scene.said_at(30, 0, Point::new(700.0, 200.0)), Some(800.0));
}
