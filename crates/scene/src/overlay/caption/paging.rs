//! Long captions in pages.
//!
//! What overflows a box is centred and clipped. That is meant for captions of a readable length; of a longer one, whole
//! rows would never be seen. Such a caption is shown page by page, as many rows as the box holds.

use std::ops::Range;

use kurbo::{Rect, Size};
use rondo_composition::CaptionRoom;
use unicode_segmentation::UnicodeSegmentation;

use super::rows::Rows;
use super::timing::{Page, Span};

/// The pages of a caption set in rows: one page while every word is visible or it is of a readable length.
pub(crate) fn turned(page: Page, rows: &Rows, size: Size, room: CaptionRoom) -> Vec<Page> {
    let unseen = |(_, rect): &(_, Rect)| rect.y1 <= 0.0 || rect.y0 >= size.height;
    if !is_long(&page, room) || !rows.words.iter().any(unseen) {
        return vec![page];
    }
    let rects: Vec<Rect> = rows.words.iter().map(|(_, rect)| *rect).collect();
    let lines = lines(&rects);
    let around = rows.block.height() - height(&rects, 0..rects.len());
    let mut parts: Vec<Range<usize>> = Vec::new();
    for line in lines {
        match parts.last_mut().filter(|p| height(&rects, p.start..line.end) + around <= size.height) {
            Some(part) => part.end = line.end,
            None => parts.push(line),
        }
    }
    rescue_last_word(&mut parts, &rects);
    split(page, &parts)
}

/// A last page of one word gets the last word of the page before too, where the two fit into a row.
fn rescue_last_word(parts: &mut [Range<usize>], rects: &[Rect]) {
    let [.., before, last] = parts else { return };
    if last.len() != 1 || before.len() < 3 {
        return;
    }
    let (left, moved, word) = (rects[last.start - 2], rects[last.start - 1], rects[last.start]);
    let gap = moved.x0 - left.x1;
    let widest = lines(rects).into_iter().map(|line| rects[line.end - 1].x1 - rects[line.start].x0);
    if gap >= 0.0 && moved.width() + gap + word.width() <= widest.fold(0.0, f64::max) {
        before.end -= 1;
        last.start -= 1;
    }
}

fn is_long(page: &Page, room: CaptionRoom) -> bool {
    let characters = page.words.iter().map(|word| word.text.graphemes(true).count() + 1).sum::<usize>();
    page.words.len() > room.words || characters > room.characters + 1
}

/// The words of each row: a new one begins where a word is not to the right of the last.
fn lines(rects: &[Rect]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for index in 0..rects.len() {
        match lines.last_mut().filter(|_| rects[index].x0 > rects[index - 1].x0) {
            Some(line) => line.end = index + 1,
            None => lines.push(index..index + 1),
        }
    }
    lines
}

fn height(rects: &[Rect], part: Range<usize>) -> f64 {
    rects[part].iter().copied().reduce(|a, b| a.union(b)).map_or(0.0, |all| all.height())
}

/// A page lasts until the first word of the next is spoken.
fn split(page: Page, parts: &[Range<usize>]) -> Vec<Page> {
    let mut start = page.span.start;
    let mut pages = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let next = parts.get(index + 1).map_or(page.span.end, |next| page.words[next.start].span.start);
        let end = next.clamp(start, page.span.end.max(start));
        pages.push(Page { span: Span { start, end }, words: page.words[part.clone()].to_vec() });
        start = end;
    }
    pages
}
