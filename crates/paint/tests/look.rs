//! What a viewer would notice on single frames.

mod common;

use common::*;
use kurbo::{Affine, Point, Rect, Vec2};
use rondo_paint::{PaintError, Painter};
use rondo_pixels::Bitmap;
use rondo_scene::Homography;
use rondo_scene::display::*;

fn paint(items: Vec<Item>) -> Bitmap {
    Painter::new(100, 80).paint(&frame(100, 80, items), &mut Gallery).expect("paints").bitmap.clone()
}

fn show(layer: Layer) -> Bitmap {
    paint(vec![Item::Layer(layer)])
}

const RED: [u8; 4] = [255, 0, 0, 255];
const WHITE: [u8; 4] = [255; 4];

fn red_box(x0: f64, y0: f64, x1: f64, y1: f64) -> Layer {
    let r = Rect::new(x0, y0, x1, y1);
    placed(content(1, r, vec![rect(r, color(255, 0, 0, 1.0))]), Homography::IDENTITY)
}

#[test]
fn boxes_fill_exactly_their_pixels() {
    let b = show(red_box(10.0, 10.0, 30.0, 20.0));
    assert_eq!((b.pixel(10, 10), b.pixel(29, 19)), (RED, RED));
    assert_eq!((b.pixel(9, 10), b.pixel(30, 19), b.pixel(10, 20)), (WHITE, WHITE, WHITE));
}

#[test]
fn half_covered_pixels_are_half_coloured() {
    let mut moving = red_box(10.0, 10.0, 30.0, 20.0);
    moving.placement.transform = Homography::translate(0.5, 0.0);
    let still = show(moving.clone());
    moving.placement.moving = true;
    for b in [still, show(moving)] {
        assert!(b.pixel(10, 15)[1].abs_diff(128) <= 1, "{:?}", b.pixel(10, 15));
        assert!(b.pixel(30, 15)[1].abs_diff(128) <= 1);
        assert_eq!(b.pixel(11, 15), RED);
    }
}

#[test]
fn opacity_blends_with_the_background() {
    let mut layer = red_box(0.0, 0.0, 50.0, 50.0);
    layer.placement.opacity = 0.5;
    assert_eq!(show(layer).pixel(5, 5), [255, 127, 127, 255]);
}

#[test]
fn group_opacity_fades_overlapping_layers_as_one() {
    let items = vec![Item::Layer(red_box(0.0, 0.0, 40.0, 40.0)), Item::Layer(red_box(20.0, 0.0, 60.0, 40.0))];
    let group = Group { opacity: 0.5, ..Group::blended(items, BlendMode::Normal) };
    let b = paint(vec![Item::Group(group)]);
    assert_eq!(b.pixel(10, 10), b.pixel(30, 10));
    assert_eq!(b.pixel(30, 10), [255, 127, 127, 255]);
}

#[test]
fn a_blended_group_is_composited_before_it_meets_what_is_beneath() {
    let grey = Rect::new(0.0, 0.0, 100.0, 80.0);
    let ground = placed(content(2, grey, vec![rect(grey, color(100, 100, 100, 1.0))]), Homography::IDENTITY);
    let twice = vec![Item::Layer(red_box(0.0, 0.0, 40.0, 40.0)), Item::Layer(red_box(20.0, 0.0, 60.0, 40.0))];
    let b = paint(vec![
        Item::Layer(ground.clone()),
        Item::Group(Group::blended(twice.clone(), BlendMode::Difference)),
    ]);
    assert_eq!(b.pixel(10, 10), [155, 100, 100, 255]);
    assert_eq!(b.pixel(30, 10), b.pixel(10, 10), "the boxes do not blend with each other");
    assert_eq!(b.pixel(70, 10), [100, 100, 100, 255]);
    let half = Group { opacity: 0.5, ..Group::blended(twice, BlendMode::Difference) };
    let b = paint(vec![Item::Layer(ground), Item::Group(half)]);
    assert!(b.pixel(10, 10)[0].abs_diff(128) <= 1, "{:?}", b.pixel(10, 10));
}

#[test]
fn a_backdrop_filter_in_a_blended_layer_sees_what_is_beneath() {
    let grey = Rect::new(0.0, 0.0, 100.0, 80.0);
    let ground = placed(content(2, grey, vec![rect(grey, color(100, 100, 100, 1.0))]), Homography::IDENTITY);
    let mut glass = placed(content(3, grey, vec![]), Homography::IDENTITY);
    let mut double = [0.0; 20];
    [double[0], double[6], double[12], double[18]] = [2.0, 2.0, 2.0, 1.0];
    glass.placement.backdrop = Some(Backdrop {
        outline: Outline::Rect(Rect::new(0.0, 0.0, 50.0, 80.0)),
        filters: vec![Filter::Matrix(Box::new(double))],
    });
    let glass = Group::blended(vec![Item::Layer(glass)], BlendMode::Multiply);
    let b = paint(vec![Item::Layer(ground), Item::Group(glass)]);
    // 100 × 200 / 255.
    assert_eq!((b.pixel(10, 10), b.pixel(60, 10)), ([78, 78, 78, 255], [100, 100, 100, 255]));
}

