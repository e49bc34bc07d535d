//! An owned packet: encoded bytes with their times.

use std::ffi::c_int;
use std::ptr;

use crate::ffi::ffmpeg::*;

/// Where a packet carries what Matroska keeps beside the picture.
const BESIDE: AVPacketSideDataType = AVPacketSideDataType::AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL;

/// A packet that is never null.
pub(crate) struct Packet(pub *mut AVPacket);

// SAFETY: owned by this value alone.
unsafe impl Send for Packet {}

impl Packet {
    pub fn new() -> Self {
        // SAFETY: allocation; out of memory ends the program as it does everywhere in Rust.
        let packet = unsafe { av_packet_alloc() };
        assert!(!packet.is_null(), "out of memory");
        Self(packet)
    }

    /// A picture that lasts one tick, with a copy of its bytes and of those of its transparency; `None` when they do not
    /// fit into memory.
    pub fn of_picture(bytes: &[u8], alpha: &[u8], shown: i64, decoded: i64, key: bool) -> Option<Self> {
        let packet = Self::new();
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: the packet gets a buffer of `length` bytes, which is filled.
        unsafe {
            if av_new_packet(packet.0, length) < 0 {
                return None;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), (*packet.0).data, bytes.len());
            (*packet.0).pts = shown;
            (*packet.0).dts = decoded;
            (*packet.0).duration = 1;
            if key {
                (*packet.0).flags |= AV_PKT_FLAG_KEY;
            }
        }
        (alpha.is_empty() || packet.put_beside(BESIDE, alpha)).then_some(packet)
    }

    /// The same packet for another file, which shares its bytes; `None` when there is no memory for it.
    pub fn share(&self) -> Option<Self> {
        let packet = Self::new();
        // SAFETY: both packets are valid, and the new one is empty.
        let code = unsafe { av_packet_ref(packet.0, self.0) };
        (code >= 0).then_some(packet)
    }

    pub fn get(&self) -> &AVPacket {
        // SAFETY: never null.
        unsafe { &*self.0 }
    }

    pub fn data(&self) -> &[u8] {
        // SAFETY: a packet's data is as long as it says; an empty one may have none.
        unsafe {
            match usize::try_from((*self.0).size) {
                Ok(length) if !(*self.0).data.is_null() => std::slice::from_raw_parts((*self.0).data, length),
                _ => &[],
            }
        }
    }

    /// Parameter sets that an encoder returns with its first packet only.
    pub fn header(&self) -> &[u8] {
        self.beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA)
    }

    /// Sends parameter sets with a packet; `false` when there is no memory for them.
    pub fn carry_header(&self, header: &[u8]) -> bool {
        self.put_beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA, header)
    }

    /// The transparency of a picture whose codec keeps it beside the colours.
    pub fn alpha(&self) -> &[u8] {
        self.beside(BESIDE)
    }

    fn put_beside(&self, kind: AVPacketSideDataType, bytes: &[u8]) -> bool {
        // SAFETY: the packet gets a buffer of that length, which is filled.
        unsafe {
            let place = av_packet_new_side_data(self.0, kind, bytes.len());
            if place.is_null() {
                return false;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        true
    }

    fn beside(&self, kind: AVPacketSideDataType) -> &[u8] {
        let mut length = 0;
        // SAFETY: side data is as long as it says, and lives as long as the packet.
        unsafe {
            let data = av_packet_get_side_data(self.0, kind, &mut length);
            if data.is_null() { &[] } else { std::slice::from_raw_parts(data, length) }
        }
    }

    pub fn pts(&self) -> i64 {
        self.get().pts
    }

    pub fn set_duration(&self, ticks: i64) {
        // SAFETY: never null, and the packet is owned by this value alone.
        unsafe { (*self.0).duration = ticks };
    }

    pub fn is_key(&self) -> bool {
        self.get().flags & AV_PKT_FLAG_KEY != 0
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        // SAFETY: frees what `new` allocated.
        unsafe { av_packet_free(&mut self.0) };
    }
}
