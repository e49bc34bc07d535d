//! Measures single frames in a process that has painted before. Prints milliseconds, medians each: from opening a
//! composition to its first frame, of a further frame elsewhere in the film, and of the one after that.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, FontSettings, Locate, load_fonts};
use serde_json::{Value, json};

/// How often the film is opened.
const TIMES: u32 = 5;

/// Further frames, spread over the film.
const FURTHER: u32 = 7;

/// Media beside the composition.
struct Beside(PathBuf);

impl Locate for Beside {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Ok(self.0.join(src))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a composition")?;
    let (fonts, _) = load_fonts(&FontSettings::default());
    let beside = Beside(Path::new(&path).parent().ok_or("the composition has no folder")?.to_owned());
    let open = |value: &Value| -> Result<Film, Box<dyn Error>> {
        let composition = Composition::read(value, Limits::WIDEST)?.composition;
        Ok(Film::open(composition, &beside, fonts.clone()))
    };
    let value: Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
    // The first time is the process's own; of a film that was closed nothing is kept.
    open(&value)?.still(0)?;
    let mut firsts = Vec::new();
    for _ in 0..TIMES {
        let started = Instant::now();
        let mut film = open(&value)?;
        let middle = film.composition().duration.saturating_sub(1) / 4;
        film.still(middle)?;
        firsts.push(milliseconds_since(started));
    }
    let mut film = open(&value)?;
    let last = film.composition().duration.saturating_sub(1);
    film.still(last / 4)?;
    let (mut further, mut next) = (Vec::new(), Vec::new());
    for i in 1..=FURTHER {
        let frame = (last / 4 + i * last / (2 * FURTHER)).min(last);
        for (frame, times) in [(frame, &mut further), ((frame + 1).min(last), &mut next)] {
            let started = Instant::now();
            film.still(frame)?;
            times.push(milliseconds_since(started));
        }
    }
    #[expect(clippy::print_stdout, reason = "the answer of a program")]
    {
        let told = json!({"firstMs": median(firsts), "anotherMs": median(further), "nextMs": median(next)});
        println!("{told}");
    }
    Ok(())
}

fn milliseconds_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
