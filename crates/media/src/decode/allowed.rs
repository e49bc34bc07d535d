//! The containers and codecs that media may use: those that the documentation lists.

/// FFmpeg's names of containers. Playlists and concatenation scripts, which name other files, are not among them, nor are
/// bare streams of pictures, which do not tell when they are shown.
pub(super) const CONTAINERS: &str =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,gif,apng,ogg,mp3,wav,aiff,flac,aac";

/// FFmpeg's names of decoders.
pub(super) const DECODERS: &str = "h264,hevc,libdav1d,libaom-av1,av1,vp8,vp9,libvpx,libvpx-vp9,\
     mpeg1video,mpeg2video,mpeg4,mjpeg,prores,theora,rawvideo,gif,apng,\
     aac,mp2,mp2float,mp3,mp3float,opus,libopus,vorbis,libvorbis,flac,alac,ac3,eac3,\
     pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,\
     pcm_alaw,pcm_mulaw";

/// Streams of a file. A film has few; each costs memory before anything is decoded.
pub(super) const MAX_STREAMS: &str = "100";

/// Bytes read to find out what streams a file has.
pub(super) const PROBE_BYTES: &str = "5000000";

/// Pictures beyond this many pixels are refused before memory is taken for them (8192 × 8192).
pub(super) const MAX_PIXELS: i64 = 1 << 26;

/// Whether a list of names has one of some names.
pub(super) fn lists(list: &str, names: &str) -> bool {
    names.split(',').any(|name| list.split(',').any(|listed| listed == name))
}
