#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

/// A file whose AV1 data describe their colours.
const FILE: &[u8] = include_bytes!("../../tests/pictures/turned.avif");

/// A value that no version of FFmpeg gives a meaning.
const UNKNOWN: u8 = 200;

/// `data` with eight bits from bit `at` on replaced.
fn with_byte(data: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut changed = data.to_vec();
    for bit in 0..8 {
        let mask = 0x80 >> ((at + bit) % 8);
        let byte = &mut changed[(at + bit) / 8];
        *byte = if value & (0x80 >> bit) == 0 { *byte & !mask } else { *byte | mask };
    }
    changed
}

#[test]
fn an_unknown_colour_matrix_in_a_file_counts_as_none() {
    let color_data = avif::read(FILE).unwrap().color;
    let expected = color(&decode(&color_data).unwrap()).unwrap();
    // Somewhere in the sequence header, which comes first, is the byte of the matrix.
    let unknown: Vec<_> = (0..16 * 8)
        .filter_map(|at| decode(&with_byte(&color_data, at, UNKNOWN)).ok())
        .filter(|picture| picture.get().colorspace == AVColorSpace(UNKNOWN.into()))
        .collect();
    assert!(!unknown.is_empty(), "the byte was not found");
    for picture in unknown {
        assert!(color(&picture).unwrap() == expected);
    }
}

#[test]
fn unknown_colour_values_count_as_none() {
    crate::ffi::ready().unwrap();
    let picture = |space, range| {
        let mut frame = Frame::with_buffer(AVPixelFormat::AV_PIX_FMT_YUV444P, 4, 2).unwrap();
        for (plane, value) in [90, 60, 200].into_iter().enumerate() {
            for row in 0..2 {
                // SAFETY: the frame has three planes of this size.
                unsafe { frame.row::<u8>(plane, row, 4) }.fill(value);
            }
        }
        // SAFETY: the frame is ours.
        unsafe {
            (*frame.0).colorspace = AVColorSpace(space);
            (*frame.0).color_range = AVColorRange(range);
        }
        frame
    };
    let unspecified = (AVColorSpace::AVCOL_SPC_UNSPECIFIED.0, AVColorRange::AVCOL_RANGE_UNSPECIFIED.0);
    let expected = picture(unspecified.0, unspecified.1);
    for (space, range) in [(UNKNOWN.into(), 77), (u32::MAX, u32::MAX), (unspecified.0, 3)] {
        let picture = picture(space, range);
        assert!(color(&picture).unwrap() == color(&expected).unwrap(), "{space} {range}");
        assert!(
            coverage(&picture, (4, 2)).unwrap() == coverage(&expected, (4, 2)).unwrap(),
            "{space} {range}"
        );
    }
}

#[test]
fn a_picture_without_a_pixel_format_is_refused() {
    crate::ffi::ready().unwrap();
    let frame = Frame::new();
    // SAFETY: the frame is ours.
    unsafe { ((*frame.0).width, (*frame.0).height) = (4, 2) };
    for format in [-1, AVPixelFormat::AV_PIX_FMT_NB.0, i32::MAX] {
        // SAFETY: as above.
        unsafe { (*frame.0).format = format };
        assert!(color(&frame).is_err());
    }
}
