//! FFmpeg's libraries, loaded when they are first needed. They need more than a hundred others: loaded with the program,
//! they take 30 to 45 ms of every start, even of one that shows no video.

use std::sync::OnceLock;

use super::ffmpeg::{
    LIBAVCODEC_VERSION_MAJOR, LIBAVFORMAT_VERSION_MAJOR, LIBAVUTIL_VERSION_MAJOR,
    LIBSWRESAMPLE_VERSION_MAJOR, LIBSWSCALE_VERSION_MAJOR, avcodec, avformat, avutil, swresample, swscale,
};

/// The functions of every library.
pub(super) struct Loaded {
    pub(super) avutil: avutil,
    pub(super) avcodec: avcodec,
    pub(super) avformat: avformat,
    pub(super) swscale: swscale,
    pub(super) swresample: swresample,
}

/// Loads FFmpeg, which otherwise happens when it is needed, and looks up every function.
pub fn load_ffmpeg() -> Result<(), String> {
    load().as_ref().map(drop).map_err(String::clone)
}

/// FFmpeg. Every use of it follows a successful [`load_ffmpeg`], which is what reports an error.
pub(super) fn loaded() -> &'static Loaded {
    load().as_ref().unwrap_or_else(|error| panic!("{error}"))
}

fn load() -> &'static Result<Loaded, String> {
    static LOADED: OnceLock<Result<Loaded, String>> = OnceLock::new();
    LOADED.get_or_init(|| {
        // SAFETY: loading runs the constructors of C and C++ libraries. The libraries are those of the version whose
        // headers the signatures come from.
        unsafe { open() }.map_err(|error| format!("FFmpeg's libraries cannot be loaded ({error})"))
    })
}

/// # Safety
/// See [`libloading::Library::new`].
unsafe fn open() -> Result<Loaded, libloading::Error> {
    // SAFETY: the caller's.
    unsafe {
        Ok(Loaded {
            avutil: avutil::new(file("avutil", LIBAVUTIL_VERSION_MAJOR))?,
            avcodec: avcodec::new(file("avcodec", LIBAVCODEC_VERSION_MAJOR))?,
            avformat: avformat::new(file("avformat", LIBAVFORMAT_VERSION_MAJOR))?,
            swscale: swscale::new(file("swscale", LIBSWSCALE_VERSION_MAJOR))?,
            swresample: swresample::new(file("swresample", LIBSWRESAMPLE_VERSION_MAJOR))?,
        })
    }
}

/// The file of a library of this version.
fn file(library: &str, version: i32) -> String {
    if cfg!(target_os = "macos") {
        format!("lib{library}.{version}.dylib")
    } else {
        format!("lib{library}.so.{version}")
    }
}
