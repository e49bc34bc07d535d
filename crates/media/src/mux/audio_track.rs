//! An audio track being encoded: takes samples in any amount, gives packets, and trims the end to the wanted length.

use std::collections::VecDeque;

use crate::encode::audio_codec::{SoundCodec, SoundFrame, open, packet_length};
use crate::error::MediaError;
use crate::ffi::ffmpeg::AVRational;
use crate::ffi::{Codec, Packet};

pub(crate) struct SoundTrack {
    pub codec: Codec,
    frame: SoundFrame,
    /// Samples of a packet, each for both channels.
    packet: usize,
    /// Interleaved samples that do not fill a packet yet.
    pending: Vec<f32>,
    /// Frames sent to the encoder.
    sent: i64,
    /// Finished packets not yet written.
    packets: VecDeque<Packet>,
}

impl SoundTrack {
    pub fn new(codec: SoundCodec) -> Result<Self, String> {
        let codec = open(codec)?;
        let packet = packet_length(&codec);
        Ok(Self {
            codec,
            frame: SoundFrame::new(),
            packet,
            pending: Vec::with_capacity(packet * 4),
            sent: 0,
            packets: VecDeque::new(),
        })
    }

    pub fn push(&mut self, samples: &[f32]) -> Result<(), String> {
        let packet = self.packet * 2;
        let mut rest = samples;
        if !self.pending.is_empty() {
            let (head, tail) = rest.split_at(rest.len().min(packet - self.pending.len()));
            self.pending.extend_from_slice(head);
            rest = tail;
            if self.pending.len() == packet {
                let full = std::mem::take(&mut self.pending);
                self.send(&full)?;
                self.pending = full;
                self.pending.clear();
            }
        }
        let whole = rest.chunks_exact(packet);
        self.pending.extend_from_slice(whole.remainder());
        for packet in whole {
            self.send(packet)?;
        }
        Ok(())
    }

    /// Encodes up to one packet's worth of samples.
    fn send(&mut self, samples: &[f32]) -> Result<(), String> {
        let frame = self.frame.fill(&self.codec, samples, self.sent)?;
        self.codec.send(Some(frame))?;
        self.sent += samples.len() as i64 / 2;
        self.collect()
    }

    fn collect(&mut self) -> Result<(), String> {
        while let Some(packet) = self.codec.receive()? {
            self.packets.push_back(packet);
        }
        Ok(())
    }

    /// Fills up with silence to `length` samples, leaves out what is beyond, and drains the encoder.
    pub fn finish(&mut self, length: i64) -> Result<(), String> {
        let silence = vec![0.0; self.packet * 2];
        while self.sent + (self.pending.len() as i64 / 2) < length {
            let missing = length - self.sent - self.pending.len() as i64 / 2;
            self.push(&silence[..missing.min(self.packet as i64) as usize * 2])?;
        }
        let left = usize::try_from(length - self.sent).unwrap_or(0) * 2;
        self.pending.truncate(left);
        if self.pending.len() >= 2 {
            let rest = std::mem::take(&mut self.pending);
            self.send(&rest)?;
        }
        self.codec.send(None)?;
        self.collect()
    }

    /// Hands over the packets that end within `length` samples, with their time base; at the last call also the one that
    /// crosses it, cut.
    pub fn write(
        &mut self,
        length: i64,
        last: bool,
        write: &mut dyn FnMut(Packet, AVRational) -> Result<(), MediaError>,
    ) -> Result<(), MediaError> {
        let time_base = self.codec.context().time_base;
        let samples = self.packet as i64;
        while let Some(packet) = self.packets.front() {
            let start = packet.pts();
            if start >= length || (!last && start + samples > length) {
                break;
            }
            packet.set_duration(samples.min(length - start));
            if let Some(packet) = self.packets.pop_front() {
                write(packet, time_base)?;
            }
        }
        Ok(())
    }
}
