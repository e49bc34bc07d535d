//! When captions and their words are spoken.

use rondo_composition::{Caption, CaptionMode};
use unicode_segmentation::UnicodeSegmentation;

/// Milliseconds of the overlay's own clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub start: f64,
    pub end: f64,
}

impl Span {
    fn contains(self, ms: f64) -> bool {
        self.start <= ms && ms <= self.end
    }
}

/// A word and when it is spoken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spoken {
    pub text: String,
    pub span: Span,
}

/// Words shown together, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    pub span: Span,
    pub words: Vec<Spoken>,
}

/// The pages of a caption: itself, or one for each word.
pub(crate) fn pages(caption: &Caption, mode: CaptionMode) -> Vec<Page> {
    let span = Span { start: caption.start_ms, end: caption.end_ms };
    let words = words(caption);
    if mode != CaptionMode::OneWord {
        return vec![Page { span, words }];
    }
    let ends: Vec<f64> = words.iter().skip(1).map(|w| w.span.start).chain([span.end]).collect();
    words
        .into_iter()
        .zip(ends)
        .map(|(word, end)| {
            let shown = Span { start: word.span.start.max(span.start), end: end.min(span.end) };
            Page { span: shown, words: vec![word] }
        })
        .collect()
}

/// The words of a caption; without times of their own they share the caption's by their number of characters.
fn words(caption: &Caption) -> Vec<Spoken> {
    // White space collapses, as in HTML.
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !caption.words.is_empty() {
        return caption
            .words
            .iter()
            .map(|w| Spoken { text: tidy(&w.word), span: Span { start: w.start_ms, end: w.end_ms } })
            .collect();
    }
    let length = |word: &str| word.graphemes(true).count() as f64;
    let total: f64 = caption.text.split_whitespace().map(length).sum();
    let mut start = caption.start_ms;
    caption
        .text
        .split_whitespace()
        .map(|word| {
            let end = start + (caption.end_ms - caption.start_ms) * length(word) / total;
            let span = Span { start, end };
            start = end;
            Spoken { text: word.to_owned(), span }
        })
        .collect()
}

/// Number of the span shown at a time: the first that contains it, unless the next begins as it ends.
pub(crate) fn shown(spans: impl Iterator<Item = Span>, ms: f64) -> Option<usize> {
    let mut spans = spans.enumerate().peekable();
    while let Some((index, span)) = spans.next() {
        let goes_on = spans.peek().is_some_and(|(_, next)| next.start == span.end);
        if span.contains(ms) && !(ms == span.end && goes_on) {
            return Some(index);
        }
    }
    None
}

/// Number of the word spoken at a time: the first that contains it; where one ends as the next begins, the next.
pub(crate) fn spoken(spans: impl Iterator<Item = Span>, ms: f64) -> Option<usize> {
    let (mut found, mut before) = (None, None);
    for (index, span) in spans.enumerate() {
        if span.contains(ms) {
            let handed_over = before == Some(span.start) && ms == span.start;
            if found.is_none() || handed_over {
                found = Some(index);
            }
        }
        before = Some(span.end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans<const N: usize>(times: [(f64, f64); N]) -> impl Iterator<Item = Span> {
        times.into_iter().map(|(start, end)| Span { start, end })
    }

    #[test]
    fn both_ends_of_a_caption_show_it_unless_the_next_begins_there() {
        let apart = || spans([(100.0, 200.0), (300.0, 400.0)]);
        assert_eq!(
            [99.0, 100.0, 200.0, 250.0, 400.0].map(|ms| shown(apart(), ms)),
            [None, Some(0), Some(0), None, Some(1)]
        );
        assert_eq!(shown(spans([(100.0, 200.0), (200.0, 400.0)]), 200.0), Some(1));
    }

    #[test]
    fn of_words_that_overlap_the_first_is_lit_and_at_a_shared_boundary_the_later() {
        assert_eq!(spoken(spans([(0.0, 300.0), (200.0, 400.0)]), 250.0), Some(0));
        assert_eq!(spoken(spans([(0.0, 200.0), (200.0, 400.0)]), 200.0), Some(1));
        assert_eq!(spoken(spans([(0.0, 200.0), (250.0, 400.0)]), 220.0), None);
    }
}
