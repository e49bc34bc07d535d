//! In which order the children of one overlay start.

use super::random;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Forward,
    Reverse,
    Center,
    Random,
}

impl Direction {
    /// The direction called `name`; forward if there is none.
    pub fn named(name: &str) -> Self {
        match name {
            "reverse" => Self::Reverse,
            "center" => Self::Center,
            "random" => Self::Random,
            _ => Self::Forward,
        }
    }

    /// For each of `n` children the number of stagger steps it waits.
    pub fn order(self, n: usize) -> Vec<usize> {
        match self {
            Self::Forward => (0..n).collect(),
            Self::Reverse => (0..n).rev().collect(),
            Self::Center => (0..n).map(|i| i.abs_diff(n / 2)).collect(),
            Self::Random => {
                let mut shuffled: Vec<usize> = (0..n).collect();
                for i in (1..n).rev() {
                    let j = (random::from_text(&format!("stagger-{i}")) * (i + 1) as f64) as usize;
                    shuffled.swap(i, j);
                }
                let mut order = vec![0; n];
                for (position, child) in shuffled.into_iter().enumerate() {
                    order[child] = position;
                }
                order
            }
        }
    }
}
