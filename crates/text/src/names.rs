//! Names that stand for a family: CSS generics, families that others are drawn as, and tokens of older compositions.

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A CSS generic: a keyword, so never quoted.
    Generic,
    /// A family that is not available as such: the other has the same widths, or nearly so. A font of the user with this
    /// name wins.
    Stand,
    /// A token, quoted or not.
    Token,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    /// In lower case.
    pub name: &'static str,
    /// As people write it.
    pub shown: &'static str,
    pub family: &'static str,
    pub kind: Kind,
}

const fn generic(name: &'static str, family: &'static str) -> Alias {
    Alias { name, shown: name, family, kind: Kind::Generic }
}

const fn token(name: &'static str, family: &'static str) -> Alias {
    Alias { name, shown: name, family, kind: Kind::Token }
}

const fn stand(name: &'static str, shown: &'static str, family: &'static str) -> Alias {
    Alias { name, shown, family, kind: Kind::Stand }
}

/// All names. Arimo, Tinos, Cousine, Gelasio, Carlito and Caladea have the widths of the families they stand for.
#[rustfmt::skip]
pub(crate) const ALIASES: &[Alias] = &[
    generic("sans-serif", "Inter"),
    generic("serif", "Merriweather"),
    generic("monospace", "Roboto Mono"),
    generic("cursive", "Caveat"),
    generic("fantasy", "Bungee Inline"),
    generic("system-ui", "Inter"),
    generic("ui-sans-serif", "Inter"),
    generic("ui-serif", "Merriweather"),
    generic("ui-monospace", "Roboto Mono"),
    generic("ui-rounded", "Nunito"),
    generic("-apple-system", "Inter"),
    generic("blinkmacsystemfont", "Inter"),
    generic("math", "Noto Sans Math"),
    generic("emoji", "Noto Color Emoji"),
    stand("arial", "Arial", "Arimo"),
    stand("helvetica", "Helvetica", "Arimo"),
    stand("helvetica neue", "Helvetica Neue", "Arimo"),
    stand("liberation sans", "Liberation Sans", "Arimo"),
    stand("times new roman", "Times New Roman", "Tinos"),
    stand("times", "Times", "Tinos"),
    stand("liberation serif", "Liberation Serif", "Tinos"),
    stand("courier new", "Courier New", "Cousine"),
    stand("courier", "Courier", "Cousine"),
    stand("liberation mono", "Liberation Mono", "Cousine"),
    stand("georgia", "Georgia", "Gelasio"),
    stand("calibri", "Calibri", "Carlito"),
    stand("cambria", "Cambria", "Caladea"),
    token("font-sans", "Inter"),
    token("font-serif", "Merriweather"),
    token("font-mono", "Roboto Mono"),
    token("font-retro", "VT323"),
    token("font-league-spartan", "League Spartan"),
    token("font-bungee-inline", "Bungee Inline"),
];

/// The row of a name in any case.
pub(crate) fn find(name: &str, kind: Kind) -> Option<&'static Alias> {
    ALIASES.iter().find(|alias| alias.kind == kind && alias.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_name_with_its_family() {
        let guide = include_str!("../../../docs/fonts.md").to_lowercase();
        for alias in ALIASES {
            assert_eq!(alias.name, alias.shown.to_lowercase());
            let row = |line: &&str| line.contains(alias.name) && line.contains(&alias.family.to_lowercase());
            assert!(guide.lines().any(|line| row(&line)), "{}", alias.shown);
        }
    }
}
