//! Shared libraries that are looked for when they are needed.

use std::ffi::OsStr;
use std::path::Path;

use libloading::Library;

/// Opens the first library there is of these names. `None` where there is none.
pub fn open(names: &[impl AsRef<OsStr>]) -> Option<Library> {
    // SAFETY: the libraries named in this crate run nothing when they are loaded but constructors of the C and C++ runtimes.
    names.iter().find_map(|name| unsafe { Library::new(name.as_ref()) }.ok())
}

/// Opens the library in a file, or says why not.
pub fn open_file(file: &Path) -> Result<Library, String> {
    // SAFETY: as above.
    unsafe { Library::new(file) }.map_err(|error| error.to_string())
}

/// A struct of the C functions of a library, by their names.
macro_rules! functions {
    ($(#[$note:meta])* $name:ident { $($function:ident($($argument:ty),*) $(-> $answer:ty)?;)* }) => {
        $(#[$note])*
        struct $name { $($function: unsafe extern "C" fn($($argument),*) $(-> $answer)?,)* }

        impl $name {
            /// The functions of that library, which must stay open as long as they are used.
            fn of(library: &libloading::Library) -> Option<Self> {
                // SAFETY: the signatures are those of the library's public headers.
                unsafe { Some(Self { $($function: *library.get(concat!(stringify!($function), "\0").as_bytes()).ok()?,)* }) }
            }
        }
    };
}
pub(crate) use functions;
