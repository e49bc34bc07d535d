//! Amounts of credits, as integers.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

/// An amount in thousandths of a credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Credits(i64);

impl Credits {
    pub const ZERO: Self = Self(0);

    pub const fn from_thousandths(thousandths: i64) -> Self {
        Self(thousandths)
    }

    pub const fn from_whole(credits: i64) -> Self {
        Self(credits.saturating_mul(1000))
    }

    pub const fn thousandths(self) -> i64 {
        self.0
    }

    /// Whole credits, rounded down, as balances are shown.
    pub const fn whole(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whole credits, rounded up, as charges are shown.
    pub const fn whole_up(self) -> i64 {
        -(-self.0).div_euclid(1000)
    }
}

impl Add for Credits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Credits {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Credits {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for Credits {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// `3`, `0.25`, `-1.5`.
impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        let text = format!("{}.{:03}", magnitude / 1000, magnitude % 1000);
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balances_round_down_charges_round_up_and_both_read_plainly() {
        let amount = Credits::from_thousandths(2_250);
        assert_eq!((amount.whole(), amount.whole_up()), (2, 3));
        assert_eq!(Credits::from_whole(3).whole_up(), 3);
        assert_eq!(amount.to_string(), "2.25");
        assert_eq!(Credits::from_whole(10).to_string(), "10");
        assert_eq!(Credits::ZERO.to_string(), "0");
        assert_eq!(Credits::from_thousandths(-500).to_string(), "-0.5");
    }
}
