//! Vectors of eight 64-bit words, for processors that multiply eight words in one instruction.

use fearless_simd::Simd;

/// The vectors of a processor with AVX-512, or `None`. Without AVX-512 the eight products are computed one by one, and
/// scalar code is faster.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn eight_words() -> Option<impl Simd> {
    fearless_simd::Level::new().as_avx512()
}

/// `None`: no processor of another architecture multiplies eight words in one instruction.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn eight_words() -> Option<impl Simd> {
    None::<fearless_simd::Fallback>
}
