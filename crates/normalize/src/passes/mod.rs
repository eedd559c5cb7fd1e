//! Passes: single rewritings of text, each in its file, all in [`ALL`].
//!
//! Every pass applied twice gives what it gives once, accepts any text, and reports where its output comes from. Passes
//! that may bring a letter and a mark together compose the place anew, so a text in NFC stays in NFC.

mod confusables;
mod decode;
mod hyphenation;
mod invisible;
mod lower_case;
mod nfc;
mod nfkc;
mod no_spaces;
mod numbers;
mod numero;
pub(crate) mod order;
pub(crate) mod pass;
mod pseudographics;
mod punctuation;
mod references;
mod stress;
mod white_space;

use crate::error::UnknownName;

pub use pass::{Numbers, Options, Pass};

/// Every pass, in the order in which they make sense.
pub static ALL: &[&dyn Pass] = &[
    &decode::Decode,
    &references::References,
    &numero::Numero,
    &invisible::Invisible,
    &nfc::Nfc,
    &nfkc::Nfkc,
    &stress::Stress,
    &hyphenation::Hyphenation,
    &confusables::Confusables,
    &lower_case::LowerCase,
    &pseudographics::Pseudographics,
    &numbers::NumbersPass,
    &punctuation::Punctuation,
    &white_space::WhiteSpace,
    &no_spaces::NoSpaces,
];

/// The pass of that name.
///
/// # Errors
/// If there is none; the error names those there are.
pub fn find(name: &str) -> Result<&'static dyn Pass, UnknownName> {
    ALL.iter()
        .copied()
        .find(|pass| pass.name() == name)
        .ok_or_else(|| UnknownName::new("pass", name, ALL.iter().map(|pass| pass.name()).collect()))
}

#[cfg(test)]
pub(crate) mod tests;
