//! Names that other editors and animation libraries have for our presets. An alias is listed where ours moves the same
//! way; distances and bounces may differ. `docs/compatibility.md` lists them all.

use crate::nearest::letters;

/// The aliases of one preset.
#[derive(Debug)]
pub struct Aliases {
    pub preset: &'static str,
    pub names: &'static [&'static str],
}

const fn row(preset: &'static str, names: &'static [&'static str]) -> Aliases {
    Aliases { preset, names }
}

/// Aliases of the presets of `enter` and `exit`. An entrance named after the side it comes from moves to the other one:
/// `fadeInLeft` is `slide-right`.
pub const OF_PRESETS: &[Aliases] = &[
    row("fade", &["fadeSlow", "fadeFast", "crossfade", "dissolve", "opacity"]),
    row(
        "slide-right",
        &[
            "slideIn",
            "fadeRight",
            "fadeInLeft",
            "fadeInLeftBig",
            "fadeOutRight",
            "fadeOutRightBig",
            "slideInLeft",
            "slideInFromLeft",
            "slideFromLeft",
            "slideOutRight",
            "slideOutToRight",
            "flyInLeft",
        ],
    ),
    row(
        "slide-left",
        &[
            "fadeLeft",
            "fadeInRight",
            "fadeInRightBig",
            "fadeOutLeft",
            "fadeOutLeftBig",
            "slideInRight",
            "slideInFromRight",
            "slideFromRight",
            "slideOut",
            "slideOutLeft",
            "slideOutToLeft",
            "flyInRight",
        ],
    ),
    row(
        "slide-up",
        &[
            "rise",
            "fadeUp",
            "fadeInUp",
            "fadeInUpBig",
            "fadeOutUp",
            "fadeOutUpBig",
            "slideInUp",
            "slideInFromBottom",
            "slideFromBottom",
            "slideOutUp",
            "slideOutToTop",
            "flyIn",
            "flyInBottom",
            "floatUp",
        ],
    ),
    row(
        "slide-down",
        &[
            "fadeDown",
            "fadeInDown",
            "fadeInDownBig",
            "fadeOutDown",
            "fadeOutDownBig",
            "slideInDown",
            "slideInFromTop",
            "slideFromTop",
            "slideOutDown",
            "slideOutToBottom",
            "flyInTop",
        ],
    ),
    row("diagonal-slide", &["fadeInTopLeft", "fadeOutBottomRight"]),
    row("scale", &["scaleIn", "scaleOut", "scaleUp", "grow", "growIn", "shrink", "shrinkOut"]),
    row("bounce", &["bounceInUp", "bounceOutDown", "bounceUp"]),
    row("bounce-in-down", &["bounceOutUp", "bounceDown"]),
    row("flip", &["flipIn", "flipOut", "flipInX", "flipOutX", "flipUp", "flipDown"]),
    row("flip-y", &["flipInY", "flipOutY", "flipLeft", "flipRight", "swivel"]),
    row("zoom-blur", &["blurZoom", "zoomBlurIn", "zoomBlurOut"]),
    row("glitch", &["glitchIn", "glitchOut"]),
    row("swipe-reveal", &["reveal", "wipeIn", "wipeOut", "swipe"]),
    row("float-in", &["floatOut"]),
    row("spin", &["spinIn", "spinOut"]),
    row("rotate-in", &["rotateOut"]),
    row("wobble", &["wiggle"]),
    row("drop", &["dropIn", "fall", "fallIn"]),
    row("squeeze", &["squash", "squashIn"]),
    row("roll", &["rollOut"]),
    row("swing", &["swingIn"]),
    row("blur", &["blurOut", "focusIn", "focusOut"]),
    row("shake", &["shakeX", "headShake"]),
    row("curtain", &["wipeDown"]),
    row("fold", &["foldIn", "foldOut", "unfold"]),
    row("elastic", &["elasticIn", "elasticOut"]),
    row("elastic-scale", &["popIn", "popOut", "bounceIn", "bounceOut"]),
    row("zoom-in", &["zoomInSlow", "zoomInFast"]),
    row("zoom-out", &["stomp", "zoomOutSlow", "zoomOutFast"]),
    row("light-speed", &["lightSpeedIn", "lightSpeedInRight", "lightSpeedOut", "lightSpeedOutRight"]),
    row(
        "typing",
        &[
            "type",
            "typeOn",
            "textTypewriter",
            "word",
            "words",
            "wordByWord",
            "letter",
            "letterByLetter",
            "character",
        ],
    ),
];

/// Aliases of the presets of `during`.
pub const OF_DURING: &[Aliases] = &[
    row("ken-burns-in", &["kenBurns", "zoom", "zoomIn", "zoomInSlow", "zoomInFast"]),
    row("ken-burns-out", &["zoomOut", "zoomOutSlow", "zoomOutFast"]),
    row("pan-left", &["slideLeft", "slideLeftSlow", "slideLeftFast"]),
    row("pan-right", &["slideRight", "slideRightSlow", "slideRightFast"]),
    row("drift-diagonal", &["drift"]),
    row("pulse", &["pulsating", "pulsate", "throb"]),
    row("float", &["floating", "hover", "bob", "levitate"]),
    row("sway", &["swaying", "rock", "swing"]),
    row("breathe", &["breathing"]),
    row("spin", &["spinning", "rotate", "rotating"]),
];

/// The preset that `name` is an alias of, or else `name` itself.
pub(super) fn meant<'a>(name: &'a str, table: &[Aliases]) -> &'a str {
    let is = |alias: &&str| letters(alias).eq(letters(name));
    table.iter().find(|row| row.names.iter().any(&is)).map_or(name, |row| row.preset)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::motion::{during, presets};
    use crate::nearest::Lookup;

    const GUIDE: &str = include_str!("../../../../docs/compatibility.md");

    /// Every name of a table is its preset, hides no name of ours, and is in the guide beside it.
    fn check(table: &[Aliases], ours: &[&str], found: impl Fn(&str) -> Option<&'static str>) {
        let mut seen: BTreeSet<String> = ours.iter().map(|name| letters(name).collect()).collect();
        for Aliases { preset, names } in table {
            assert!(ours.contains(preset), "{preset}");
            let row = format!(
                "| `{preset}` | {} |",
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            );
            assert!(GUIDE.lines().any(|line| line == row), "docs/compatibility.md lacks: {row}");
            for name in *names {
                assert_eq!(found(name), Some(*preset), "{name}");
                assert!(seen.insert(letters(name).collect()), "{name} has another meaning");
            }
        }
    }

    #[test]
    fn every_alias_is_its_preset_and_in_the_guide() {
        let name = |found: Lookup<&'static presets::Preset>| found.known().map(|preset| preset.name);
        let ours: Vec<&str> = presets::rows().flat_map(|(name, also)| [&[name], also].concat()).collect();
        check(OF_PRESETS, &ours, |alias| name(presets::find(alias)));
        let ours: Vec<&str> = during::names().collect();
        check(OF_DURING, &ours, |alias| during::find(alias).known().map(|preset| preset.name));
    }

    #[test]
    fn aliases_are_compared_as_names_are() {
        for name in ["fadeInDown", "fade-in-down", "FADE_IN_DOWN", "Fade In Down"] {
            assert_eq!(presets::find(name).known().map(|preset| preset.name), Some("slide-down"));
        }
        assert_eq!(presets::find("fadeInSideways").known().map(|preset| preset.name), None);
    }
}
