//! A frame's pixels do not depend on what was painted before it.

mod common;

use std::sync::Arc;

use common::*;
use kurbo::{Affine, Rect, Vec2};
use proptest::prelude::*;
use rondo_css::BLEND_MODES;
use rondo_paint::Painter;
use rondo_pixels::{Bitmap, IRect, Picture};
use rondo_scene::display::*;
use rondo_scene::{Homography, PictureError, Pictures};

const W: u32 = 160;
const H: u32 = 120;

fn any_content() -> impl Strategy<Value = (u128, u8)> {
    (0u128..40).prop_map(|n| (n, (n % 7) as u8))
}

fn build((hash, kind): (u128, u8)) -> Arc<Content> {
    let tone =
        color((hash * 37 % 256) as u8, (hash * 91 % 256) as u8, 90, if hash % 3 == 0 { 0.6 } else { 1.0 });
    let w = 20.0 + (hash % 11) as f64 * 6.0;
    let r = Rect::new(0.0, 0.0, w, 40.0);
    let round = Outline::RoundedRect(r.inset(-4.0), [Vec2::new(8.0, 6.0); 4]);
    let draws = match kind {
        0 => vec![rect(r, tone)],
        1 => vec![fill(round, Paint::Solid(tone))],
        2 => vec![fill(
            round,
            Paint::Gradient(Arc::new(Gradient {
                kind: GradientKind::Linear { start: r.origin(), end: (w, 40.0).into() },
                stops: vec![
                    Stop { offset: 0.0, color: tone },
                    Stop { offset: 0.5, color: color(255, 255, 0, 1.0) },
                    Stop { offset: 1.0, color: color(0, 0, 255, 0.2) },
                ],
                repeat: false,
            })),
        )],
        3 => vec![picture(0, 0, Rect::new(3.0, 2.0, 60.0, 40.0), r)],
        4 => vec![picture(1, hash as i64 * 7, Rect::new(0.0, 0.0, 64.0, 48.0), r)],
        5 => vec![
            Draw::BoxShadow {
                outline: Outline::Rect(r.inset(-12.0)),
                offset: Vec2::new(2.0, 3.0),
                sigma: 3.0,
                spread: 1.0,
                color: color(0, 0, 0, 0.7),
                inset: false,
            },
            rect(r.inset(-12.0), tone),
        ],
        _ => vec![Draw::Group {
            draws: vec![rect(r.inset(-10.0), tone)],
            filters: vec![Filter::Blur { sigma: 2.5 }],
            clip: Some(Outline::Rect(r.inset(-5.0))),
            opacity: 0.8,
        }],
    };
    content(hash, r, draws)
}

fn any_transform() -> impl Strategy<Value = (Homography, bool)> {
    let at = (-60.0..160.0, -40.0..120.0);
    prop_oneof![
        (at.clone(), any::<bool>())
            .prop_map(|((x, y), m): ((f64, f64), bool)| (Homography::translate(x.round(), y.round()), m)),
        (at.clone(), any::<bool>()).prop_map(|((x, y), m)| (Homography::translate(x, y), m)),
        (at.clone(), 0.2..3.0, 0.3..2.0, any::<bool>()).prop_map(|((x, y), sx, sy, m)| {
            (Homography::from(Affine::translate((x, y)) * Affine::scale_non_uniform(sx, sy)), m)
        }),
        (at.clone(), -3.2..3.2, 0.3..2.0, any::<bool>()).prop_map(|((x, y), angle, s, m)| {
            (Homography::from(Affine::translate((x, y)) * Affine::rotate(angle) * Affine::scale(s)), m)
        }),
        (at, -0.004..0.004, -0.004..0.004).prop_map(|((x, y), g, h)| {
            (Homography::translate(x, y) * Homography([1.0, 0.1, 0.0, 0.05, 1.0, 0.0, g, h, 1.0]), true)
        }),
    ]
}

