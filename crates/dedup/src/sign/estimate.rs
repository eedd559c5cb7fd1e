//! Estimates of similarity from two signatures, for forms that several methods share.

/// 1 if `a` and `b` have an equal key of `words` words, else 0.
pub(crate) fn any_key(a: &[u64], b: &[u64], words: usize) -> f64 {
    let equal = a
        .chunks_exact(words)
        .any(|key| b.chunks_exact(words).any(|other| key == other));
    f64::from(u8::from(equal))
}

/// The cosine that two 64-bit fingerprints estimate: a bit differs with probability angle / π. Angles above 90° give 0.
pub(crate) fn cosine_of_bits(a: &[u64], b: &[u64]) -> f64 {
    // A document without a fingerprint is similar to nothing.
    let (&[a], &[b]) = (a, b) else { return 0.0 };
    let angle = std::f64::consts::PI * f64::from((a ^ b).count_ones()) / 64.0;
    angle.cos().max(0.0)
}
