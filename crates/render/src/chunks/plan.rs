//! A film as a list of chunks, and the key of each. Both follow from the composition and its media alone; nothing is
//! painted here.
//!
//! A chunk lasts 2 to 5 seconds. Cuts fall where large overlays come and go, so that a change to an overlay touches few
//! chunks and key frames lie where the picture changes anyway. A stretch that stands still is cut into equal chunks:
//! they have one key, and are encoded once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use rondo_composition::Composition;
use rondo_media::KEY_FRAME_SECONDS;
use rondo_pixels::Stop;
use rondo_scene::{Digest, View};

use crate::format::Recipe;
use crate::timings::{Stage, during};

/// Hash of everything that decides what frames look like: the sources of the crates a picture goes through.
pub const ENGINE: &str = env!("RONDO_ENGINE");

/// Shortest chunk, unless the film itself is shorter.
const SHORTEST_SECONDS: u32 = 2;

/// Looks at a stretch that may stand still, a second.
const LOOKS_A_SECOND: u32 = 2;

/// Identity of a chunk's bytes: equal keys, equal chunks, wherever in whichever film they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChunkKey(pub Digest);

impl fmt::Display for ChunkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", blake3::Hash::from_bytes(self.0))
    }
}

/// The chunks of a film.
pub(crate) struct Plan<'a> {
    view: View<'a>,
    /// First frames of the chunks, then the end of the film.
    cuts: Vec<u32>,
    /// Those that were asked for.
    /// With the number of frames that differ from the one before.
    keys: Vec<OnceLock<(ChunkKey, u32)>>,
    encoder: Digest,
    /// Once it is set, keys and cuts no longer matter.
    stop: Stop,
}

impl<'a> Plan<'a> {
    /// `encoder` is the identity of the encoder and its settings.
    pub fn new(
        composition: &Composition,
        view: View<'a>,
        recipe: &Recipe,
        encoder: Digest,
        stop: Stop,
    ) -> Self {
        let Range { start, end } = recipe.frames;
        let events = events(composition, &recipe.frames);
        let lengths = if recipe.codec.is_intra() {
            Lengths::of_single_pictures(composition.fps)
        } else {
            Lengths::at(composition.fps)
        };
        let cuts = cuts(end - start, &events, lengths, &mut |frame| {
            if stop.is_set() { Digest::default() } else { view.frame(start + frame).hash() }
        });
        let keys = (1..cuts.len()).map(|_| OnceLock::new()).collect();
        Self { view, cuts: cuts.into_iter().map(|cut| start + cut).collect(), keys, encoder, stop }
    }

    /// What is painted.
    pub fn view(&self) -> View<'a> {
        self.view
    }

    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.cuts.len() - 1
    }

    pub fn frames(&self, chunk: usize) -> Range<u32> {
        self.cuts[chunk]..self.cuts[chunk + 1]
    }

    pub fn key(&self, chunk: usize) -> ChunkKey {
        self.hashed(chunk).0
    }

    /// Frames of a chunk that differ from the one before: what it costs to render.
    pub fn changes(&self, chunk: usize) -> u32 {
        self.hashed(chunk).1
    }

    fn hashed(&self, chunk: usize) -> (ChunkKey, u32) {
        *self.keys[chunk].get_or_init(|| self.hash(chunk))
    }

    fn hash(&self, chunk: usize) -> (ChunkKey, u32) {
        let _scene = during(Stage::Scene);
        let mut hash = blake3::Hasher::new();
        hash.update(ENGINE.as_bytes());
        hash.update(&self.encoder);
        let (mut last, mut changes) = (None, 0);
        for frame in self.frames(chunk).take_while(|_| !self.stop.is_set()) {
            let digest = self.view.frame(frame).hash();
            hash.update(&digest);
            changes += u32::from(last.replace(digest) != Some(digest));
        }
        (ChunkKey(*hash.finalize().as_bytes()), changes)
    }
}

/// In frames.
#[derive(Clone, Copy)]
struct Lengths {
    shortest: u32,
    longest: u32,
    /// From one look at a stretch that may stand still to the next.
    look: u32,
}

impl Lengths {
    fn at(fps: u32) -> Self {
        Self {
            shortest: fps * SHORTEST_SECONDS,
            longest: fps * KEY_FRAME_SECONDS,
            look: (fps / LOOKS_A_SECOND).max(1),
        }
    }