#[test]
fn clips_cut_and_combine() {
    let mut layer = red_box(0.0, 0.0, 80.0, 80.0);
    let half = |r| Clip { outline: Outline::Rect(r), transform: Homography::IDENTITY };
    layer.placement.clips = vec![
        half(Rect::new(0.0, 0.0, 40.0, 80.0)),
        Clip {
            outline: Outline::RoundedRect(Rect::new(0.0, 0.0, 60.0, 40.0), [Vec2::new(20.0, 20.0); 4]),
            transform: Homography::IDENTITY,
        },
    ];
    let b = show(layer);
    assert_eq!(b.pixel(1, 1), WHITE, "outside the round corner");
    assert_eq!(b.pixel(30, 20), RED);
    assert_eq!((b.pixel(45, 20), b.pixel(20, 45)), (WHITE, WHITE));
}

#[test]
fn pictures_of_their_own_size_are_copied_exactly() {
    let r = Rect::new(0.0, 0.0, 64.0, 48.0);
    for moving in [false, true] {
        let mut layer = placed(content(2, r, vec![picture(0, 0, r, r)]), Homography::translate(7.0, 9.0));
        layer.placement.moving = moving;
        let b = show(layer);
        for (x, y) in [(0u32, 0u32), (13, 40), (63, 47)] {
            assert_eq!(b.pixel(x + 7, y + 9)[..2], [(x * 4) as u8, (y * 5) as u8]);
        }
        assert_eq!(b.pixel(6, 9), WHITE);
    }
}

#[test]
fn hard_stops_stay_hard_and_repeat() {
    let r = Rect::new(0.0, 0.0, 80.0, 20.0);
    let stops = [(0.0, 255), (0.5, 255), (0.5, 0), (1.0, 0)];
    let stops = stops.map(|(offset, v)| Stop { offset, color: color(v, 0, 0, 1.0) }).to_vec();
    let kind = GradientKind::Linear { start: Point::ORIGIN, end: Point::new(20.0, 0.0) };
    let paint = Paint::Gradient(std::sync::Arc::new(Gradient { kind, stops, repeat: true }));
    let b = show(placed(content(3, r, vec![fill(Outline::Rect(r), paint)]), Homography::IDENTITY));
    for x in 0..80 {
        assert_eq!(b.pixel(x, 5)[0], if x % 20 < 10 { 255 } else { 0 }, "{x}");
    }
}

#[test]
fn box_shadows_fall_outside_and_inset_ones_inside() {
    let r = Rect::new(30.0, 30.0, 70.0, 60.0);
    let shadow = |inset| Draw::BoxShadow {
        outline: Outline::Rect(r),
        offset: Vec2::ZERO,
        sigma: 3.0,
        spread: 0.0,
        color: color(0, 0, 0, 1.0),
        inset,
    };
    let outer = show(placed(content(4, r.inflate(12.0, 12.0), vec![shadow(false)]), Homography::IDENTITY));
    // Read off Chromium's box-shadow with a blur of 6 px.
    let falloff: Vec<u8> = (24..30).map(|x| 255 - outer.pixel(x, 45)[0]).collect();
    for (got, want) in falloff.iter().zip([9, 18, 33, 54, 82, 112]) {
        assert!(got.abs_diff(want) <= 1, "{falloff:?}");
    }
    assert_eq!(outer.pixel(31, 45), WHITE);
    let inner = show(placed(content(5, r, vec![shadow(true)]), Homography::IDENTITY));
    assert_eq!(inner.pixel(29, 45), WHITE);
    assert!(inner.pixel(30, 45)[0] < 160 && inner.pixel(50, 45)[0] > 250);
}

#[test]
fn a_backdrop_filter_changes_only_the_area_behind_its_outline() {
    let mut glass =
        placed(content(6, Rect::new(0.0, 0.0, 100.0, 20.0), vec![]), Homography::translate(0.0, 20.0));
    glass.placement.backdrop = Some(Backdrop {
        outline: Outline::Rect(Rect::new(0.0, 0.0, 100.0, 20.0)),
        filters: vec![Filter::Blur { sigma: 4.0 }],
    });
    let b = paint(vec![Item::Layer(red_box(0.0, 0.0, 50.0, 80.0)), Item::Layer(glass)]);
    assert_eq!((b.pixel(49, 10), b.pixel(50, 10)), (RED, WHITE));
    assert!((20..235).contains(&b.pixel(49, 30)[1]), "{:?}", b.pixel(49, 30));
    assert_eq!(b.pixel(0, 30), RED, "the edge of the canvas does not darken");
}

