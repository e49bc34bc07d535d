//! Slice headers (clause 7.3.3), up to the picture order count.

use super::Unsupported;
use super::bits::BitReader;
use super::nal;
use super::parameter_sets::ParameterSets;

/// The start of a slice header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SliceHeader {
    pub is_idr: bool,
    pub is_reference: bool,
    pub slice_type: SliceType,
    pub frame_num: u32,
    pub poc_lsb: u32,
    /// Position of `pic_order_cnt_lsb` in the RBSP, in bits.
    pub poc_lsb_position: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SliceType {
    P,
    B,
    I,
}

impl SliceHeader {
    /// Reads the header of a slice from its RBSP.
    pub fn parse(rbsp: &[u8], sets: &ParameterSets) -> Result<Self, Unsupported> {
        let is_idr = nal::nal_unit_type(rbsp) == nal::IDR_SLICE;
        let mut bits = BitReader::after_nal_header(rbsp);
        let _first_mb_in_slice = bits.ue()?;
        let slice_type = match bits.ue_up_to(9)? % 5 {
            0 => SliceType::P,
            1 => SliceType::B,
            2 => SliceType::I,
            _ => return Err(Unsupported("a slice is of a switching type")),
        };
        if bits.ue()? != sets.pps_id {
            return Err(Unsupported("a slice refers to another PPS"));
        }
        let frame_num = bits.u(sets.log2_max_frame_num)?;
        if is_idr {
            let _idr_pic_id = bits.ue()?;
        }
        let poc_lsb_position = bits.position();
        let poc_lsb = bits.u(sets.log2_max_poc_lsb)?;
        let is_reference = nal::is_reference(rbsp);
        Ok(Self { is_idr, is_reference, slice_type, frame_num, poc_lsb, poc_lsb_position })
    }

    /// Whether two slices belong to one picture (7.4.1.2.4).
    pub fn is_same_picture(&self, other: &Self) -> bool {
        let of_picture = |slice: &Self| (slice.is_idr, slice.is_reference, slice.frame_num, slice.poc_lsb);
        of_picture(self) == of_picture(other)
    }
}
