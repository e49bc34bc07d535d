//! Parsers of option values.

use clap::builder::RangedI64ValueParser;
use rondo_composition::limits::LOUDNESS;
use rondo_jobs::Mode;

pub fn within((least, most): (i64, i64)) -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(least..=most)
}

pub fn loudness(text: &str) -> Result<f64, String> {
    let (least, most) = LOUDNESS;
    let lufs = text.parse().ok().filter(|lufs| (least..=most).contains(lufs));
    lufs.ok_or_else(|| format!("must be a number between {least} and {most}"))
}

pub fn range(text: &str) -> Result<(u32, u32), String> {
    let number = |part: &str| part.trim().parse::<u32>().ok();
    let ends = text.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
    ends.ok_or_else(|| "must have the form FIRST-LAST".to_owned())
}

pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must have the form NAME=VALUE")?;
    if name.is_empty() {
        return Err("the name before \"=\" is empty".into());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// The mode of a sandbox that is on.
pub fn sandbox(text: &str) -> Result<Mode, String> {
    match text.parse() {
        Ok(mode @ (Mode::Auto | Mode::Required)) => Ok(mode),
        _ => Err("use auto or required".to_owned()),
    }
}
