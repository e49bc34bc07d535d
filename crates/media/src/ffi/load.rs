//! FFmpeg's libraries, loaded when they are first needed. They bring more than a hundred others along: loaded with the
//! program, they take 30 to 45 ms of every start, also of one that shows no video.
//!
//! Every function of FFmpeg that this program calls is defined here, under its own name, as a jump to an address that is
//! found out at the first call. The linker then has no need of the libraries, and does not have them loaded at the start.
//! A function that is called and not listed works as well, but brings its library back to the start; a test of the
//! command tells. With GNU's linker all of them stay there, because it counts calls that are never made.

use std::arch::naked_asm;
use std::ffi::CStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use ffmpeg_next::ffi::{
    LIBAVCODEC_VERSION_MAJOR, LIBAVFORMAT_VERSION_MAJOR, LIBAVUTIL_VERSION_MAJOR,
    LIBSWRESAMPLE_VERSION_MAJOR, LIBSWSCALE_VERSION_MAJOR,
};

/// Loads FFmpeg, which otherwise happens when it is needed, and sees that every function is there.
pub fn load_ffmpeg() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED
        .get_or_init(|| FUNCTIONS.iter().try_for_each(|(library, name)| library.find(name).map(drop)))
        .clone()
}

#[derive(Debug, Clone, Copy)]
enum Library {
    AvUtil,
    AvCodec,
    AvFormat,
    SwScale,
    SwResample,
}

impl Library {
    /// Its file, in the version that this program was built for.
    fn file(self) -> String {
        let (name, version) = match self {
            Self::AvUtil => ("avutil", LIBAVUTIL_VERSION_MAJOR),
            Self::AvCodec => ("avcodec", LIBAVCODEC_VERSION_MAJOR),
            Self::AvFormat => ("avformat", LIBAVFORMAT_VERSION_MAJOR),
            Self::SwScale => ("swscale", LIBSWSCALE_VERSION_MAJOR),
            Self::SwResample => ("swresample", LIBSWRESAMPLE_VERSION_MAJOR),
        };
        format!("lib{name}.so.{version}")
    }

    fn open(self) -> Result<&'static libloading::Library, String> {
        static OPEN: [OnceLock<Result<libloading::Library, String>>; 5] = [const { OnceLock::new() }; 5];
        let opened = OPEN[self as usize].get_or_init(|| {
            // SAFETY: what runs when FFmpeg and what it needs are loaded are constructors of C and C++.
            unsafe { libloading::Library::new(self.file()) }.map_err(unusable)
        });
        opened.as_ref().map_err(String::clone)
    }

    fn find(self, name: &CStr) -> Result<*mut (), String> {
        // SAFETY: the address is only ever jumped to, with the arguments of a caller who knows what the function takes.
        let found = unsafe { self.open()?.get::<*mut ()>(name.to_bytes_with_nul()) };
        found.map(|address| *address).map_err(unusable)
    }
}

fn unusable(error: libloading::Error) -> String {
    format!("FFmpeg's libraries cannot be loaded ({error})")
}

/// Where a function is.
#[repr(C)]
struct Place {
    /// Where to jump: first to [`search`]. Jumps read it at the beginning of this struct.
    address: AtomicPtr<()>,
    library: Library,
    name: &'static CStr,
}

/// Finds a function, for this call and all later ones.
extern "C" fn found(place: &Place) -> *mut () {
    let address = place.library.find(place.name).unwrap_or_else(|error| {
        // Whoever calls a function of C cannot be told of an error that it does not have.
        #[expect(clippy::print_stderr, reason = "nobody is left to say it")]
        {
            eprintln!("{error}");
        }
        std::process::exit(1)
    });
    place.address.store(address, Ordering::Relaxed);
    address
}

/// Where every function begins: finds the one whose [`Place`] is in `r11` and goes on there, with all arguments in place
/// but those that are floating-point: none of the functions takes any.
#[unsafe(naked)]
unsafe extern "C" fn search() {
    naked_asm!(
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        // Aligns the stack.
        "push rax",
        "mov rdi, r11",
        "call {found}",
        "mov r11, rax",
        "pop rax",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "jmp r11",
        found = sym found,
    )
}

macro_rules! c_name {
    ($name:ident) => {
        match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => panic!(),
        }
    };
}

macro_rules! functions {
    ($($library:ident: $($name:ident),*;)*) => {
        const FUNCTIONS: &[(Library, &CStr)] = &[$($((Library::$library, c_name!($name)),)*)*];

        $($(const _: () = {
            static PLACE: Place = Place {
                address: AtomicPtr::new(search as *mut ()),
                library: Library::$library,
                name: c_name!($name),
            };

            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() {
                naked_asm!(
                    // The libraries call each other, not this.
                    concat!(".hidden ", stringify!($name)),
                    "lea r11, [rip + {place}]",
                    "jmp [r11]",
                    place = sym PLACE,
                )
            }
        };)*)*
    };
}

functions! {
    AvUtil:
        av_buffer_create, av_channel_layout_default, av_dict_free, av_dict_get, av_dict_set, av_frame_alloc,
        av_frame_clone, av_frame_free, av_frame_get_buffer, av_frame_is_writable, av_frame_unref,
        av_get_bytes_per_sample, av_log_set_level, av_pix_fmt_desc_get, av_rescale_q,
        av_sample_fmt_is_planar, av_strerror;
    AvCodec:
        av_codec_is_decoder, av_init_packet, av_new_packet, av_packet_alloc, av_packet_free,
        av_packet_get_side_data, av_packet_new_side_data, av_packet_rescale_ts, av_packet_unref,
        avcodec_alloc_context3, avcodec_close, avcodec_descriptor_get, avcodec_find_decoder,
        avcodec_find_decoder_by_name, avcodec_find_encoder_by_name, avcodec_flush_buffers,
        avcodec_free_context, avcodec_get_name, avcodec_open2, avcodec_parameters_from_context,
        avcodec_parameters_to_context, avcodec_receive_frame, avcodec_receive_packet, avcodec_send_frame,
        avcodec_send_packet, avcodec_version;
    AvFormat:
        av_interleaved_write_frame, av_probe_input_buffer2, av_read_frame, av_seek_frame,
        av_stream_get_side_data, av_write_trailer, avformat_alloc_output_context2, avformat_close_input,
        avformat_find_stream_info, avformat_free_context, avformat_index_get_entries_count,
        avformat_index_get_entry, avformat_index_get_entry_from_timestamp, avformat_new_stream,
        avformat_open_input, avformat_write_header, avio_closep, avio_open, avio_size;
    SwScale:
        sws_freeContext, sws_getCoefficients, sws_getContext, sws_scale, sws_setColorspaceDetails;
    SwResample:
        swr_alloc_set_opts2, swr_close, swr_convert, swr_free, swr_get_out_samples, swr_init,
        swr_set_matrix;
}
