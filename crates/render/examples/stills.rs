//! Measures single frames of a film in a process that has painted another one, which is named first. Prints milliseconds:
//! from opening the composition to its first frame, and the medians of further frames elsewhere in the film and of those
//! that follow them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, FontSettings, HugePages, Locate, load_fonts};
use serde_json::{Value, json};

#[global_allocator]
static MEMORY: HugePages = HugePages;

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
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [other, path] = &paths[..] else {
        return Err("name two compositions: another one, then the one measured".into());
    };
    let (fonts, _) = load_fonts(&FontSettings::default());
    let read = |path: &str| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
    };
    let beside = Beside(Path::new(path).parent().ok_or("the composition has no folder")?.to_owned());
    let open = |value: &Value| -> Result<Film, Box<dyn Error>> {
        let composition = Composition::read(value, Limits::WIDEST)?.composition;
        Ok(Film::open(composition, &beside, fonts.clone()))
    };
    open(&read(other)?)?.still(0)?;

    let value = read(path)?;
    let started = Instant::now();
    let mut film = open(&value)?;
    let last = film.composition().duration.saturating_sub(1);
    film.still(last / 4)?;
    let first = milliseconds_since(started);
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
        let report = json!({"firstMs": first, "anotherMs": median(further), "nextMs": median(next)});
        println!("{report}");
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
