//! The text of a film, taken apart at its overlays, so that a change of one does not read the others again.

use rondo_composition::{FilmFile, Limits, Overlay, read_composition_or_request};
use serde_json::Value;

/// What is read of a film.
pub struct Reading {
    pub file: FilmFile,
    pub replacements: Option<Value>,
}

/// The overlays that were read last, with their texts.
#[derive(Default)]
pub struct Known(Vec<Item>);

struct Item {
    text: String,
    overlay: Overlay,
}

impl Known {
    /// Reads a film whose overlays are mostly known; `None` when it has to be read as a whole.
    pub fn reread(&self, film: &Split<'_>) -> Option<Reading> {
        let items: Vec<Option<&Item>> = self.same(&film.overlays);
        let lacking = items.iter().zip(&film.overlays).filter(|(item, _)| item.is_none());
        let lacking: Vec<&str> = lacking.map(|(_, text)| *text).collect();
        if lacking.len() * 2 > items.len() {
            return None;
        }
        let value: Value = serde_json::from_str(&film.with(&lacking)).ok()?;
        let mut reading = read(value).ok()?;
        let composition = &mut reading.file.composition;
        let mut changed = std::mem::take(&mut composition.overlays).into_iter();
        for item in items {
            composition.overlays.push(match item {
                Some(item) => item.overlay.clone(),
                None => changed.next()?,
            });
        }
        composition.is_allowed().then_some(reading)
    }

    /// The known overlay for each text. Overlays are changed in place, or some are put in or taken out somewhere.
    fn same(&self, texts: &[&str]) -> Vec<Option<&Item>> {
        let (known, count) = (self.0.len(), texts.len());
        texts
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let from_end = (known + index).checked_sub(count);
                let places = [Some(index), from_end.filter(|place| *place != index)];
                places
                    .into_iter()
                    .flatten()
                    .filter_map(|place| self.0.get(place))
                    .find(|item| item.text == *text)
            })
            .collect()
    }

    /// Remembers a film that was read.
    pub fn remember(&mut self, film: Option<&Split<'_>>, overlays: &[Overlay]) {
        self.0.clear();
        let Some(film) = film.filter(|film| film.overlays.len() == overlays.len()) else { return };
        self.0.extend(
            film.overlays
                .iter()
                .zip(overlays)
                .map(|(text, overlay)| Item { text: (*text).to_owned(), overlay: overlay.clone() }),
        );
    }
}

/// Reads `{"composition", "replacements"?}`.
pub fn read(mut film: Value) -> Result<Reading, rondo_composition::Error> {
    let mut take = |name: &str| film.get_mut(name).map(Value::take);
    let (composition, replacements) = (take("composition").unwrap_or_default(), take("replacements"));
    let file = read_composition_or_request(&composition, Limits::WIDEST)?;
    Ok(Reading { file, replacements })
}

/// The text of a film around the texts of its overlays.
pub struct Split<'t> {
    before: &'t str,
    overlays: Vec<&'t str>,
    after: &'t str,
}

impl<'t> Split<'t> {
    /// Takes `{"composition": {"overlays": […], …}, …}` apart. Nothing else is checked, and only what has no white space
    /// between its parts is found.
    pub fn new(text: &'t str) -> Option<Self> {
        let composition = field(text, 0, "composition")?;
        let start = field(text, composition, "overlays")?;
        if text.as_bytes().get(start) != Some(&b'[') {
            return None;
        }
        let (mut overlays, mut at) = (Vec::new(), start + 1);
        if text.as_bytes().get(at) == Some(&b']') {
            return Some(Self { before: &text[..at], overlays, after: &text[at..] });
        }
        loop {
            let end = end_of_value(text.as_bytes(), at)?;
            overlays.push(text.get(at..end)?);
            at = end + 1;
            match text.as_bytes().get(end)? {
                b',' => {}
                b']' => return Some(Self { before: &text[..start + 1], overlays, after: &text[end..] }),
                _ => return None,
            }
        }
    }

