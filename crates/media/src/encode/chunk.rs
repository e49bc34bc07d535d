//! An encoded chunk: one or more closed GOPs that can be joined with other chunks without encoding again.

/// Encoded pictures, the first of which is an IDR picture or its equivalent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedChunk {
    /// Parameter sets; the same for every chunk of a film.
    pub header: Vec<u8>,
    /// Frames by which decoding runs ahead of display.
    pub delay: u32,
    /// In decoding order, one per frame.
    pub packets: Vec<EncodedPicture>,
    /// The bytes of all packets, each followed by those of its alpha plane.
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedPicture {
    /// The frame of the chunk it shows.
    pub frame: u32,
    /// Whether decoding can start here.
    pub key: bool,
    pub bytes: u32,
    /// Bytes of the alpha plane, for codecs that encode it separately.
    pub alpha_bytes: u32,
}

impl EncodedChunk {
    pub fn frames(&self) -> u32 {
        self.packets.len() as u32
    }

    /// Whether the chunk holds every frame once, none is displayed before it is decoded, and no byte is missing.
    pub fn is_whole(&self) -> bool {
        let mut seen = vec![false; self.packets.len()];
        for (index, packet) in self.packets.iter().enumerate() {
            match seen.get_mut(packet.frame as usize) {
                Some(seen) if !*seen && index as u32 <= packet.frame.saturating_add(self.delay) => {
                    *seen = true
                }
                _ => return false,
            }
        }
        let bytes: u64 =
            self.packets.iter().map(|packet| u64::from(packet.bytes) + u64::from(packet.alpha_bytes)).sum();
        self.packets.first().is_some_and(|first| first.key && first.frame == 0)
            && bytes == self.data.len() as u64
    }

    /// The packets in decoding order, each with its bytes and those of its alpha plane.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = (EncodedPicture, &[u8], &[u8])> {
        let mut rest = &self.data[..];
        let mut take = move |bytes: u32| {
            let (taken, after) = rest.split_at((bytes as usize).min(rest.len()));
            rest = after;
            taken
        };
        self.packets.iter().map(move |packet| (*packet, take(packet.bytes), take(packet.alpha_bytes)))
    }

    pub(super) fn append(&mut self, frame: u32, key: bool, data: &[u8], alpha: &[u8]) {
        let (bytes, alpha_bytes) = (data.len() as u32, alpha.len() as u32);
        self.packets.push(EncodedPicture { frame, key, bytes, alpha_bytes });
        self.data.extend_from_slice(data);
        self.data.extend_from_slice(alpha);
    }
}
