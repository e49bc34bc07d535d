//! Mixes tracks to one stream. A track is opened when the timeline reaches it and closed at its end. The sum is ducked,
//! amplified and limited.

use std::collections::VecDeque;

use crate::AudioError;
use crate::duck::{Ducker, Ducking, HOP};
use crate::fade::Fades;
use crate::input::take_ready;
use crate::limiter::Limiter;
use crate::track::{Piece, Track};
use crate::voice::Voice;
use crate::{CHANNELS, OpenAudio};

/// Frames mixed at a time, for requests of any length, so that the result does not depend on how it is read.
const BLOCK: usize = 1024;
const _: () = assert!(BLOCK.is_multiple_of(HOP));

/// Mixes tracks in timeline order. Memory does not grow with the length of the timeline.
pub struct Mixer {
    /// Tracks whose time has not come, the next one last.
    waiting: Vec<Playing>,
    /// In the order they were given, so that sums are always made in the same order.
    playing: Vec<Playing>,
    /// Next frame of the timeline to be mixed.
    at: i64,
    /// The sum of the tracks that can be ducked, or of all.
    block: Vec<f32>,
    /// The sum of narration, where the others are ducked.
    narration: Vec<f32>,
    ducker: Option<Ducker>,
    gain: f32,
    limiter: Option<Limiter>,
    ready: VecDeque<f32>,
}

impl Mixer {
    /// A mix from the beginning of the timeline.
    pub fn new(tracks: Vec<Track>) -> Self {
        Self::starting_at(tracks, 0)
    }

    /// A mix whose first frame is frame `start` of the timeline.
    pub fn starting_at(tracks: Vec<Track>, start: i64) -> Self {
        let mut waiting: Vec<_> = tracks
            .into_iter()
            .enumerate()
            .map(|(order, track)| Playing::new(order, track, start))
            .filter(|playing| playing.volume > 0.0 && !playing.is_over())
            .collect();
        waiting.sort_by_key(|playing| std::cmp::Reverse(playing.start));
        Self {
            waiting,
            playing: Vec::new(),
            at: start,
            block: vec![0.0; BLOCK * CHANNELS],
            narration: vec![0.0; BLOCK * CHANNELS],
            ducker: None,
            gain: 1.0,
            limiter: Some(Limiter::new()),
            ready: VecDeque::new(),
        }
    }

    /// The same mix with everything else turned down under narration.
    pub fn ducked(self, ducking: Ducking) -> Self {
        Self { ducker: Some(Ducker::new(ducking)), ..self }
    }

    /// The same mix, times `gain` before it is limited.
    pub fn amplified(self, gain: f32) -> Self {
        Self { gain, ..self }
    }

    /// The same mix with its peaks as they are, for measuring.
    pub fn unlimited(self) -> Self {
        Self { limiter: None, ..self }
    }

    /// Fills `out` (interleaved stereo) with the next frames of the timeline; silence once every track has ended.
    pub fn mix(&mut self, out: &mut [f32]) -> Result<(), AudioError> {
        while self.ready.len() < out.len() {
            self.mix_block()?;
        }
        take_ready(&mut self.ready, out);
        Ok(())
    }

    fn mix_block(&mut self) -> Result<(), AudioError> {
        let end = self.at + BLOCK as i64;
        while self.waiting.last().is_some_and(|next| next.start < end) {
            self.playing.extend(self.waiting.pop());
        }
        self.playing.sort_by_key(|playing| playing.order);
        self.block.fill(0.0);
        self.narration.fill(0.0);
        for playing in &mut self.playing {
            let from = (playing.start - self.at).max(0) as usize;
            let apart = playing.is_narration && self.ducker.is_some();
            let sum = if apart { &mut self.narration } else { &mut self.block };
            playing.add_to(&mut sum[from * CHANNELS..])?;
        }
        self.playing.retain(|playing| !playing.is_over());
        let mut ducked = Vec::new();
        let mix = match &mut self.ducker {
            Some(ducker) => {
                ducker.process(&self.narration, &self.block, &mut ducked);
                &mut ducked
            }
            None => &mut self.block,
        };
        mix.iter_mut().for_each(|sample| *sample *= self.gain);
        match &mut self.limiter {
            Some(limiter) => limiter.process(mix, &mut self.ready),
            None => self.ready.extend(mix.iter()),
        }
        self.at = end;
        Ok(())
    }
}

