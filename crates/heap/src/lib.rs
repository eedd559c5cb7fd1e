//! An allocator for tests and benchmarks. It passes every call on to the allocator of the system, and counts
//! the bytes that all threads of the program hold.
//!
//! Counts are exact while one thread allocates. With several threads the peak may be too high by the buffers
//! that are growing at that moment.
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

// The counters are independent of each other and order no other memory, so relaxed accesses suffice.

/// Bytes held now.
static HELD: AtomicUsize = AtomicUsize::new(0);
/// The largest value of [`HELD`] since the last [`start_peak`].
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Bytes of all allocations so far.
static TOTAL: AtomicUsize = AtomicUsize::new(0);
/// Number of allocations so far.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The counting allocator, for `#[global_allocator]`. Its counts are shared by all of its values.
#[derive(Debug)]
pub struct Counting;

/// Bytes held now.
pub fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

/// The most bytes that were held since the last [`start_peak`], or since the program began.
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Resets the peak to the bytes held now, and returns the peak so far.
pub fn start_peak() -> usize {
    PEAK.swap(held(), Ordering::Relaxed)
}

/// Number of allocations so far. Each growth of a buffer counts as one.
pub fn allocations() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Bytes of all allocations so far, including freed ones. A buffer that grows counts again with its new
/// length.
pub fn allocated() -> usize {
    TOTAL.load(Ordering::Relaxed)
}

// SAFETY: every call is passed on to the allocator of the system with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Counted before the call, and also if it fails: a program seldom survives that.
        COUNT.fetch_add(1, Ordering::Relaxed);
        TOTAL.fetch_add(layout.size(), Ordering::Relaxed);
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller promises what the allocator of the system requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    // The default implementation would allocate, copy and free. The allocator of the system grows long buffers
    // in place or moves their pages, so the old and the new buffer are not held at once.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        TOTAL.fetch_add(size, Ordering::Relaxed);
        // The new size is added before the old one is subtracted, so that the counter never falls below zero.
        // The peak must not see both.
        let before = HELD.fetch_add(size, Ordering::Relaxed);
        PEAK.fetch_max(before + size - layout.size(), Ordering::Relaxed);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}
