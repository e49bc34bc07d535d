//! Sequence and picture parameter sets (clauses 7.3.2.1 and 7.3.2.2), as far as slice headers depend on them.

use super::Unsupported;
use super::bits::BitReader;
use super::nal::{self, nal_unit_type, nal_units};

/// First `profile_idc` of the profiles whose SPS names the chroma format and bit depth.
const HIGH_PROFILE: u32 = 100;

/// Largest picture in macroblocks: 16384 × 16384 pixels.
const MAX_MACROBLOCKS: u32 = 1 << 20;

/// What the slice headers of a stream depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParameterSets {
    pub macroblocks: u32,
    pub log2_max_frame_num: u32,
    pub log2_max_poc_lsb: u32,
    pub pps_id: u32,
    pub weighted_pred: bool,
    pub pic_init_qp: i32,
    pub deblocking_filter_control_present: bool,
}

/// An SPS.
struct Sps {
    id: u32,
    log2_max_frame_num: u32,
    log2_max_poc_lsb: u32,
    macroblocks: u32,
}

/// A PPS.
struct Pps {
    id: u32,
    sps_id: u32,
    weighted_pred: bool,
    pic_init_qp: i32,
    deblocking_filter_control_present: bool,
}

impl ParameterSets {
    /// Reads the one SPS and the one PPS of a byte stream. Supported is what x264 writes for progressive 8-bit 4:2:0 with
    /// CABAC and B-frames.
    pub fn parse(header: &[u8]) -> Result<Self, Unsupported> {
        let only = |wanted, missing| {
            let mut found = nal_units(header).filter(|nal| nal_unit_type(nal) == wanted).map(nal::rbsp);
            match (found.next(), found.next()) {
                (Some(rbsp), None) => Ok(rbsp),
                _ => Err(Unsupported(missing)),
            }
        };
        let sps = Sps::parse(&only(nal::SPS, "the stream does not have exactly one SPS")?)?;
        let pps = Pps::parse(&only(nal::PPS, "the stream does not have exactly one PPS")?)?;
        if pps.sps_id != sps.id {
            return Err(Unsupported("the PPS refers to another SPS"));
        }
        Ok(Self {
            macroblocks: sps.macroblocks,
            log2_max_frame_num: sps.log2_max_frame_num,
            log2_max_poc_lsb: sps.log2_max_poc_lsb,
            pps_id: pps.id,
            weighted_pred: pps.weighted_pred,
            pic_init_qp: pps.pic_init_qp,
            deblocking_filter_control_present: pps.deblocking_filter_control_present,
        })
    }
}

impl Sps {
    fn parse(rbsp: &[u8]) -> Result<Self, Unsupported> {
        let mut bits = BitReader::after_nal_header(rbsp);
        let profile_idc = bits.u(8)?;
        let _constraint_flags_and_level_idc = bits.u(16)?;
        let id = bits.ue_up_to(31)?;
        if profile_idc >= HIGH_PROFILE {
            let chroma_format_idc = bits.ue()?;
            let (bit_depth_luma_minus8, bit_depth_chroma_minus8) = (bits.ue()?, bits.ue()?);
            if (chroma_format_idc, bit_depth_luma_minus8, bit_depth_chroma_minus8) != (1, 0, 0) {
                return Err(Unsupported("the stream is not 8-bit 4:2:0"));
            }
            let (qpprime_y_zero_transform_bypass, seq_scaling_matrix_present) = (bits.flag()?, bits.flag()?);
            if qpprime_y_zero_transform_bypass || seq_scaling_matrix_present {
                return Err(Unsupported("the SPS has lossless blocks or scaling matrices"));
            }
        }
        let log2_max_frame_num = bits.ue_up_to(12)? + 4;
        if bits.ue()? != 0 {
            return Err(Unsupported("the stream does not use pic_order_cnt_type 0"));
        }
        let log2_max_poc_lsb = bits.ue_up_to(12)? + 4;
        if log2_max_poc_lsb < 5 {
            return Err(Unsupported("pic_order_cnt_lsb has too few bits"));
        }
        let _max_num_ref_frames = bits.ue()?;
        let _gaps_in_frame_num_allowed = bits.flag()?;
        let width_in_mbs = bits.ue_up_to(MAX_MACROBLOCKS - 1)? + 1;
        let height_in_map_units = bits.ue_up_to(MAX_MACROBLOCKS - 1)? + 1;
        let frame_mbs_only = bits.flag()?;
        if !frame_mbs_only {
            return Err(Unsupported("the stream may be interlaced"));
        }
        let macroblocks = width_in_mbs
            .checked_mul(height_in_map_units)
            .filter(|macroblocks| *macroblocks <= MAX_MACROBLOCKS)
            .ok_or(Unsupported("the picture is too large"))?;
        Ok(Self { id, log2_max_frame_num, log2_max_poc_lsb, macroblocks })
    }
}

