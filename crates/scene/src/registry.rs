//! Every name an author may write, area by area: for listings, editors and documentation.

use rondo_composition::EffectName;
use rondo_css::{EASINGS, FILTER_PRESETS};

use crate::motion::{during, layout3d, presets};
use crate::overlay::caption::templates;
use crate::{shapes, sticker};

/// What the names of an area are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// `animation.enter` and `animation.exit`.
    Animations,
    /// `animation.during`.
    During,
    /// Poses of pictures in space.
    Layouts,
    /// Contents of effect overlays.
    Effects,
    /// Contents of shape overlays.
    Shapes,
    /// Contents of sticker overlays.
    Stickers,
    /// Emoji by their CLDR short names: also contents of sticker overlays.
    Emoji,
    /// Templates of captions.
    Captions,
    Easings,
    /// Filter presets.
    Filters,
}

/// One name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: &'static str,
    /// Other names for the same.
    pub aliases: &'static [&'static str],
    /// What else there is to say, with a word for what it is: `("category", "Reviews")`.
    pub detail: Option<(&'static str, &'static str)>,
}

impl Area {
    pub const ALL: [Self; 10] = [
        Self::Animations,
        Self::During,
        Self::Layouts,
        Self::Effects,
        Self::Shapes,
        Self::Stickers,
        Self::Emoji,
        Self::Captions,
        Self::Easings,
        Self::Filters,
    ];

    /// The names of the area, in the order of its table.
    pub fn entries(self) -> Vec<Entry> {
        match self {
            Self::Animations => {
                presets::rows().map(|(name, aliases)| Entry { aliases, ..plain(name) }).collect()
            }
            Self::During => during::rows()
                .map(|row| with(row.name, "kind", if row.loops() { "loop" } else { "drift" }))
                .collect(),
            Self::Layouts => layout3d::names().map(plain).collect(),
            Self::Effects => EffectName::ALL.iter().map(|effect| plain(effect.name())).collect(),
            Self::Shapes => shapes::rows().map(|(name, aliases)| Entry { aliases, ..plain(name) }).collect(),
            Self::Stickers => {
                sticker::rows().map(|(name, category)| with(name, "category", category.name())).collect()
            }
            Self::Emoji => {
                sticker::emoji::table().iter().map(|row| with(row.name, "emoji", row.emoji)).collect()
            }
            Self::Captions => {
                templates::TEMPLATES.iter().map(|t| with(t.name, "fontFamily", t.font_family)).collect()
            }
            Self::Easings => EASINGS.iter().map(|easing| plain(easing.name)).collect(),
            Self::Filters => FILTER_PRESETS.iter().map(|filter| with(filter.id, "css", filter.css)).collect(),
        }
    }
}

fn plain(name: &'static str) -> Entry {
    Entry { name, aliases: &[], detail: None }
}

fn with(name: &'static str, word: &'static str, detail: &'static str) -> Entry {
    Entry { detail: Some((word, detail)), ..plain(name) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kurbo::Size;
    use rondo_composition::{Composition, Limits};
    use rondo_css::{Easing, parse_filters};

    use super::*;
    use crate::nearest::Lookup;

    fn accepts(area: Area, name: &str) -> bool {
        match area {
            Area::Animations => matches!(presets::find(name), Lookup::Known(_)),
            Area::During => matches!(during::find(name), Lookup::Known(_)),
            Area::Layouts => layout3d::layout(name, 0.0, Size::new(10.0, 10.0)).is_some(),
            Area::Effects => is_effect(name),
            Area::Shapes => shapes::is_known(name),
            Area::Stickers | Area::Emoji => sticker::is_known(name),
            Area::Captions => matches!(templates::find(name), Lookup::Known(_)),
            Area::Easings => Easing::parse(name).is_some(),
            Area::Filters => parse_filters(name).is_ok(),
        }
    }

    fn is_effect(name: &str) -> bool {
        let place = r#""id":1,"row":0,"from":0,"durationInFrames":1,"left":0,"top":0,"width":9,"height":9"#;
        let effect = format!(r#"{{"type":"effect","content":"{name}",{place}}}"#);
        let page =
            format!(r#"{{"width":64,"height":64,"fps":30,"durationInFrames":1,"overlays":[{effect}]}}"#);
        Composition::parse(&page, Limits::default()).is_ok()
    }

    #[test]
    fn every_name_and_alias_listed_is_accepted_and_no_other() {
        for area in Area::ALL {
            for entry in area.entries() {
                for name in [entry.name].iter().chain(entry.aliases) {
                    assert!(accepts(area, name), "{area:?}: {name}");
                }
            }
            assert!(!accepts(area, "no-such-thing"), "{area:?}");
        }
    }

    #[test]
    fn no_area_lists_a_name_twice() {
        for area in Area::ALL {
            let entries = area.entries();
            assert!(!entries.is_empty(), "{area:?}");
            let mut seen = BTreeSet::new();
            for name in entries.iter().flat_map(|e| [e.name].into_iter().chain(e.aliases.iter().copied())) {
                assert!(seen.insert(name), "{area:?}: {name}");
            }
        }
    }
}