#[test]
fn turned_layers_look_the_same_still_and_moving() {
    let turn = Affine::rotate_about(0.3, (40.0, 30.0));
    let r = Rect::new(20.0, 15.0, 60.0, 45.0);
    let make = |moving| {
        let mut layer = placed(content(7, r, vec![rect(r, color(0, 0, 255, 1.0))]), turn.into());
        layer.placement.moving = moving;
        show(layer)
    };
    let (still, moving) = (make(false), make(true));
    let off: u64 = still.pixels.iter().zip(&moving.pixels).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let worst = still.pixels.iter().zip(&moving.pixels).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(worst <= Some(45) && off < 6000, "{worst:?} {off}");
}

#[test]
fn an_unchanged_frame_reports_nothing_and_a_changed_one_only_its_region() {
    let mut painter = Painter::new(100, 80);
    let items = |x: f64| {
        let mut mover = red_box(0.0, 0.0, 10.0, 10.0);
        mover.placement.transform = Homography::translate(x, 40.0);
        frame(100, 80, vec![Item::Layer(red_box(60.0, 0.0, 90.0, 20.0)), Item::Layer(mover)])
    };
    let mut areas = Vec::new();
    for x in [5.0, 5.0, 8.0] {
        let painted = painter.paint(&items(x), &mut Gallery).expect("paints");
        areas.push(painted.dirty.iter().map(|r| r.area()).sum::<i64>());
    }
    assert_eq!(areas[..2], [8000, 0]);
    assert!(areas[2] > 0 && areas[2] < 400, "{areas:?}");
}

#[test]
fn unreadable_pictures_fail_the_frame_and_the_next_one_is_painted_whole() {
    let mut painter = Painter::new(100, 80);
    let good = frame(100, 80, vec![Item::Layer(red_box(0.0, 0.0, 10.0, 10.0))]);
    let r = Rect::new(0.0, 0.0, 20.0, 20.0);
    let missing = placed(content(8, r, vec![picture(9, 0, r, r)]), Homography::IDENTITY);
    painter.paint(&good, &mut Gallery).expect("paints");
    let error = painter.paint(&frame(100, 80, vec![Item::Layer(missing)]), &mut Gallery).expect_err("fails");
    assert!(matches!(error, PaintError::Picture(_)));
    let painted = painter.paint(&good, &mut Gallery).expect("paints");
    assert_eq!(painted.dirty[0].area(), 8000);
    assert_eq!(painted.bitmap.pixel(5, 5), RED);
}

#[test]
fn the_cache_stays_within_its_budget() {
    let mut painter = Painter::with_budget(100, 80, 50_000);
    for n in 0..200u32 {
        let r = Rect::new(0.0, 0.0, 90.0, 70.0);
        let shown = content(1000 + u128::from(n), r, vec![rect(r, color(n as u8, 0, 0, 1.0))]);
        painter
            .paint(&frame(100, 80, vec![Item::Layer(placed(shown, Homography::IDENTITY))]), &mut Gallery)
            .expect("paints");
        assert!(painter.cached_bytes() <= 50_000);
    }
}

#[test]
fn pictures_turned_and_pressed_flat_paint_without_panicking() {
    let r = Rect::new(0.0, 0.0, 64.0, 48.0);
    for degrees in (2..90).step_by(4) {
        for flat in [1e-5, 1e-6, 3e-7, 1e-7, 1e-8] {
            let turn = Affine::translate((40.0, 30.0))
                * Affine::rotate(f64::from(degrees).to_radians())
                * Affine::scale_non_uniform(1.0, flat)
                * Affine::translate((-32.0, -24.0));
            let mut layer = placed(content(2100, r, vec![picture(0, 0, r, r)]), Homography::from(turn));
            layer.placement.moving = true;
            show(layer);
        }
    }
}

#[test]
fn extreme_transforms_paint_without_panicking() {
    let r = Rect::new(0.0, 0.0, 40.0, 30.0);
    let extremes = [
        Homography([0.0; 9]),
        Homography([f64::NAN; 9]),
        Homography([1e12, 0.0, 0.0, 0.0, 1e12, 0.0, 0.0, 0.0, 1.0]),
        Homography([1e-12, 0.0, 5.0, 0.0, 1e-12, 5.0, 0.0, 0.0, 1.0]),
        Homography([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.03, 0.0, 1.0]),
        Homography([1.0, 0.0, 1e300, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        Homography([-500.0, 3.0, 50.0, 2.0, 400.0, 40.0, 0.01, 0.02, 1.0]),
    ];
    for (i, transform) in extremes.into_iter().enumerate() {
        for moving in [false, true] {
            for draw in [rect(r, color(9, 9, 9, 1.0)), picture(0, 0, r, r)] {
                let hash = 2000 + i as u128;
                let mut layer = placed(content(hash, r, vec![draw.clone()]), transform);
                layer.placement.moving = moving;
                layer.placement.clips = vec![Clip { outline: Outline::Rect(r), transform }];
                layer.placement.filters = vec![Filter::Blur { sigma: 3.0 }];
                show(layer.clone());
                layer.placement.filters.clear();
                show(layer);
            }
        }
    }
}
