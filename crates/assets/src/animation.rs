//! An animated image by time. The frames of a short one are cached.

use std::sync::Arc;

use rondo_images::Animation;
use rondo_pixels::Picture;
use rondo_scene::{ClipInfo, PictureError, Timetable};

/// Bytes of pixels up to which all frames of one animation are kept once they are decoded.
const KEPT_BYTES: usize = 32 << 20;

#[derive(Clone)]
pub struct AnimatedPicture {
    animation: Animation,
    timetable: Arc<Timetable>,
    /// A slot for each frame, or only for the last one.
    kept: Vec<Option<(usize, Arc<Picture>)>>,
}

impl AnimatedPicture {
    pub fn new(animation: Animation) -> Self {
        let delays = animation.delays().map(|delay| delay.as_micros() as i64);
        let timetable = Arc::new(Timetable::new(delays, animation.plays()));
        let (width, height) = animation.size();
        let frames = animation.delays().len();
        let bytes = (width as usize * height as usize * 4).saturating_mul(frames);
        let kept = vec![None; if bytes <= KEPT_BYTES { frames } else { 1 }];
        Self { animation, timetable, kept }
    }

    pub fn size(&self) -> (u32, u32) {
        self.animation.size()
    }

    pub fn info(&self) -> ClipInfo {
        ClipInfo { duration: self.timetable.length() as f64 / 1e6, timetable: Some(self.timetable.clone()) }
    }

    /// The picture at a time of the first run.
    pub fn at(&mut self, time_us: i64) -> Result<Arc<Picture>, PictureError> {
        let index = self.timetable.index_at(time_us);
        let place = index % self.kept.len();
        if let Some((_, picture)) = self.kept[place].as_ref().filter(|(kept, _)| *kept == index) {
            return Ok(picture.clone());
        }
        let picture = Arc::new(self.animation.frame(index).map_err(|e| PictureError(e.to_string()))?);
        self.kept[place] = Some((index, picture.clone()));
        Ok(picture)
    }
}