impl Pps {
    fn parse(rbsp: &[u8]) -> Result<Self, Unsupported> {
        let mut bits = BitReader::after_nal_header(rbsp);
        let id = bits.ue_up_to(255)?;
        let sps_id = bits.ue_up_to(31)?;
        let entropy_coding_mode = bits.flag()?;
        if !entropy_coding_mode {
            return Err(Unsupported("the stream uses CAVLC"));
        }
        let bottom_field_pic_order_in_frame_present = bits.flag()?;
        let num_slice_groups_minus1 = bits.ue()?;
        if bottom_field_pic_order_in_frame_present || num_slice_groups_minus1 != 0 {
            return Err(Unsupported("the PPS has field order counts or slice groups"));
        }
        let num_ref_idx_l0_default_active = bits.ue_up_to(31)? + 1;
        let _num_ref_idx_l1_default_active_minus1 = bits.ue_up_to(31)?;
        let weighted_pred = bits.flag()?;
        let weighted_bipred_idc = bits.u(2)?;
        // Implicit weights follow from POC distances, which repeats change, except between the two nearest references:
        // no repeat is between those.
        if weighted_bipred_idc == 2 && num_ref_idx_l0_default_active > 1 {
            return Err(Unsupported("B-frames have implicit weights for several references"));
        }
        let pic_init_qp = bits
            .se()?
            .checked_add(26)
            .filter(|qp| (0..=51).contains(qp))
            .ok_or(Unsupported("pic_init_qp is out of range"))?;
        let _pic_init_qs_minus26 = bits.se()?;
        let _chroma_qp_index_offset = bits.se()?;
        let deblocking_filter_control_present = bits.flag()?;
        let _constrained_intra_pred = bits.flag()?;
        let redundant_pic_cnt_present = bits.flag()?;
        if redundant_pic_cnt_present {
            return Err(Unsupported("the stream may have redundant pictures"));
        }
        Ok(Self { id, sps_id, weighted_pred, pic_init_qp, deblocking_filter_control_present })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// SPS and PPS of `x264 --ref 16 --bframes 16 --no-weightb` for 64×64.
    const HEADER: [u8; 40] = [
        0, 0, 0, 1, 0x67, 0x64, 0, 0x0a, 0xac, 0x72, 0x84, 0x44, 0x26, 0xc0, 0x44, 0, 0, 3, 0, 4, 0, 0, 3, 0,
        0xf0, 0x3c, 0x48, 0x96, 0x11, 0x80, 0, 0, 0, 1, 0x68, 0xe8, 0x43, 0x0f, 0x2c, 0x8b,
    ];

    #[test]
    fn parameter_sets_of_x264_are_read() {
        let sets = ParameterSets::parse(&HEADER).unwrap();
        assert_eq!(sets.macroblocks, 16);
        assert_eq!((sets.pps_id, sets.pic_init_qp), (0, 23));
        assert!(sets.weighted_pred && sets.deblocking_filter_control_present);
    }

    #[test]
    fn truncated_and_ambiguous_headers_are_refused() {
        for length in 0..HEADER.len() - 2 {
            assert!(ParameterSets::parse(&HEADER[..length]).is_err(), "{length} bytes");
        }
        let twice = [HEADER, HEADER].concat();
        assert_eq!(
            ParameterSets::parse(&twice),
            Err(Unsupported("the stream does not have exactly one SPS"))
        );
    }
}
