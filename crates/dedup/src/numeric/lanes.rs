//! Eight 64-bit words at a time, by the AVX-512 instructions of x86-64 processors that have them.
//!
//! Functions that use them are compiled for them, and therefore may only be called where [`available`] is true: that is what each call
//! from code without them has to state. The plain code that does the same elsewhere is what tests compare them with.

use std::arch::x86_64::{
    __m128i, __m512i, __mmask8, _mm_loadu_si128, _mm512_loadu_si512, _mm512_maskz_loadu_epi64,
    _mm512_storeu_si512,
};

/// Whether this processor has the instructions that functions of eight words are compiled for.
pub(crate) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

/// Reads eight words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and the instruction needs no alignment.
    #[expect(unsafe_code, reason = "vectors are read through pointers")]
    unsafe {
        _mm512_loadu_si512(words.as_ptr().cast())
    }
}

/// Reads up to eight words. Zeros stand for those that are missing.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn load_some(words: &[u64]) -> __m512i {
    let mask = ((1_u32 << words.len().min(8)) - 1) as __mmask8;
    // SAFETY: words whose bit is not set are not read.
    #[expect(unsafe_code, reason = "vectors are read through pointers")]
    unsafe {
        _mm512_maskz_loadu_epi64(mask, words.as_ptr().cast())
    }
}

/// Writes eight words.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn store(lanes: __m512i, words: &mut [u64; 8]) {
    // SAFETY: the array has the 64 bytes that are written, and the instruction needs no alignment.
    #[expect(unsafe_code, reason = "vectors are written through pointers")]
    unsafe {
        _mm512_storeu_si512(words.as_mut_ptr().cast(), lanes);
    }
}

/// Reads sixteen bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn load_sixteen(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read, and the instruction needs no alignment.
    #[expect(unsafe_code, reason = "vectors are read through pointers")]
    unsafe {
        _mm_loadu_si128(bytes.as_ptr().cast())
    }
}

/// Reads 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and the instruction needs no alignment.
    #[expect(unsafe_code, reason = "vectors are read through pointers")]
    unsafe {
        _mm512_loadu_si512(bytes.as_ptr().cast())
    }
}
