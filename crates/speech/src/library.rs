//! Shared libraries loaded at run time.

use std::ffi::OsStr;
use std::path::Path;

use libloading::Library;

/// Opens the first of these libraries that is installed.
pub fn open(names: &[impl AsRef<OsStr>]) -> Option<Library> {
    // SAFETY: loading the libraries named in this crate runs only constructors of the C and C++ runtimes.
    names.iter().find_map(|name| unsafe { Library::new(name.as_ref()) }.ok())
}

/// Opens the library in a file. The error is the reason.
pub fn open_file(file: &Path) -> Result<Library, String> {
    // SAFETY: as above.
    unsafe { Library::new(file) }.map_err(|error| error.to_string())
}

/// A struct of C functions of a library, by name.
macro_rules! functions {
    ($(#[$note:meta])* $name:ident { $($function:ident($($argument:ty),*) $(-> $answer:ty)?;)* }) => {
        $(#[$note])*
        struct $name { $($function: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)* }

        impl $name {
            /// Looks the functions up. The library must stay open while they are used.
            fn of(library: &libloading::Library) -> Option<Self> {
                // SAFETY: the signatures are those of the library's public headers.
                unsafe { Some(Self { $($function: *library.get(concat!(stringify!($function), "\0").as_bytes()).ok()?,)* }) }
            }
        }
    };
}
pub(crate) use functions;
