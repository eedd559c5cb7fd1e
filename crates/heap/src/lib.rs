//! The allocator of the system, which counts the bytes that all threads of a test program hold.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;
//!
//! dehusk_heap::start_peak();
//! let before = dehusk_heap::held();
//! drop(vec![0_u8; 1000]);
//! assert!(dehusk_heap::peak() - before >= 1000);
//! ```

#![allow(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The allocator.
#[derive(Debug)]
pub struct Counting;

/// Bytes that are held now.
pub fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

/// The most bytes that were held since the last [`start_peak`], or since the program began.
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Resets the peak to the bytes that are allocated now, and returns the peak so far.
pub fn start_peak() -> usize {
    PEAK.swap(held(), Ordering::Relaxed)
}

/// Number of allocations so far, those of buffers that grow included.
pub fn allocations() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Bytes of all allocations so far, those that were freed included. A buffer that grows counts with its new length.
pub fn allocated() -> usize {
    TOTAL.load(Ordering::Relaxed)
}

// SAFETY: every call is handed on to the allocator of the system with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        TOTAL.fetch_add(layout.size(), Ordering::Relaxed);
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    // Long buffers grow in place or move page by page: old and new are not held at once.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        TOTAL.fetch_add(size, Ordering::Relaxed);
        let before = HELD.fetch_add(size, Ordering::Relaxed);
        PEAK.fetch_max(before + size - layout.size(), Ordering::Relaxed);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}
