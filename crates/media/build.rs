//! Reads the headers of the installed FFmpeg and writes bindings for it. Types and constants go to `types.rs`. The functions
//! go to `functions.rs`: a table for each library, filled when the library is loaded, and a function of the same name for
//! each entry, so that the rest of the crate calls FFmpeg as if it were linked.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use bindgen::callbacks::{IntKind, ParseCallbacks};
use bindgen::{Builder, EnumVariation};
use quote::{format_ident, quote};
use syn::{FnArg, ImplItem, Item, Pat};

const HEADER: &str = "src/ffi/ffmpeg.h";

/// The libraries, and the functions of each that Rondo calls.
const LIBRARIES: [(&str, &[&str]); 5] = [
    (
        "avutil",
        &[
            "av_buffer_create",
            "av_channel_layout_default",
            "av_dict_free",
            "av_dict_get",
            "av_dict_set",
            "av_frame_alloc",
            "av_frame_clone",
            "av_frame_free",
            "av_frame_get_buffer",
            "av_frame_is_writable",
            "av_frame_unref",
            "av_free",
            "av_get_bytes_per_sample",
            "av_log_set_level",
            "av_malloc",
            "av_max_alloc",
            "av_pix_fmt_desc_get",
            "av_rescale_q",
            "av_sample_fmt_is_planar",
            "av_strerror",
        ],
    ),
    (
        "avcodec",
        &[
            "av_new_packet",
            "av_packet_alloc",
            "av_packet_free",
            "av_packet_get_side_data",
            "av_packet_new_side_data",
            "av_packet_ref",
            "av_packet_rescale_ts",
            "av_packet_unref",
            "avcodec_alloc_context3",
            "avcodec_descriptor_get",
            "avcodec_find_decoder",
            "avcodec_find_decoder_by_name",
            "avcodec_find_encoder_by_name",
            "avcodec_flush_buffers",
            "avcodec_free_context",
            "avcodec_get_name",
            "avcodec_open2",
            "avcodec_parameters_from_context",
            "avcodec_parameters_to_context",
            "avcodec_receive_frame",
            "avcodec_receive_packet",
            "avcodec_send_frame",
            "avcodec_send_packet",
            "avcodec_version",
        ],
    ),
    (
        "avformat",
        &[
            "av_interleaved_write_frame",
            "av_probe_input_buffer2",
            "av_read_frame",
            "av_seek_frame",
            "av_stream_get_side_data",
            "av_write_frame",
            "av_write_trailer",
            "avformat_alloc_context",
            "avformat_alloc_output_context2",
            "avformat_close_input",
            "avformat_find_stream_info",
            "avformat_free_context",
            "avformat_index_get_entries_count",
            "avformat_index_get_entry",
            "avformat_index_get_entry_from_timestamp",
            "avformat_new_stream",
            "avformat_open_input",
            "avformat_write_header",
            "avio_alloc_context",
            "avio_close_dyn_buf",
            "avio_closep",
            "avio_context_free",
            "avio_open",
            "avio_open_dyn_buf",
            "avio_size",
        ],
    ),
    (
        "swscale",
        &[
            "sws_freeContext",
            "sws_getCoefficients",
            "sws_getContext",
            "sws_scale",
            "sws_setColorspaceDetails",
        ],
    ),
    (
        "swresample",
        &[
            "swr_alloc_set_opts2",
            "swr_close",
            "swr_convert",
            "swr_free",
            "swr_get_out_samples",
            "swr_init",
            "swr_set_matrix",
        ],
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={HEADER}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut arguments = Vec::new();
    for (library, _) in LIBRARIES {
        let found = pkg_config::Config::new().cargo_metadata(false).probe(&format!("lib{library}"))?;
        arguments.extend(found.include_paths.iter().map(|path| format!("-I{}", path.display())));
    }
    let builder = || {
        bindgen::builder()
            .header(HEADER)
            .clang_args(&arguments)
            // A file may carry values that the enum does not have, which a Rust enum may not hold.
            .default_enum_style(EnumVariation::NewType { is_bitfield: false, is_global: false })
            .parse_callbacks(Box::new(Constants))
            .wrap_unsafe_ops(true)
            .layout_tests(false)
            .generate_comments(false)
    };
    builder()
        .allowlist_type("AV.*|Sw[rs].*")
        .allowlist_var("AV.*|FF_.*|SWS_.*|E(AGAIN|INVAL)|SEEK_(SET|CUR|END)|LIB(AV|SW).*_VERSION_MAJOR")
        .generate()?
        .write_to_file(out.join("types.rs"))?;
    let mut all = String::new();
    for (library, functions) in LIBRARIES {
        all += &functions_of(library, functions, builder())?;
    }
    fs::write(out.join("functions.rs"), all)?;
    Ok(())
}

/// The table of one library, and its functions.
fn functions_of(library: &str, functions: &[&str], builder: Builder) -> Result<String, Box<dyn Error>> {
    let table = builder
        .allowlist_function(functions.join("|"))
        .allowlist_recursively(false)
        .dynamic_library_name(library)
        .dynamic_link_require_all(true)
        .generate()?
        .to_string();
    let mut all = table.clone();
    let library = format_ident!("{library}");
    let items = syn::parse_file(&table)?.items;
    let methods =
        items.into_iter().filter_map(|item| if let Item::Impl(item) = item { Some(item) } else { None });
    for method in methods.flat_map(|item| item.items) {
        let ImplItem::Fn(mut method) = method else { continue };
        if method.sig.receiver().is_none() {
            continue;
        }
        method.sig.inputs = method.sig.inputs.into_iter().skip(1).collect();
        let arguments = method.sig.inputs.iter().filter_map(|argument| match argument {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some(&name.ident),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let (signature, name) = (&method.sig, &method.sig.ident);
        let function = quote! {
            pub #signature {
                unsafe { crate::ffi::load::loaded().#library.#name(#(#arguments),*) }
            }
        };
        all += &format!("{function}\n");
    }
    Ok(all)
}

/// Constants have the types of the fields and arguments that they are for.
#[derive(Debug)]
struct Constants;

impl ParseCallbacks for Constants {
    fn int_macro(&self, name: &str, value: i64) -> Option<IntKind> {
        if name == "AV_ERROR_MAX_STRING_SIZE" {
            return Some(IntKind::Custom { name: "usize", is_signed: false });
        }
        // Some of these take the highest bit.
        if name.starts_with("AV_CODEC_FLAG_") {
            return Some(IntKind::UInt);
        }
        i32::try_from(value).is_ok().then_some(IntKind::Int)
    }
}
