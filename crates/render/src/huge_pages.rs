//! An allocator that puts large blocks, which hold pixels, into huge pages of 2 MB. A canvas of 1080p spans two thousand
//! pages of 4 KB, and the kernel clears each on first access, which takes longer than painting the canvas.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI32, Ordering};

/// The system's allocator, except for large blocks: those are mapped in huge pages and reused after they are freed. It is
/// the `#[global_allocator]` of programs that paint.
pub struct HugePages;

/// Exit code of a process without memory; 0 to let the program handle it.
static EXIT_CODE: AtomicI32 = AtomicI32::new(0);

impl HugePages {
    /// From now on a failed allocation ends the process with this code, which its parent can tell from a crash.
    pub fn exit_without_memory(code: i32) {
        EXIT_CODE.store(code, Ordering::Relaxed);
    }
}

/// Passes on what an allocator returned.
fn checked(memory: *mut u8) -> *mut u8 {
    #[cfg(target_os = "linux")]
    if memory.is_null() {
        let code = EXIT_CODE.load(Ordering::Relaxed);
        if code != 0 {
            // SAFETY: ends the process.
            unsafe { libc::_exit(code) };
        }
    }
    memory
}

// SAFETY: the size alone decides which allocator a block comes from, so it is returned to the same one.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            return checked(blocks::block(layout.size(), false));
        }
        // SAFETY: the caller upholds the contract of the system allocator.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            return checked(blocks::block(layout.size(), true));
        }
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that the size is not zero and does not overflow.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        #[cfg(target_os = "linux")]
        if blocks::large(layout) || blocks::large(new) {
            if blocks::large(layout)
                && blocks::large(new)
                && blocks::length(layout.size()) == blocks::length(size)
            {
                return memory;
            }
            // SAFETY: both blocks have at least the requested size, and the old one belongs to the caller.
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
        checked(unsafe { System.realloc(memory, layout, new.size()) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        #[cfg(target_os = "linux")]
        if blocks::large(layout) {
            // SAFETY: blocks of that size come from there, and the caller no longer uses this one.
            return unsafe { blocks::release(memory, layout.size()) };
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

    /// Bytes of a huge page.
    const PAGE: usize = 2 << 20;
    /// Smallest block that gets a huge page.
    const LEAST: usize = PAGE / 4 * 3;
    /// Block sizes are multiples of this, which is a multiple of the smallest page of any machine.
    const STEP: usize = 256 << 10;
    /// Limits of the free list: bytes and blocks.
    const SPARE: usize = 32 << 20;
    const SPARES: usize = 16;

    /// A free block.
    #[derive(Clone, Copy)]
    struct Block {
        address: usize,
        length: usize,
    }

    const NONE: Block = Block { address: 0, length: 0 };

    /// The free list: least recently used first, followed by empty entries.
    static SPARE_BLOCKS: Mutex<[Block; SPARES]> = Mutex::new([NONE; SPARES]);

    fn spare_blocks() -> MutexGuard<'static, [Block; SPARES]> {
        SPARE_BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a block is allocated here.
    pub fn large(layout: Layout) -> bool {
        layout.size() >= LEAST && layout.align() <= PAGE
    }

    /// Length of the block for `size` bytes.
    pub fn length(size: usize) -> usize {
        let (whole, rest) = (size / PAGE * PAGE, size % PAGE);
        if rest >= LEAST { whole + PAGE } else { whole + rest.next_multiple_of(STEP) }
    }

    /// A block of at least `size` bytes, aligned to a huge page; null if there is no memory left.
    pub fn block(size: usize, zeroed: bool) -> *mut u8 {
        let length = length(size);
        let Some(block) = spare(length) else { return mapped(length) };
        let memory = ptr::with_exposed_provenance_mut::<u8>(block.address);
        if zeroed {
            // SAFETY: the block has at least this length and no other user.
            unsafe { memory.write_bytes(0, size) };
        }
        memory
    }

    /// Puts a block on the free list. Evicts the least recently used ones to stay within its limits.
    ///
    /// # Safety
    /// The block must come from [`block`] with this size and must not be used afterwards.
    pub unsafe fn release(memory: *mut u8, size: usize) {
        let returned = Block { address: memory.expose_provenance(), length: length(size) };
        if returned.length > SPARE {
            unmap(returned.address, returned.length);
            return;
        }
        let mut evicted = [NONE; SPARES];
        let mut spares = spare_blocks();
        let count = spares.iter().position(|spare| spare.length == 0).unwrap_or(SPARES);
        let mut held: usize = spares.iter().map(|spare| spare.length).sum();
        let mut first = 0;
        while first < count && (held + returned.length > SPARE || count - first == SPARES) {
            held -= spares[first].length;
            evicted[first] = spares[first];
            first += 1;
        }
        spares.copy_within(first..count, 0);
        spares[count - first..].fill(NONE);
        spares[count - first] = returned;
        drop(spares);
        for block in evicted.iter().take_while(|block| block.length > 0) {
            unmap(block.address, block.length);
        }
    }

    /// A free block of this length: the shortest one that is long enough and less than twice as long, truncated.
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

    /// New zeroed memory.
    fn mapped(length: usize) -> *mut u8 {
        let Some(room) = length.checked_add(PAGE) else { return ptr::null_mut() };
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: maps new memory at any address.
        let memory = unsafe { libc::mmap(ptr::null_mut(), room, access, kind, -1, 0) };
        if memory == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        let address = memory.expose_provenance();
        let first = address.next_multiple_of(PAGE);
        unmap(address, first - address);
        unmap(first + length, address + room - (first + length));
        let memory = memory.with_addr(first);
        // SAFETY: the memory was just mapped. Without support for huge pages the call has no effect.
        unsafe { libc::madvise(memory, length, libc::MADV_HUGEPAGE) };
        memory.cast()
    }

    /// Returns memory to the system.
    fn unmap(address: usize, length: usize) {
        if length > 0 {
            // SAFETY: the caller owns the memory, which starts and ends at a page boundary. If the call fails, it stays mapped
            // and unused.
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
    fn reallocated_memory_keeps_its_content_and_zeroed_memory_is_zero() {
        for size in [1 << 10, (1 << 20) - 1, 1 << 20, 3 << 19, 8_294_400, 50 << 20] {
            for (more, round) in [77, 1 << 19, 1 << 20, 40 << 20].into_iter().zip(1..) {
                // SAFETY: memory is used within its size and freed with its layout.
                unsafe {
                    let memory = HugePages.alloc_zeroed(layout(size));
                    assert_eq!(memory.addr() % 64, 0);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 0));
                    memory.write_bytes(round, size);
                    let memory = HugePages.realloc(memory, layout(size), size + more);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == round));
                    memory.write_bytes(8, size + more);
                    let memory = HugePages.realloc(memory, layout(size + more), size);
                    assert!(std::slice::from_raw_parts(memory, size).iter().all(|byte| *byte == 8));
                    HugePages.dealloc(memory, layout(size));
                }
            }
        }
    }

    #[test]
    fn a_block_larger_than_the_free_list_is_unmapped() {
        // SAFETY: as above.
        unsafe {
            let small: Vec<_> = (0..40).map(|_| HugePages.alloc(layout(1_800_000))).collect();
            let large = [34 << 20, 32 << 20].map(|size| (HugePages.alloc(layout(size)), size));
            for memory in small {
                HugePages.dealloc(memory, layout(1_800_000));
            }
            for (memory, size) in large {
                HugePages.dealloc(memory, layout(size));
            }
        }
    }

    #[test]
    fn blocks_of_different_threads_do_not_overlap() {
        std::thread::scope(|scope| {
            for thread in 1..5u8 {
                scope.spawn(move || {
                    let mut held: Vec<(*mut u8, usize, u8)> = Vec::new();
                    for round in 0..400usize {
                        let size = (1 << 20) + (round * 7_919 * usize::from(thread)) % (6 << 20);
                        // SAFETY: as above.
                        unsafe {
                            let memory = HugePages.alloc(layout(size));
                            let mark = thread.wrapping_mul(50).wrapping_add(round as u8);
                            memory.write(mark);
                            memory.add(size - 1).write(mark);
                            held.push((memory, size, mark));
                            if held.len() > 6 {
                                let (memory, size, mark) = held.swap_remove(round % 6);
                                assert_eq!((memory.read(), memory.add(size - 1).read()), (mark, mark));
                                HugePages.dealloc(memory, layout(size));
                            }
                        }
                    }
                    for (memory, size, _) in held {
                        // SAFETY: as above.
                        unsafe { HugePages.dealloc(memory, layout(size)) };
                    }
                });
            }
        });
    }
}
