//! Memory of pictures in large pages. A canvas of 1080p has two thousand small ones, and the system hands out each when it
//! is first touched, cleared, in more time than it takes to paint it.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator for all but large blocks, which are mapped in large pages and kept for whoever asks next:
/// `#[global_allocator]` of programs that paint.
pub struct LargePages;

// SAFETY: a block is told by its size alone to be the system allocator's or mapped here, and goes back where it came from.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            return blocks::block(layout.size(), false);
        }
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            return blocks::block(layout.size(), true);
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the size is not zero and does not overflow, as the caller promises.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        #[cfg(target_os = "linux")]
        if blocks::large(layout) || blocks::large(new) {
            if blocks::large(layout)
                && blocks::large(new)
                && blocks::length(layout.size()) == blocks::length(size)
            {
                return memory;
            }
            // SAFETY: both blocks are as large as they are asked for, the old one is the caller's.
            unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(memory, layout.size().min(size));
                    self.dealloc(memory, layout);
                }
                return moved;
            }
        }
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, new.size()) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            // SAFETY: blocks of that size are made there, and this one is given back.
            return unsafe { blocks::give_back(memory, layout.size()) };
        }
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(target_os = "linux")]
mod blocks {
    use std::alloc::Layout;
    use std::ptr;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Bytes of a large page.
    const PAGE: usize = 2 << 20;
    /// Bytes from which a large page is worth what is left over of it.
    const WORTH: usize = PAGE / 4 * 3;
    /// Blocks end at multiples of this, which is one of any machine's smallest page.
    const STEP: usize = 256 << 10;
    /// Bytes of blocks kept for whoever asks next, and how many blocks that may be.
    const SPARE: usize = 32 << 20;
    const SPARES: usize = 16;

    /// Memory that nobody uses.
    #[derive(Clone, Copy)]
    struct Block {
        address: usize,
        length: usize,
    }

    const NONE: Block = Block { address: 0, length: 0 };

    /// The spare blocks, the longest unused first, and behind them nothing.
    static SPARE_BLOCKS: Mutex<[Block; SPARES]> = Mutex::new([NONE; SPARES]);

    fn spare_blocks() -> MutexGuard<'static, [Block; SPARES]> {
        SPARE_BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether blocks of this kind are made here.
    pub fn large(layout: Layout) -> bool {
        layout.size() >= WORTH && layout.align() <= PAGE
    }

    /// Bytes of a block for `size` of them.
    pub fn length(size: usize) -> usize {
        let (whole, rest) = (size / PAGE * PAGE, size % PAGE);
        if rest >= WORTH { whole + PAGE } else { whole + rest.next_multiple_of(STEP) }
    }

    /// A block of at least `size` bytes that begins with a large page; null when there is no memory left.
    pub fn block(size: usize, zeroed: bool) -> *mut u8 {
        let length = length(size);
        let Some(block) = spare(length) else { return mapped(length) };
        let memory = ptr::with_exposed_provenance_mut::<u8>(block.address);
        if zeroed {
            // SAFETY: the block is longer than that and nobody else's.
            unsafe { memory.write_bytes(0, size) };
        }
        memory
    }

    /// Keeps a block for whoever asks next.
    ///
    /// # Safety
    /// The block must be one of [`block`]'s for this size, and not be used any more.
    pub unsafe fn give_back(memory: *mut u8, size: usize) {
        let returned = Block { address: memory.expose_provenance(), length: length(size) };
        if returned.length > SPARE {
            unmap(returned.address, returned.length);
            return;
        }
        // Blocks that make room for it: all there are at most.
        let mut forgotten = [NONE; SPARES];
        let mut spares = spare_blocks();
        let count = spares.iter().position(|spare| spare.length == 0).unwrap_or(SPARES);
        let mut held: usize = spares.iter().map(|spare| spare.length).sum();
        let mut first = 0;
        while first < count && (held + returned.length > SPARE || count - first == SPARES) {
            held -= spares[first].length;
            forgotten[first] = spares[first];
            first += 1;
        }
        spares.copy_within(first..count, 0);
        spares[count - first..].fill(NONE);
        spares[count - first] = returned;
        drop(spares);
        for block in forgotten.iter().take_while(|block| block.length > 0) {
            unmap(block.address, block.length);
        }
    }

