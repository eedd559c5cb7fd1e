//! Passes: single rewritings of text, each in its file, all listed in [`ALL`].
//!
//! Every pass is idempotent, accepts any text, and records the source of its output. Passes
//! that may bring a letter and a mark together compose them again, so a text in NFC stays in NFC.

mod accents;
mod acronyms;
pub(crate) mod apostrophes;
pub(crate) mod arabic;
mod bigrams;
mod case_fold;
mod confusables;
mod decode;
#[cfg(feature = "dictionary")]
mod dictionary;
mod digits;
mod german;
mod han_variants;
mod hyphenation;
mod indic;
mod inner_hyphens;
mod invisible;
mod kana;
mod ligatures;
mod lower_case;
pub(crate) mod marks;
pub(crate) mod middle_dot;
mod nfc;
mod nfkc;
mod no_spaces;
mod number_groups;
mod numbers;
mod numero;
pub(crate) mod order;
pub(crate) mod pass;
mod persian_urdu;
mod pseudographics;
mod punctuation;
mod references;
mod romanian;
mod scandinavian;
mod serbian;
mod stress;
mod thai_lao;
pub(crate) mod vietnamese;
mod white_space;

use crate::error::UnknownName;

pub use pass::{Example, Locale, Numbers, Options, Pass};

/// All passes, in an order in which they work together.
pub static ALL: &[&dyn Pass] = &[
    &decode::Decode,
    &references::References,
    &numero::Numero,
    &invisible::Invisible,
    &nfc::Nfc,
    &nfkc::Nfkc,
    &marks::Marks,
    &arabic::Arabic,
    &stress::Stress,
    &hyphenation::Hyphenation,
    &persian_urdu::PersianUrdu,
    &indic::Indic,
    &han_variants::HanVariants,
    &digits::Digits,
    &number_groups::NumberGroups,
    &acronyms::Acronyms,
    &inner_hyphens::InnerHyphens,
    &middle_dot::MiddleDot,
    &apostrophes::Apostrophes,
    &scandinavian::Scandinavian,
    &german::German,
    &accents::Accents,
    &ligatures::Ligatures,
    &confusables::Confusables,
    &lower_case::LowerCase,
    &case_fold::CaseFold,
    &romanian::Romanian,
    &vietnamese::Vietnamese,
    &serbian::Serbian,
    &kana::Kana,
    &thai_lao::ThaiLao,
    &pseudographics::Pseudographics,
    &numbers::NumbersPass,
    &punctuation::Punctuation,
    &white_space::WhiteSpace,
    &no_spaces::NoSpaces,
    #[cfg(feature = "dictionary")]
    &dictionary::Dictionary,
    &bigrams::Bigrams,
];

/// The pass with this name.
///
/// # Errors
/// If there is no such pass; the error lists the known names.
pub fn find(name: &str) -> Result<&'static dyn Pass, UnknownName> {
    ALL.iter()
        .copied()
        .find(|pass| pass.name() == name)
        .ok_or_else(|| UnknownName::new("pass", name, ALL.iter().map(|pass| pass.name()).collect()))
}

#[cfg(test)]
pub(crate) mod tests;
