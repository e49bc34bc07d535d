//! NAL units of an H.264 stream, inspected without decoding.

const SLICE: u8 = 1;
const KEY_SLICE: u8 = 5;
const SEQUENCE: u8 = 7;
const PARAMETERS: u8 = 8;
const SEQUENCE_EXTENSION: u8 = 13;
const SUBSET_SEQUENCE: u8 = 15;

/// Bytes in which the length before each unit is written, in files that tell lengths instead of start codes.
pub(crate) fn length_bytes(header: &[u8]) -> Option<usize> {
    match header {
        [1, _, _, _, bytes, _, _, ..] => Some(usize::from(bytes & 3) + 1),
        _ => None,
    }
}

/// Whether nothing that follows needs a packet: no other picture is made from the one in it, and it holds no parameters.
pub(crate) fn is_disposable(mut packet: &[u8], length_bytes: usize) -> bool {
    let mut pictured = false;
    while let Some((length, rest)) = packet.split_at_checked(length_bytes) {
        let length = length.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        let Some((unit, rest)) = rest.split_at_checked(length) else { return false };
        match unit.first().map_or(0, |first| first & 0x1f) {
            SLICE..=KEY_SLICE if unit[0] >> 5 & 3 == 0 => pictured = true,
            SLICE..=KEY_SLICE | SEQUENCE | PARAMETERS | SEQUENCE_EXTENSION | SUBSET_SEQUENCE => return false,
            _ => {}
        }
        packet = rest;
    }
    pictured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_disposable_when_no_slice_of_it_is_referred_to() {
        let packet = |units: &[&[u8]]| {
            let with_length = |unit: &&[u8]| [&(unit.len() as u16).to_be_bytes()[..], unit].concat();
            units.iter().flat_map(with_length).collect::<Vec<u8>>()
        };
        let (information, disposable, kept) = ([0x06, 1], [0x01, 2, 3], [0x41, 2, 3]);
        for (units, expected) in [
            (&[&information[..], &disposable, &disposable][..], true),
            (&[&disposable, &kept], false),
            (&[&kept], false),
            (&[&[0x68, 1][..], &disposable], false),
            (&[&information], false),
            (&[], false),
        ] {
            assert_eq!(is_disposable(&packet(units), 2), expected, "{units:?}");
        }
        let whole = packet(&[&disposable, &disposable]);
        assert!(!is_disposable(&whole[..whole.len() - 1], 2), "a unit that is cut short");
        assert_eq!(length_bytes(&[1, 100, 0, 40, 0xff, 0xe1, 0]), Some(4));
        assert_eq!(length_bytes(&[0, 0, 0, 1, 0x67, 100, 0]), None, "start codes");
    }
}