    /// A spare block of this length: the shortest that is long enough and less than twice as long, cut to it.
    fn spare(length: usize) -> Option<Block> {
        let mut spares = spare_blocks();
        let fits = |spare: &Block| spare.length >= length && spare.length < length * 2;
        let at = (0..SPARES).filter(|i| fits(&spares[*i])).min_by_key(|i| spares[*i].length)?;
        let block = spares[at];
        spares.copy_within(at + 1.., at);
        spares[SPARES - 1] = NONE;
        drop(spares);
        unmap(block.address + length, block.length - length);
        Some(Block { length, ..block })
    }

    /// Zeroed memory from the system.
    fn mapped(length: usize) -> *mut u8 {
        let Some(room) = length.checked_add(PAGE) else { return ptr::null_mut() };
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory is asked for, wherever there is some.
        let memory = unsafe { libc::mmap(ptr::null_mut(), room, access, kind, -1, 0) };
        if memory == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        let address = memory.expose_provenance();
        let first = address.next_multiple_of(PAGE);
        unmap(address, first - address);
        unmap(first + length, address + room - (first + length));
        let memory = memory.with_addr(first);
        // SAFETY: the memory is the one just mapped. Where there are no large pages, nothing happens.
        unsafe { libc::madvise(memory, length, libc::MADV_HUGEPAGE) };
        memory.cast()
    }

    /// Gives memory back to the system.
    fn unmap(address: usize, length: usize) {
        if length > 0 {
            // SAFETY: callers own the memory, which begins and ends at a page. If it fails, it stays theirs, unused.
            unsafe { libc::munmap(ptr::with_exposed_provenance_mut(address), length) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 64).expect("a layout")
    }

    #[test]
    fn memory_keeps_its_content_when_it_grows_and_is_zero_where_that_is_asked_for() {
        for size in [1 << 10, (1 << 20) - 1, 1 << 20, 3 << 19, 8_294_400, 50 << 20] {
            for (more, round) in [77, 1 << 19, 1 << 20, 40 << 20].into_iter().zip(1..) {
                // SAFETY: memory is used within its size, and given back as it was asked for.
                unsafe {
                    let memory = LargePages.alloc_zeroed(layout(size));
                    assert_eq!(memory.addr() % 64, 0);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 0));
                    memory.write_bytes(round, size);
                    let memory = LargePages.realloc(memory, layout(size), size + more);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == round));
                    memory.write_bytes(8, size + more);
                    let memory = LargePages.realloc(memory, layout(size + more), size);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 8));
                    LargePages.dealloc(memory, layout(size));
                }
            }
        }
    }

    #[test]
    fn a_block_larger_than_all_that_is_kept_goes_back_whatever_is_kept() {
        // SAFETY: as above.
        unsafe {
            let small: Vec<_> = (0..40).map(|_| LargePages.alloc(layout(1_800_000))).collect();
            let large = [34 << 20, 32 << 20].map(|size| (LargePages.alloc(layout(size)), size));
            for memory in small {
                LargePages.dealloc(memory, layout(1_800_000));
            }
            for (memory, size) in large {
                LargePages.dealloc(memory, layout(size));
            }
        }
    }

    #[test]
    fn blocks_of_many_threads_never_share_memory() {
        std::thread::scope(|scope| {
            for thread in 1..5u8 {
                scope.spawn(move || {
                    let mut held: Vec<(*mut u8, usize, u8)> = Vec::new();
                    for round in 0..400usize {
                        let size = (1 << 20) + (round * 7_919 * usize::from(thread)) % (6 << 20);
                        // SAFETY: as above.
                        unsafe {
                            let memory = LargePages.alloc(layout(size));
                            let mark = thread.wrapping_mul(50).wrapping_add(round as u8);
                            memory.write(mark);
                            memory.add(size - 1).write(mark);
                            held.push((memory, size, mark));
                            if held.len() > 6 {
                                let (memory, size, mark) = held.swap_remove(round % 6);
                                assert_eq!((memory.read(), memory.add(size - 1).read()), (mark, mark));
                                LargePages.dealloc(memory, layout(size));
                            }
                        }
                    }
                    for (memory, size, _) in held {
                        // SAFETY: as above.
                        unsafe { LargePages.dealloc(memory, layout(size)) };
                    }
                });
            }
        });
    }
}