    /// Pictures encoded one by one take so much room that a chunk lasts a second at most.
    fn of_single_pictures(fps: u32) -> Self {
        Self { shortest: (fps * 2 / 5).max(1), longest: fps, look: (fps / LOOKS_A_SECOND).max(1) }
    }
}

/// Where chunks begin, and the end of the last.
fn cuts(
    total: u32,
    events: &[(u32, f64)],
    lengths: Lengths,
    hash: &mut dyn FnMut(u32) -> Digest,
) -> Vec<u32> {
    let mut cuts = BTreeSet::from([0, total]);
    cut_at_events(&mut cuts, events, lengths);
    for gap in gaps(&cuts) {
        if gap.end - gap.start > lengths.longest {
            cut_still_stretches(&mut cuts, gap, lengths, hash);
        }
    }
    for gap in gaps(&cuts) {
        divide(&mut cuts, gap, lengths);
    }
    cuts.into_iter().collect()
}

/// Cuts a gap into the fewest chunks, equal except for the last; one that would be too short shares with its neighbour.
fn divide(cuts: &mut BTreeSet<u32>, gap: Range<u32>, lengths: Lengths) {
    let length = gap.end - gap.start;
    let count = length.div_ceil(lengths.longest);
    let step = length.div_ceil(count);
    let last = gap.start + step * (count - 1);
    cuts.extend((gap.start..last).step_by(step as usize));
    let short = count > 1 && gap.end - last < lengths.shortest;
    cuts.insert(if short { gap.end - (step + gap.end - last) / 2 } else { last });
}

/// Frames at which overlays come or go, counted from the first of the film, with the area that does.
fn events(composition: &Composition, film: &Range<u32>) -> Vec<(u32, f64)> {
    let (start, total) = (i64::from(film.start), film.len() as u32);
    let mut events = BTreeMap::<u32, f64>::new();
    let side = |side: f64, canvas: u32| side.clamp(0.0, f64::from(canvas));
    for overlay in composition.overlays.iter().filter(|o| o.is_visible()) {
        let base = &overlay.base;
        let area = side(base.width, composition.width) * side(base.height, composition.height);
        for frame in [base.from, overlay.end()] {
            if let Some(frame) = u32::try_from(frame - start).ok().filter(|frame| (1..total).contains(frame))
            {
                *events.entry(frame).or_default() += area;
            }
        }
    }
    let mut events: Vec<(u32, f64)> = events.into_iter().collect();
    events.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    events
}

/// Cuts at events, the largest first, where no chunk becomes too short.
fn cut_at_events(cuts: &mut BTreeSet<u32>, events: &[(u32, f64)], lengths: Lengths) {
    for (frame, _) in events {
        let before = cuts.range(..=frame).next_back().is_none_or(|cut| frame - cut >= lengths.shortest);
        let after = cuts.range(frame..).next().is_none_or(|cut| cut - frame >= lengths.shortest);
        if before && after {
            cuts.insert(*frame);
        }
    }
}

/// Cuts a gap around every stretch that stands still for longer than a chunk can last, so that it divides evenly.
/// Stillness is looked for now and then only: a wrong guess costs a cut in an odd place and nothing else.
fn cut_still_stretches(
    cuts: &mut BTreeSet<u32>,
    gap: Range<u32>,
    lengths: Lengths,
    hash: &mut dyn FnMut(u32) -> Digest,
) {
    let mut run: Option<(u32, Digest)> = None;
    for frame in gap.clone().step_by(lengths.look as usize).chain([gap.end - 1]) {
        let seen = hash(frame);
        match run {
            Some((_, same)) if same == seen => {}
            Some((start, _)) => {
                // Until the last look that was still the same.
                let end = frame.saturating_sub(lengths.look).max(start);
                cuts.extend(even_stretch(start..end, &gap, lengths).into_iter().flatten());
                run = Some((frame, seen));
            }
            None => run = Some((frame, seen)),
        }
    }
    if let Some((start, _)) = run {
        cuts.extend(even_stretch(start..gap.end, &gap, lengths).into_iter().flatten());
    }
}

