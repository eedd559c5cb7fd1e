//! Tokenization.

pub(crate) mod near_tokens;
mod syllables;
pub(crate) mod symbols;
pub(crate) mod uax29;

#[cfg(test)]
mod tests;