fn any_clips() -> impl Strategy<Value = Vec<Clip>> {
    let one = (0.0..100.0, 0.0..80.0, 10.0..90.0, 10.0..70.0, any::<bool>(), -0.5..0.5).prop_map(
        |(x, y, w, h, whole, angle): (f64, f64, f64, f64, bool, f64)| {
            if whole {
                let r = Rect::new(x.round(), y.round(), (x + w).round(), (y + h).round());
                Clip { outline: Outline::Rect(r), transform: Homography::IDENTITY }
            } else {
                let r = Rect::new(0.0, 0.0, w, h);
                Clip {
                    outline: Outline::RoundedRect(r, [Vec2::new(5.0, 5.0); 4]),
                    transform: (Affine::translate((x, y)) * Affine::rotate(angle)).into(),
                }
            }
        },
    );
    prop_oneof![3 => Just(vec![]), 1 => proptest::collection::vec(one, 1..3)]
}

fn any_filters() -> impl Strategy<Value = Vec<Filter>> {
    prop_oneof![
        5 => Just(vec![]),
        1 => (0.5..15.0).prop_map(|sigma| vec![Filter::Blur { sigma }]),
        1 => Just(vec![Filter::DropShadow { offset: Vec2::new(3.0, 4.5), sigma: 2.0, color: color(0, 0, 0, 0.5) }]),
    ]
}

fn any_layer() -> impl Strategy<Value = Item> {
    let opacity = prop_oneof![2 => Just(1.0f32), 1 => 0.0f32..1.0];
    let backdrop = prop_oneof![
        6 => Just(None),
        1 => (1.0..6.0).prop_map(|sigma| Some(vec![Filter::Blur { sigma }])),
    ];
    (any_content(), any_transform(), opacity, any_clips(), any_filters(), backdrop).prop_map(
        |(c, (transform, moving), opacity, clips, filters, backdrop)| {
            let content = build(c);
            let backdrop = backdrop.map(|filters| Backdrop {
                outline: Outline::RoundedRect(content.bounds, [Vec2::new(6.0, 6.0); 4]),
                filters,
            });
            Item::Layer(Layer {
                content,
                placement: Placement { transform, moving, opacity, clips, filters, backdrop },
            })
        },
    )
}

fn any_item() -> impl Strategy<Value = Item> {
    let opacity = prop_oneof![2 => 0.2f32..1.0, 1 => Just(1.0f32)];
    let blend = prop_oneof![2 => Just(0), 1 => 1..BLEND_MODES.len()].prop_map(|i| BLEND_MODES[i].1);
    let layers = proptest::collection::vec(any_layer(), 1..3);
    let group = (layers, opacity, any_clips(), any_filters(), blend.clone()).prop_map(
        |(items, opacity, clips, filters, blend)| {
            Item::Group(Group { items, opacity, clips, filters, blend })
        },
    );
    let blended =
        (any_layer(), blend).prop_map(|(layer, blend)| Item::Group(Group::blended(vec![layer], blend)));
    prop_oneof![4 => any_layer(), 1 => group, 1 => blended]
}

fn alone(frame: &Frame) -> Bitmap {
    Painter::new(W, H).paint(frame, &mut Gallery).expect("paints").bitmap.clone()
}

/// The same pictures; the first source is not available.
struct Slow;

impl Pictures for Slow {
    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        Gallery.picture(picture)
    }

    fn at_hand(&self, picture: &PictureRef) -> bool {
        picture.source != 0
    }
}

#[test]
fn hidden_layers_below_a_pending_picture_may_be_damaged() {
    let (all, canvas) = (Rect::new(0.0, 0.0, 64.0, 48.0), Rect::new(0.0, 0.0, W.into(), H.into()));
    let item = |source: u32| {
        let content = content(u128::from(source), canvas, vec![picture(source, 0, all, canvas)]);
        Item::Layer(placed(content, Homography::IDENTITY))
    };
    let hidden = frame(W, H, vec![item(9), item(0)]);
    let painted = Painter::new(W, H).paint(&hidden, &mut Slow).expect("it is hidden").bitmap.clone();
    assert!(painted == alone(&frame(W, H, vec![item(0)])));
    let seen = frame(W, H, vec![item(0), item(9)]);
    assert!(Painter::new(W, H).paint(&seen, &mut Slow).is_err());
}