/// The ends of a still stretch, moved so that the gap around it leaves no short chunk and the stretch divides evenly;
/// `None` when it fits into one chunk.
fn even_stretch(still: Range<u32>, gap: &Range<u32>, lengths: Lengths) -> Option<[u32; 2]> {
    let mut start =
        if still.start == gap.start { gap.start } else { still.start.max(gap.start + lengths.shortest) };
    let mut end = if still.end == gap.end { gap.end } else { still.end.min(gap.end - lengths.shortest) };
    let length = end.checked_sub(start).filter(|length| *length > lengths.longest)?;
    let rest = length % length.div_ceil(lengths.longest);
    if end != gap.end {
        end -= rest;
    } else if start != gap.start {
        start += rest;
    }
    Some([start, end])
}

fn gaps(cuts: &BTreeSet<u32>) -> Vec<Range<u32>> {
    cuts.iter().zip(cuts.iter().skip(1)).map(|(start, end)| *start..*end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts_of(total: u32, events: &[(u32, f64)], hash: &mut dyn FnMut(u32) -> Digest) -> Vec<u32> {
        cuts(total, events, Lengths::at(30), hash)
    }

    fn moving(frame: u32) -> Digest {
        [frame.to_le_bytes(); 8].concat().try_into().expect("32 bytes")
    }

    #[test]
    fn every_chunk_lasts_two_to_five_seconds() {
        let mut state = 7u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for _ in 0..200 {
            let total = 60 + random(4000);
            let events: Vec<(u32, f64)> =
                (0..random(40)).map(|_| (1 + random(total - 1), f64::from(random(9)))).collect();
            let (still_from, still_to) = (random(total), random(total));
            let cuts = cuts_of(total, &events, &mut |frame| {
                if (still_from..still_to).contains(&frame) { Digest::default() } else { moving(frame + 1) }
            });
            assert_eq!((cuts.first(), cuts.last()), (Some(&0), Some(&total)));
            for pair in cuts.windows(2) {
                assert!((60..=150).contains(&(pair[1] - pair[0])), "{pair:?} of {total} frames in {cuts:?}");
            }
        }
    }

    #[test]
    fn long_gaps_leave_no_short_chunks() {
        for total in [108_001, 54_002, 1501, 151] {
            let cuts = cuts_of(total, &[], &mut moving);
            assert!(cuts.windows(2).all(|pair| (60..=150).contains(&(pair[1] - pair[0]))), "{total}");
            assert_eq!(cuts.len() as u32, total.div_ceil(150) + 1);
        }
    }

    #[test]
    fn short_films_are_one_chunk() {
        for total in [1, 2, 59, 60, 100] {
            assert_eq!(cuts_of(total, &[(1, 5.0), (30, 9.0)], &mut moving), [0, total]);
        }
    }

    #[test]
    fn scenes_are_cut_where_they_change() {
        let scenes = [(150, 10.0), (300, 10.0), (390, 10.0), (165, 2.0), (290, 2.0)];
        assert_eq!(cuts_of(450, &scenes, &mut moving), [0, 150, 300, 390, 450]);
    }

    #[test]
    fn still_stretch_is_cut_evenly() {
        let mut hash =
            |frame: u32| if (45..857).contains(&frame) { Digest::default() } else { moving(frame) };
        let cuts = cuts_of(900, &[], &mut hash);
        let still: Vec<u32> =
            cuts.windows(2).filter(|pair| pair[0] >= 45 && pair[1] <= 857).map(|p| p[1] - p[0]).collect();
        assert_eq!(still.len(), cuts.len() - 3, "all but the first and the last lie in the still stretch");
        assert!(still.iter().all(|length| *length == still[0]), "{cuts:?}");
    }

    #[test]
    fn distant_cuts_stay_when_an_overlay_moves() {
        let scenes: Vec<(u32, f64)> = (1..20).map(|scene| (scene * 120, 10.0)).collect();
        let before = cuts_of(2400, &scenes, &mut moving);
        let mut moved = scenes.clone();
        moved[9].0 += 40;
        let after = cuts_of(2400, &moved, &mut moving);
        let same = |from: u32, to: u32| {
            let part =
                |cuts: &[u32]| cuts.iter().copied().filter(|c| (from..to).contains(c)).collect::<Vec<_>>();
            part(&before) == part(&after)
        };
        assert!(same(0, 1100) && same(1400, 2401), "{before:?} {after:?}");
        assert!(!same(1100, 1400));
    }
}