/// A track and how far it has been heard.
struct Playing {
    order: usize,
    source: Box<dyn OpenAudio>,
    start: i64,
    pieces: VecDeque<Piece>,
    volume: f32,
    fades: Fades,
    is_narration: bool,
    /// Frames of the span that have been played.
    done: u64,
    /// Frames of the first of `pieces` that have been played.
    piece_done: u64,
    voice: Option<Voice>,
}

impl Playing {
    /// The track as it is heard from frame `from` of the timeline on.
    fn new(order: usize, track: Track, from: i64) -> Self {
        let pieces = joined(track.pieces);
        let length = pieces.iter().map(|piece| piece.length).sum();
        let mut playing = Self {
            order,
            source: track.source,
            start: track.start.max(from),
            pieces,
            volume: if track.volume.is_finite() { track.volume.max(0.0) } else { 0.0 },
            fades: Fades::new(length, track.fade_in, track.fade_out),
            is_narration: track.is_narration,
            done: u64::try_from(i128::from(from) - i128::from(track.start)).unwrap_or(0).min(length),
            piece_done: 0,
            voice: None,
        };
        playing.piece_done = playing.done;
        while let Some(piece) = playing.pieces.front().filter(|piece| piece.length <= playing.piece_done) {
            playing.piece_done -= piece.length;
            playing.pieces.pop_front();
        }
        playing
    }

    fn is_over(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Adds the next frames of the track to `out`, as many as both hold.
    fn add_to(&mut self, out: &mut [f32]) -> Result<(), AudioError> {
        let mut rest = out;
        while let (Some(&piece), false) = (self.pieces.front(), rest.is_empty()) {
            let left = usize::try_from(piece.length - self.piece_done).unwrap_or(usize::MAX);
            let frames = left.min(rest.len() / CHANNELS);
            let (now, later) = rest.split_at_mut(frames * CHANNELS);
            let voice = match &mut self.voice {
                Some(voice) => voice,
                None => {
                    let softened = (
                        self.done == self.piece_done && self.fades.softens_start(),
                        self.pieces.len() == 1 && self.fades.softens_end(),
                    );
                    self.voice.insert(Voice::open(&*self.source, piece, self.piece_done, softened)?)
                }
            };
            let (fades, volume, done) = (self.fades, self.volume, self.done);
            voice.add_to(now, |index| volume * fades.gain(done + index))?;
            self.done += frames as u64;
            self.piece_done += frames as u64;
            if self.piece_done == piece.length {
                self.pieces.pop_front();
                self.piece_done = 0;
                self.voice = None;
            }
            rest = later;
        }
        Ok(())
    }
}

/// Empty pieces left out, and pieces that go on where the one before ends made one.
fn joined(pieces: Vec<Piece>) -> VecDeque<Piece> {
    let mut joined: VecDeque<Piece> = VecDeque::with_capacity(pieces.len());
    for piece in pieces.into_iter().filter(|piece| piece.length > 0) {
        match joined.back_mut() {
            Some(last) if last.speed == piece.speed && continues(last, &piece) => last.length += piece.length,
            _ => joined.push_back(piece),
        }
    }
    joined
}

/// Whether `next` starts where `piece` ends, except for rounding.
fn continues(piece: &Piece, next: &Piece) -> bool {
    let end = piece.from as f64 + piece.length as f64 * piece.speed;
    (next.from as f64 - end).abs() <= 1.0
}
