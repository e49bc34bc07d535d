//! NAL units (clause 7.3.1 and annex B): finding them, their types, and emulation prevention.

pub(super) const SLICE: u8 = 1;
pub(super) const IDR_SLICE: u8 = 5;
pub(super) const SEI: u8 = 6;
pub(super) const SPS: u8 = 7;
pub(super) const PPS: u8 = 8;
pub(super) const ACCESS_UNIT_DELIMITER: u8 = 9;
pub(super) const FILLER_DATA: u8 = 12;
const SPS_EXTENSION: u8 = 13;
const SUBSET_SPS: u8 = 15;

const START_CODE: [u8; 4] = [0, 0, 0, 1];

/// `nal_unit_type`; 0 for an empty unit.
pub(super) fn nal_unit_type(nal: &[u8]) -> u8 {
    nal.first().map_or(0, |header| header & 0x1f)
}

/// Whether other pictures may reference this one: `nal_ref_idc` is not 0.
pub(super) fn is_reference(nal: &[u8]) -> bool {
    nal.first().is_some_and(|header| header >> 5 & 3 != 0)
}

/// The NAL units of a byte stream (annex B).
pub(super) fn nal_units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(found) = stream[at..].windows(3).position(|bytes| bytes == [0, 0, 1]) {
        starts.push(at + found);
        at += found + 3;
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([stream.len()]).collect();
    starts.into_iter().zip(ends).filter_map(move |(start, end)| {
        let nal = &stream[start + 3..end];
        // The first zero of a four-byte start code; no NAL unit ends with one.
        let length = nal.iter().rposition(|byte| *byte != 0)? + 1;
        Some(&nal[..length])
    })
}

/// The RBSP of a NAL unit, with its header byte: emulation prevention bytes are removed.
pub(super) fn rbsp(nal: &[u8]) -> Vec<u8> {
    let mut rbsp = Vec::with_capacity(nal.len());
    let mut zeros = 0;
    for byte in nal {
        if zeros >= 2 && *byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        rbsp.push(*byte);
    }
    rbsp
}

/// Appends a start code and a NAL unit with emulation prevention. The RBSP must not end with a zero (`cabac_zero_words`),
/// which would need one more byte; x264 writes none.
pub(super) fn append_nal(rbsp: &[u8], stream: &mut Vec<u8>) {
    stream.extend(START_CODE);
    let mut zeros = 0;
    for byte in rbsp {
        if zeros >= 2 && *byte <= 3 {
            stream.push(3);
            zeros = 0;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        stream.push(*byte);
    }
}

/// Size of the length field before each NAL unit, from `avcC` extradata; `None` for byte streams.
pub(crate) fn length_size(extradata: &[u8]) -> Option<usize> {
    match extradata {
        [1, _, _, _, length_size_minus_one, _, _, ..] => Some(usize::from(length_size_minus_one & 3) + 1),
        _ => None,
    }
}

/// Whether a packet of length-prefixed NAL units can be dropped: it holds a non-reference picture and no parameter sets.
pub(crate) fn is_disposable(mut packet: &[u8], length_size: usize) -> bool {
    let mut has_slice = false;
    while let Some((length, rest)) = packet.split_at_checked(length_size) {
        let length = length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        let Some((nal, rest)) = rest.split_at_checked(length) else { return false };
        match nal_unit_type(nal) {
            SLICE..=IDR_SLICE if !is_reference(nal) => has_slice = true,
            SLICE..=IDR_SLICE | SPS | PPS | SPS_EXTENSION | SUBSET_SPS => return false,
            _ => {}
        }
        packet = rest;
    }
    has_slice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_disposable_when_none_of_its_slices_is_a_reference() {
        let packet = |nals: &[&[u8]]| {
            let with_length = |nal: &&[u8]| [&(nal.len() as u16).to_be_bytes()[..], nal].concat();
            nals.iter().flat_map(with_length).collect::<Vec<u8>>()
        };
        let (sei, disposable, reference) = ([0x06, 1], [0x01, 2, 3], [0x41, 2, 3]);
        for (nals, expected) in [
            (&[&sei[..], &disposable, &disposable][..], true),
            (&[&disposable, &reference], false),
            (&[&reference], false),
            (&[&[0x68, 1][..], &disposable], false),
            (&[&sei], false),
            (&[], false),
        ] {
            assert_eq!(is_disposable(&packet(nals), 2), expected, "{nals:?}");
        }
        let whole = packet(&[&disposable, &disposable]);
        assert!(!is_disposable(&whole[..whole.len() - 1], 2), "a truncated NAL unit");
        assert_eq!(length_size(&[1, 100, 0, 40, 0xff, 0xe1, 0]), Some(4));
        assert_eq!(length_size(&[0, 0, 0, 1, 0x67, 100, 0]), None, "a byte stream");
    }

    #[test]
    fn emulation_prevention_is_removed_and_written_again() {
        let original: Vec<&[u8]> = vec![&[0x67, 0, 0, 3, 1, 9], &[0x68, 0, 0, 3, 0, 0, 3, 2]];
        let mut stream = Vec::new();
        original.iter().for_each(|nal| append_nal(&rbsp(nal), &mut stream));
        assert_eq!(nal_units(&stream).collect::<Vec<_>>(), original);
        assert_eq!(rbsp(original[0]), [0x67, 0, 0, 1, 9]);
    }
}
