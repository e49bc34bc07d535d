//! How many files and sockets this process may open.

/// Most descriptors that are asked for.
const WANTED: u64 = 1 << 16;
/// Assumed where the system does not say.
const USUAL: u64 = 1024;

/// Raises the limit of this process as far as the system allows, and returns it.
pub fn raise_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: getrlimit writes the struct only during the call.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) } != 0 {
        return USUAL;
    }
    let raised = libc::rlimit { rlim_cur: limit.rlim_max.min(WANTED).max(limit.rlim_cur), ..limit };
    // SAFETY: setrlimit reads the struct only during the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raised) } {
        0 => raised.rlim_cur,
        _ => limit.rlim_cur,
    }
}
