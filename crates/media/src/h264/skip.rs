//! A P picture of nothing but P_Skip macroblocks, coded with CABAC (clauses 7.3.3, 7.3.4 and 9.3).

use super::bits::BitWriter;
use super::nal::{self, append_nal};
use super::parameter_sets::ParameterSets;

/// The slice QP and `cabac_init_idc` for which `mb_skip_flag` starts in the state nearest to certainty.
const SLICE_QP: i32 = 51;
const CABAC_INIT_IDC: u32 = 2;

/// `rangeTabLPS` (table 9-44) from the initial state of `mb_skip_flag` on, `pStateIdx` 44.
const RANGE_LPS: [[u32; 4]; 19] = [
    [14, 18, 21, 24],
    [14, 17, 20, 23],
    [13, 16, 19, 22],
    [12, 15, 18, 21],
    [12, 14, 17, 20],
    [11, 14, 16, 19],
    [11, 13, 15, 18],
    [10, 12, 15, 17],
    [10, 12, 14, 16],
    [9, 11, 13, 15],
    [9, 11, 12, 14],
    [8, 10, 12, 14],
    [8, 9, 11, 13],
    [7, 9, 11, 12],
    [7, 9, 10, 12],
    [7, 8, 10, 11],
    [6, 8, 9, 11],
    [6, 7, 9, 10],
    [6, 7, 8, 9],
];

/// A skipped picture.
pub(super) struct SkipPicture {
    pub frame_num: u32,
    pub poc_lsb: u32,
    /// `frame_num` of the reference picture it repeats.
    pub reference_frame_num: u32,
}

impl SkipPicture {
    /// Writes the picture as one non-reference P slice.
    pub fn write(&self, sets: &ParameterSets) -> Vec<u8> {
        let max_frame_num = 1 << sets.log2_max_frame_num;
        let mut bits = BitWriter::default();
        // nal_ref_idc is 0.
        bits.u(u32::from(nal::SLICE), 8);
        // first_mb_in_slice
        bits.ue(0);
        // slice_type: P, as are all slices of the picture
        bits.ue(5);
        bits.ue(sets.pps_id);
        bits.u(self.frame_num, sets.log2_max_frame_num);
        bits.u(self.poc_lsb, sets.log2_max_poc_lsb);
        // num_ref_idx_active_override_flag, num_ref_idx_l0_active_minus1
        bits.flag(true);
        bits.ue(0);
        // ref_pic_list_modification_flag_l0: abs_diff_pic_num_minus1 (8.2.4.3), then the end
        bits.flag(true);
        bits.ue(0);
        bits.ue((self.frame_num + max_frame_num - self.reference_frame_num - 1) % max_frame_num);
        bits.ue(3);
        if sets.weighted_pred {
            // luma_log2_weight_denom, chroma_log2_weight_denom, luma_weight_l0_flag, chroma_weight_l0_flag
            bits.ue(0);
            bits.ue(0);
            bits.flag(false);
            bits.flag(false);
        }
        bits.ue(CABAC_INIT_IDC);
        // slice_qp_delta
        bits.se(SLICE_QP - sets.pic_init_qp);
        if sets.deblocking_filter_control_present {
            // disable_deblocking_filter_idc
            bits.ue(1);
        }
        bits.align_with_ones();
        append_skipped_macroblocks(sets.macroblocks, &mut bits);
        let mut nal = Vec::new();
        append_nal(&bits.into_bytes(), &mut nal);
        nal
    }
}

/// Appends the slice data of `macroblocks` times `mb_skip_flag` 1 and `end_of_slice_flag` 0, the last one 1, with the
/// `rbsp_stop_one_bit`. All but the last are the most probable symbol, so `codILow` stays 0 and every renormalised bit is 0.
fn append_skipped_macroblocks(macroblocks: u32, bits: &mut BitWriter) {
    let (mut range, mut state) = (510_u32, 0);
    let mut renormalise = |range: &mut u32| {
        while *range < 256 {
            *range <<= 1;
            bits.flag(false);
        }
    };
    for macroblock in 1..=macroblocks {
        range -= RANGE_LPS[state][(range >> 6 & 3) as usize];
        state = (state + 1).min(RANGE_LPS.len() - 1);
        renormalise(&mut range);
        range -= 2;
        if macroblock < macroblocks {
            renormalise(&mut range);
        }
    }
    // EncodeFlush (9.3.4.5): ten bits of codILow, which now equals the range. The first bit of the arithmetic code is never
    // written (firstBitFlag) and would be 0; the last is the stop bit.
    bits.u(range | 1, 9);
}
