//! SRT and WebVTT text to captions and back.

use crate::caption::Caption;

/// Entities and what they stand for, the ampersand last: what it makes is no entity.
const ENTITIES: [(&str, &str); 4] = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")];

/// The captions of a subtitle text; `None` when it holds no cue.
pub fn parse(text: &str) -> Option<Vec<Caption>> {
    let mut captions = Vec::new();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    while let Some(line) = lines.next() {
        let Some((start_ms, end_ms)) = cue_times(line) else { continue };
        // A tag may go on in the next line.
        let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.trim().is_empty()).collect();
        let text = one_line(&plain_text(&shown.join(" ")));
        if !text.is_empty() && end_ms >= start_ms {
            captions.push(Caption { text, start_ms, end_ms, ..Default::default() });
        }
    }
    (!captions.is_empty()).then_some(captions)
}

/// Captions as SRT text.
pub fn srt(captions: &[Caption]) -> String {
    let cues = captions.iter().enumerate().map(|(index, caption)| {
        let (start, end) = (clock(caption.start_ms, ','), clock(caption.end_ms, ','));
        format!("{}\n{start} --> {end}\n{}\n", index + 1, srt_text(&one_line(&caption.text)))
    });
    cues.collect::<Vec<_>>().join("\n")
}

/// Captions as WebVTT text.
pub fn webvtt(captions: &[Caption]) -> String {
    let cues = captions.iter().map(|caption| {
        let (start, end) = (clock(caption.start_ms, '.'), clock(caption.end_ms, '.'));
        let text = one_line(&caption.text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("\n{start} --> {end}\n{text}\n")
    });
    std::iter::once("WEBVTT\n".to_owned()).chain(cues).collect()
}

/// Text as SRT shows it: players show entities as they are, so only what reads as a tag or as an entity becomes one.
fn srt_text(text: &str) -> String {
    let last_end = text.rfind('>');
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        match letter {
            '<' if Some(at) < last_end => out.push_str("&lt;"),
            '&' if ENTITIES.iter().any(|(entity, _)| rest.starts_with(entity)) => out.push_str("&amp;"),
            letter => out.push(letter),
        }
    }
    out
}

/// `00:01:02,345`.
fn clock(ms: f64, point: char) -> String {
    let ms = ms.max(0.0).round() as u64;
    let (seconds, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02}{point}{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `00:00:01,000 --> 00:00:02,500`, with optional settings.
fn cue_times(line: &str) -> Option<(f64, f64)> {
    let (start, rest) = line.split_once("-->")?;
    let end = rest.split_whitespace().next()?;
    Some((milliseconds(start.trim())?, milliseconds(end)?))
}

/// `[hours:]minutes:seconds`, with a comma or a point before the fraction.
fn milliseconds(time: &str) -> Option<f64> {
    let (whole, fraction) = time.split_once([',', '.']).unwrap_or((time, "0"));
    let digits = |part: &str| {
        let plain = !part.is_empty() && part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain { part.parse::<u32>().ok() } else { None }
    };
    let parts: Vec<u32> = whole.split(':').map(digits).collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match parts[..] {
        [hours, minutes, seconds] => (hours, minutes, seconds),
        [minutes, seconds] => (0, minutes, seconds),
        _ => return None,
    };
    let fraction = f64::from(digits(fraction)?) / f64::from(10u32.pow(u32::try_from(fraction.len()).ok()?));
    let seconds = f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + f64::from(seconds);
    Some(seconds.min(1e7) * 1000.0 + (fraction * 1000.0).round())
}

/// Text without its tags and entities.
fn plain_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tagged)) = rest.split_once('<') {
        out.push_str(before);
        match tagged.split_once('>') {
            Some((_, after)) => rest = after,
            None => {
                out.push('<');
                rest = tagged;
            }
        }
    }
    out.push_str(rest);
    ENTITIES.iter().fold(out, |text, (entity, letter)| text.replace(entity, letter))
}

#[cfg(test)]
mod tests {
    use super::{parse, srt, webvtt};

    #[test]
    fn srt_cues_become_captions() {
        let srt = "\u{feff}1\r\n00:00:01,000 --> 00:00:02,500\r\nHello <i>there</i>\r\nyou\r\n\r\n2\r\n00:01:00,5 --> 01:00:00,000\r\nBye\r\n";
        let captions = parse(srt).unwrap();
        let shown: Vec<_> = captions.iter().map(|c| (c.text.as_str(), c.start_ms, c.end_ms)).collect();
        assert_eq!(shown, [("Hello there you", 1000.0, 2500.0), ("Bye", 60_500.0, 3_600_000.0)]);
    }

    #[test]
    fn webvtt_notes_settings_and_voices_are_left_out() {
        let vtt = "WEBVTT - Talk\n\nNOTE nothing to see\n\nintro\n00:01.000 --> 00:02.000 line:0 align:start\n<v Ann>Salt &amp; pepper\n";
        let captions = parse(vtt).unwrap();
        assert_eq!(captions.len(), 1);
        assert_eq!(captions[0].text, "Salt & pepper");
        assert_eq!((captions[0].start_ms, captions[0].end_ms), (1000.0, 2000.0));
    }

    #[test]
    fn a_tag_may_span_lines() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada\nLovelace>Hello\nyou\n\n00:03.000 --> 00:04.000\n<v Ada\n>\n";
        let captions = parse(vtt).unwrap();
        assert_eq!(captions.iter().map(|caption| caption.text.as_str()).collect::<Vec<_>>(), ["Hello you"]);
    }

    #[test]
    fn text_that_looks_like_markup_reads_back_the_same() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n&lt;b&gt; &amp;nbsp; &amp;amp; a < b & c\n";
        let captions = parse(vtt).unwrap();
        assert_eq!(captions[0].text, "<b> &nbsp; &amp; a < b & c");
        assert_eq!(parse(&srt(&captions)).unwrap(), captions);
        assert_eq!(parse(&webvtt(&captions)).unwrap(), captions);
    }

    #[test]
    fn other_text_is_no_subtitle() {
        assert_eq!(parse("Just a sentence."), None);
        assert_eq!(parse("a --> b\nc"), None);
        assert_eq!(parse("99999999999:00:00 --> 1:00\nc"), None);
    }

    #[test]
    fn captions_written_as_subtitles_read_back_the_same() {
        let captions = parse(
            "1\n01:00:01,050 --> 01:00:02,500\nSalt & <3 pepper\n\n2\n01:00:03,000 --> 01:00:04,000\nEnd.\n",
        );
        let captions = captions.unwrap();
        assert!(srt(&captions).starts_with("1\n01:00:01,050 --> 01:00:02,500\nSalt & <3 pepper\n\n2\n"));
        assert!(
            webvtt(&captions)
                .starts_with("WEBVTT\n\n01:00:01.050 --> 01:00:02.500\nSalt &amp; &lt;3 pepper\n\n")
        );
        assert_eq!(parse(&srt(&captions)).unwrap(), captions);
        assert_eq!(parse(&webvtt(&captions)).unwrap(), captions);
    }
}
