//! Memory of pictures in large pages. A canvas of 1080p has two thousand small ones, and the system hands out each when it
//! is first touched.

use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes from which memory is asked for in large pages.
#[cfg(any(target_os = "linux", test))]
const LARGE: usize = 4 << 20;

/// The system's allocator, which asks for large pages where they are of use: `#[global_allocator]` of programs that paint.
pub struct LargePages;

// SAFETY: the system's allocator does the work; advice leaves memory and its content as they are.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the system allocator's.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(not(target_os = "linux"))]
fn advised(memory: *mut u8, _: usize) -> *mut u8 {
    memory
}

#[cfg(target_os = "linux")]
fn advised(memory: *mut u8, size: usize) -> *mut u8 {
    /// The smallest page of the machine or a multiple of it.
    const PAGE: usize = 64 << 10;
    if size >= LARGE && !memory.is_null() {
        let first = memory.addr().next_multiple_of(PAGE);
        let length = (memory.addr() + size).saturating_sub(first) / PAGE * PAGE;
        // SAFETY: the pages lie within memory that was just handed out. Where there are no large pages, nothing happens.
        unsafe { libc::madvise(memory.with_addr(first).cast(), length, libc::MADV_HUGEPAGE) };
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_its_content_when_it_grows_and_is_zero_where_that_is_asked_for() {
        let layout = |size| Layout::from_size_align(size, 64).expect("a layout");
        for size in [1 << 10, LARGE - 1, LARGE, 3 * LARGE + 77] {
            // SAFETY: memory is used within its size, and given back as it was asked for.
            unsafe {
                let memory = LargePages.alloc_zeroed(layout(size));
                assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 0));
                memory.write_bytes(7, size);
                let memory = LargePages.realloc(memory, layout(size), size + LARGE);
                assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 7));
                memory.write_bytes(8, size + LARGE);
                LargePages.dealloc(memory, layout(size + LARGE));
            }
        }
    }
}
