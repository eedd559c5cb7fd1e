//! Tokenization.

pub(crate) mod near_tokens;
pub(crate) mod rule;
pub(crate) mod syllables;
pub(crate) mod symbols;
pub(crate) mod uax29;
pub(crate) mod unspaced;

#[cfg(test)]
mod tests;