/// The same pictures, identified by their times. Number 1 arrives while the painter waits for the first one.
#[derive(Default)]
struct Arriving(Vec<i64>);

impl Pictures for Arriving {
    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        self.0.push(picture.time_us);
        Gallery.picture(picture)
    }

    fn at_hand(&self, picture: &PictureRef) -> bool {
        !self.0.is_empty() && picture.time_us == 1
    }
}

#[test]
fn pictures_that_become_ready_are_painted_before_pending_ones() {
    let all = Rect::new(0.0, 0.0, 64.0, 48.0);
    let item = |number: i64| {
        let place = all + Vec2::new(20.0 * number as f64, 0.0);
        let content = content(number as u128, place, vec![picture(0, number, all, place)]);
        Item::Layer(placed(content, Homography::IDENTITY))
    };
    let frame = frame(W, H, vec![item(1), item(2), item(0)]);
    let mut pictures = Arriving::default();
    let painted = Painter::new(W, H).paint(&frame, &mut pictures).expect("paints").bitmap.clone();
    assert_eq!(pictures.0, [0, 1, 2]);
    assert!(painted == alone(&frame));
}

fn changed_outside(before: &Bitmap, after: &Bitmap, dirty: &[IRect]) -> bool {
    (0..H as i32).any(|y| {
        (0..W as i32).any(|x| {
            let pixel = IRect::new(x, y, x + 1, y + 1);
            before.span(y, x, x + 1) != after.span(y, x, x + 1) && !dirty.iter().any(|d| d.contains(&pixel))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_frame_painted_after_others_equals_the_frame_painted_alone(
        pool in proptest::collection::vec(any_item(), 3..8),
        picks in proptest::collection::vec(proptest::collection::vec(0usize..8, 0..6), 2..5),
    ) {
        let mut painter = Painter::with_budget(W, H, 400_000);
        let mut before: Option<Bitmap> = None;
        for pick in picks {
            let mut items: Vec<Item> = pick.iter().map(|i| pool[i % pool.len()].clone()).collect();
            items.insert(0, pool[0].clone());
            let frame = frame(W, H, items);
            let painted = painter.paint(&frame, &mut Gallery).expect("paints");
            prop_assert!(*painted.bitmap == alone(&frame), "dirty {:?}", painted.dirty);
            if let Some(before) = &before {
                prop_assert!(!changed_outside(before, painted.bitmap, painted.dirty));
            }
            before = Some(painted.bitmap.clone());
        }
    }

    #[test]
    fn pending_pictures_look_the_same(
        items in proptest::collection::vec(any_item(), 3..8),
    ) {
        let frame = frame(W, H, items);
        let mut painter = Painter::new(W, H);
        let painted = painter.paint(&frame, &mut Slow).expect("paints");
        prop_assert!(*painted.bitmap == alone(&frame));
    }

    #[test]
    fn static_items_copied_from_the_background_look_the_same(
        still in proptest::collection::vec(any_item(), 3..6),
        moving in proptest::collection::vec(any_item(), 14),
        swapped in 6usize..12,
    ) {
        let mut painter = Painter::new(W, H);
        for (number, top) in moving.iter().enumerate() {
            let mut items = still.clone();
            // Half-way through, an item in the middle goes away.
            if number >= swapped {
                items.remove(1);
            }
            items.push(top.clone());
            // Over the whole canvas: the background is only kept where much is painted again and again.
            let whole = Rect::new(0.0, 0.0, f64::from(W), f64::from(H));
            let tone = color(10 * number as u8, 80, 200, 0.2);
            items.push(Item::Layer(placed(
                content(1000 + number as u128, whole, vec![rect(whole, tone)]),
                Homography::IDENTITY,
            )));
            let frame = frame(W, H, items);
            let painted = painter.paint(&frame, &mut Gallery).expect("paints");
            prop_assert!(*painted.bitmap == alone(&frame), "frame {number}, dirty {:?}", painted.dirty);
        }
    }
}
