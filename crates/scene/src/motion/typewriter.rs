//! Text that is typed, sometimes wrongly, and deleted again.

use unicode_segmentation::UnicodeSegmentation;

use super::random;

/// Typewriter settings with defaults filled in; speeds and pauses in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    pub type_speed: f64,
    pub delete_speed: f64,
    pub pause_after_type: f64,
    pub pause_after_delete: f64,
    /// 0 to 1.
    pub error_rate: f64,
    pub error_correct_delay: f64,
    pub repeat: bool,
    pub delete_before_next: bool,
    pub delay: f64,
    /// Frames of one blink of the cursor.
    pub blink_speed: f64,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            type_speed: 3.0,
            delete_speed: 2.0,
            pause_after_type: 30.0,
            pause_after_delete: 15.0,
            error_rate: 0.0,
            error_correct_delay: 5.0,
            repeat: false,
            delete_before_next: true,
            delay: 0.0,
            blink_speed: 30.0,
        }
    }
}

/// What is on the page: the first characters of one of the strings, and perhaps a wrong one after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    pub string: usize,
    /// In grapheme clusters.
    pub characters: usize,
    pub wrong: Option<char>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// Typing has not begun.
    Absent,
    /// Keeps its room.
    Dark,
    Lit,
}

/// The whole sequence of a typewriter, computed once.
#[derive(Clone, Debug)]
pub struct Timeline {
    habits: Habits,
    /// Frame from which on each page is shown; not decreasing.
    pages: Vec<(f64, Page)>,
    /// Frames after which it starts again.
    total: f64,
}

const WRONG: &[u8; 67] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!? ";

/// The strings a text is typed as: its lines if each is to be deleted before the next, otherwise the whole.
pub fn strings(text: &str, delete_before_next: Option<bool>) -> Vec<&str> {
    if delete_before_next == Some(true) { text.split('\n').collect() } else { vec![text] }
}

impl Timeline {
    /// The strings are typed one after the other.
    pub fn new<S: AsRef<str>>(strings: &[S], habits: Habits) -> Self {
        let mut habits = habits;
        for time in [
            &mut habits.type_speed,
            &mut habits.delete_speed,
            &mut habits.pause_after_type,
            &mut habits.pause_after_delete,
            &mut habits.error_correct_delay,
        ] {
            *time = time.clamp(0.0, 1e6);
        }
        let mut time = 0.0;
        let mut pages = vec![(0.0, Page::default())];
        let mut show = |time: f64, string, characters, wrong| {
            pages.push(((time + 0.5).floor(), Page { string, characters, wrong }));
        };
        for (string, text) in strings.iter().enumerate() {
            let characters = text.as_ref().graphemes(true).count();
            for i in 0..characters {
                let seed = format!("typewriter-{string}-{i}");
                if habits.error_rate > 0.0 && random::from_text(&seed) < habits.error_rate {
                    let choice = random::from_text(&format!("{seed}-wrong")) * WRONG.len() as f64;
                    time += habits.type_speed;
                    show(time, string, i, WRONG.get(choice as usize).map(|&b| char::from(b)));
                    time += habits.error_correct_delay + habits.delete_speed;
                    show(time, string, i, None);
                }
                time += habits.type_speed;
                show(time, string, i + 1, None);
            }
            time += habits.pause_after_type;
            let last = string + 1 == strings.len();
            if if habits.delete_before_next { !last || habits.repeat } else { last && habits.repeat } {
                for left in (0..characters).rev() {
                    time += habits.delete_speed;
                    show(time, string, left, None);
                }
                time += habits.pause_after_delete;
            }
        }
        Self { habits, pages, total: time }
    }

    /// What is on the page at a frame, and the cursor.
    pub fn at(&self, frame: u32) -> (Page, Cursor) {
        let mut time = f64::from(frame) - self.habits.delay;
        if self.habits.repeat && self.total > 0.0 {
            time %= self.total;
        }
        let next = self.pages.partition_point(|&(from, _)| from <= time);
        let page = next.checked_sub(1).map_or(Page::default(), |i| self.pages[i].1);
        let blink = self.habits.blink_speed;
        let cursor = match time {
            t if t < 0.0 => Cursor::Absent,
            t if t % blink < blink / 2.0 => Cursor::Lit,
            _ => Cursor::Dark,
        };
        (page, cursor)
    }
}
