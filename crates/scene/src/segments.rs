//! Segments of a source: which range plays when, for pictures and sound.

use rondo_composition::MediaSegment;

/// The played pieces of a source, end to end, on the composition's frame clock.
pub struct Segments(Vec<Segment>);

/// One piece, in frames of the composition's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// First source frame.
    pub start: i64,
    /// Exclusive.
    pub end: i64,
    /// Overlay and segment speed together.
    pub speed: f64,
    /// Output frames.
    pub length: i64,
}

impl Segments {
    /// Empty and backward segments are left out.
    pub fn new(segments: &[MediaSegment], overlay_speed: f64) -> Self {
        let pieces = segments.iter().filter_map(|s| {
            let (start, end) = (s.start_frame.floor().max(0.0) as i64, s.end_frame.floor() as i64);
            let speed = overlay_speed.max(0.001) * s.speed.max(0.001);
            let length = (((end - start) as f64 / speed).round() as i64).max(1);
            (end > start).then_some(Segment { start, end, speed, length })
        });
        Self(pieces.collect())
    }

    pub fn pieces(&self) -> &[Segment] {
        &self.0
    }

    /// The source frame at an output frame; the last one is held. `None` when there are no segments.
    pub fn source_frame(&self, frame: u32) -> Option<i64> {
        let mut offset = i64::from(frame);
        for piece in &self.0 {
            if offset < piece.length {
                let source = piece.start + (offset as f64 * piece.speed).round() as i64;
                return Some(source.min(piece.end - 1));
            }
            offset -= piece.length;
        }
        self.0.last().map(|piece| piece.end - 1)
    }
}