    /// The film with other overlays.
    fn with(&self, overlays: &[&str]) -> String {
        [self.before, &overlays.join(","), self.after].concat()
    }
}

/// Where the value of a field begins, of the object that begins at `at`.
fn field(text: &str, at: usize, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let mut at = at + 1;
    loop {
        let colon = end_of_value(bytes, at)?;
        if bytes.get(colon) != Some(&b':') {
            return None;
        }
        let key = text.get(at..colon)?;
        if key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) == Some(name) {
            return Some(colon + 1);
        }
        let end = end_of_value(bytes, colon + 1)?;
        if bytes.get(end) != Some(&b',') {
            return None;
        }
        at = end + 1;
    }
}

/// Where a value ends that begins at `at`.
fn end_of_value(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut depth, mut at) = (0usize, at);
    loop {
        match bytes.get(at)? {
            b'"' => at = end_of_string(bytes, at + 1)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            b',' | b':' | b'}' | b']' if depth == 0 => return Some(at),
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// After the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::*;

    fn text(id: u32, content: &str) -> Value {
        json!({"id": id, "type": "text", "from": 0, "durationInFrames": 10, "row": id, "left": 0, "top": 0,
               "width": 120, "height": 40, "content": content, "styles": {}})
    }

    fn film(overlays: &[Value]) -> String {
        json!({"composition": {"colors": [], "durationInFrames": 30, "overlays": overlays, "width": 320},
               "replacements": {"a": "b"}})
        .to_string()
    }

    /// Reads films one after another; returns whether the last was read from what was known.
    fn is_reread(known: &mut Known, overlays: &[Value]) -> Option<bool> {
        let text = film(overlays);
        let split = Split::new(&text).unwrap();
        let whole = read(serde_json::from_str(&text).unwrap()).ok();
        let reread = known.reread(&split);
        if let (Some(reread), Some(whole)) = (&reread, &whole) {
            assert_eq!(reread.file.composition, whole.file.composition);
            assert_eq!(reread.replacements, whole.replacements);
        }
        assert!(whole.is_some() || reread.is_none(), "a film that is refused is read as a whole");
        let whole = whole?;
        known.remember(Some(&split), &whole.file.composition.overlays);
        Some(reread.is_some())
    }

    #[test]
    fn a_film_is_taken_apart_at_its_overlays() {
        let odd = json!({"a": "],}\\\"[{", "b": [[], {}, 1.5e3, null], "ü": "\\"});
        let text = film(&[odd.clone(), text(2, "x"), json!(7)]);
        let split = Split::new(&text).unwrap();
        assert_eq!(split.overlays.len(), 3);
        assert_eq!(serde_json::from_str::<Value>(split.overlays[0]).unwrap(), odd);
        assert_eq!(split.with(&split.overlays), text);
        assert_eq!(Split::new(&film(&[])).unwrap().overlays.len(), 0);
        for end in 0..text.len() {
            if let Some(part) = text.get(..end) {
                let _ = Split::new(part);
            }
        }
        assert!(Split::new("{\"composition\":{\"inputProps\":{}}}").is_none());
        assert!(Split::new("{\"composition\":[1]}").is_none());
    }

    #[test]
    fn overlays_that_stay_are_not_read_again() {
        let all: Vec<Value> = (0..10).map(|id| text(id, "กข")).collect();
        let mut known = Known::default();
        assert_eq!(is_reread(&mut known, &all), Some(false));
        let mut changed = all.clone();
        changed[3] = text(3, "Another");
        assert_eq!(is_reread(&mut known, &changed), Some(true));
        changed.remove(0);
        assert_eq!(is_reread(&mut known, &changed), Some(true));
        changed.insert(5, text(20, "New"));
        assert_eq!(is_reread(&mut known, &changed), Some(true));
        changed[0] = text(20, "The id of another");
        assert_eq!(is_reread(&mut known, &changed), None);
        changed[0] = json!({"id": 30});
        assert_eq!(is_reread(&mut known, &changed), None);
    }
}
