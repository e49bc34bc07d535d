//! Rasterised layers, scaled pictures and masks, kept by identity within a byte budget.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use rondo_pixels::Bitmap;

use crate::clip::Stencil;
use crate::footprint::Footprint;

/// Pixels kept for placing.
#[derive(Debug)]
pub struct Sheet {
    pub bitmap: Bitmap,
    /// Where in its own space the first pixel is.
    pub x: i32,
    pub y: i32,
    pub opaque: bool,
    footprint: OnceLock<Footprint>,
}

impl Sheet {
    pub fn new(bitmap: Bitmap, x: i32, y: i32, opaque: bool) -> Self {
        Self { bitmap, x, y, opaque, footprint: OnceLock::new() }
    }

    /// The non-empty cells, computed on first use.
    pub fn footprint(&self) -> &Footprint {
        self.footprint.get_or_init(|| Footprint::of(&self.bitmap.view()))
    }
}

#[derive(Clone, Debug)]
pub enum Kept {
    Sheet(Arc<Sheet>),
    Stencil(Arc<Stencil>),
}

impl Kept {
    fn bytes(&self) -> usize {
        // The constant stands for the entry itself, so that empty ones are not free. Footprints are small beside the pixels.
        256 + match self {
            Self::Sheet(s) => s.bitmap.pixels.len(),
            Self::Stencil(s) => s.bytes(),
        }
    }
}

/// Painted frames after which an unused entry is evicted: scenes end, and a long film takes no more memory than a
/// short one. Frames that look like the one before do not count.
const LONG: u64 = 300;

/// How long something is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stay {
    /// Until room is needed, or nothing has used it for [`LONG`].
    Long,
    /// While consecutive frames use it: animated content is seldom drawn twice.
    Brief,
}

#[derive(Debug)]
struct Entry {
    kept: Kept,
    used: u64,
    frame: u64,
    stay: Stay,
}

/// Drops the least recently used first.
#[derive(Debug)]
pub struct Cache {
    entries: HashMap<u128, Entry>,
    order: BTreeMap<u64, u128>,
    bytes: usize,
    budget: usize,
    clock: u64,
    frame: u64,
    /// Pixels of the last sheet that was kept briefly, for the next one.
    spare: Vec<u8>,
}

impl Cache {
    pub fn new(budget: usize) -> Self {
        Self {
            entries: HashMap::new(),
            order: BTreeMap::new(),
            bytes: 0,
            budget,
            clock: 0,
            frame: 0,
            spare: Vec::new(),
        }
    }

    /// Pixels with undefined content, to be overwritten.
    pub fn canvas(&mut self, width: u32, height: u32) -> Bitmap {
        let spare = std::mem::take(&mut self.spare);
        if spare.len() == width as usize * height as usize * 4 {
            Bitmap { width, height, pixels: spare }
        } else {
            Bitmap::new(width, height)
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn get(&mut self, key: u128) -> Option<Kept> {
        let entry = self.entries.get_mut(&key)?;
        self.order.remove(&entry.used);
        self.clock += 1;
        entry.used = self.clock;
        entry.frame = self.frame;
        self.order.insert(self.clock, key);
        Some(entry.kept.clone())
    }

    pub fn put(&mut self, key: u128, kept: Kept, stay: Stay) {
        let bytes = kept.bytes();
        if bytes > self.budget {
            return;
        }
        self.remove(key);
        self.bytes += bytes;
        self.clock += 1;
        self.order.insert(self.clock, key);
        self.entries.insert(key, Entry { kept, used: self.clock, frame: self.frame, stay });
        while self.bytes > self.budget {
            let Some((_, oldest)) = self.order.first_key_value() else { break };
            self.remove(*oldest);
        }
    }

    fn remove(&mut self, key: u128) {
        if let Some(entry) = self.entries.remove(&key) {
            self.order.remove(&entry.used);
            self.bytes -= entry.kept.bytes();
            if let (Kept::Sheet(sheet), Stay::Brief) = (entry.kept, entry.stay)
                && let Some(sheet) = Arc::into_inner(sheet)
            {
                self.spare = sheet.bitmap.pixels;
            }
        }
    }

    /// Ends a frame: evicts brief entries that it did not use, and entries that were unused for long.
    pub fn end_frame(&mut self) {
        let stale: Vec<u128> = self
            .entries
            .iter()
            .filter(|(_, entry)| match entry.stay {
                Stay::Brief => entry.frame != self.frame,
                Stay::Long => entry.frame + LONG < self.frame,
            })
            .map(|(key, _)| *key)
            .collect();
        for key in stale {
            self.remove(key);
        }
        self.frame += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(side: u32) -> Kept {
        Kept::Sheet(Arc::new(Sheet::new(Bitmap::new(side, side), 0, 0, false)))
    }

    #[test]
    fn budget_holds_and_the_least_recently_used_goes_first() {
        let mut cache = Cache::new(3 * (256 + 400));
        for key in 0..3 {
            cache.put(key, sheet(10), Stay::Long);
        }
        assert!(cache.get(0).is_some());
        cache.put(3, sheet(10), Stay::Long);
        assert!(cache.get(1).is_none(), "the oldest unused entry goes");
        assert!(cache.get(0).is_some() && cache.get(2).is_some() && cache.get(3).is_some());
        for key in 10..1000 {
            cache.put(key, sheet(9), Stay::Long);
            assert!(cache.bytes() <= 3 * (256 + 400));
        }
        cache.put(5000, sheet(100), Stay::Long);
        assert!(cache.get(5000).is_none(), "what exceeds the budget alone is not kept");
    }

    #[test]
    fn unused_entries_expire() {
        let mut cache = Cache::new(1 << 20);
        cache.put(1, sheet(4), Stay::Long);
        cache.put(2, sheet(4), Stay::Long);
        for _ in 0..LONG {
            cache.end_frame();
            assert!(cache.get(1).is_some());
        }
        assert!(cache.entries.contains_key(&2), "long is not over yet");
        cache.end_frame();
        cache.end_frame();
        assert!(cache.get(2).is_none() && cache.get(1).is_some());
    }

    #[test]
    fn pixels_of_brief_entries_are_used_again() {
        let mut cache = Cache::new(1 << 20);
        let bitmap = cache.canvas(8, 8);
        let place = bitmap.pixels.as_ptr();
        cache.put(1, Kept::Sheet(Arc::new(Sheet::new(bitmap, 0, 0, true))), Stay::Brief);
        cache.end_frame();
        cache.end_frame();
        assert_eq!(cache.canvas(8, 8).pixels.as_ptr(), place);
        cache.spare = vec![0; 1 << 16];
        assert!(
            cache.canvas(8, 8).pixels.capacity() < 1 << 10,
            "no small picture holds the memory of a large one"
        );
    }

    #[test]
    fn brief_entries_last_while_every_frame_uses_them() {
        let mut cache = Cache::new(1 << 20);
        cache.put(1, sheet(4), Stay::Brief);
        cache.put(2, sheet(4), Stay::Long);
        cache.end_frame();
        assert!(cache.get(1).is_some());
        cache.end_frame();
        cache.end_frame();
        assert!(cache.get(1).is_none());
        assert!(cache.get(2).is_some());
    }
}
