//! Eight 64-bit words at a time, on processors that multiply as many at once.

use fearless_simd::Simd;

/// The vectors of such a processor (AVX-512). Elsewhere products are made one after another, and the plain code is faster.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn eight_words() -> Option<impl Simd> {
    fearless_simd::Level::new().as_avx512()
}

/// No other processor does.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn eight_words() -> Option<impl Simd> {
    None::<fearless_simd::Fallback>
}
