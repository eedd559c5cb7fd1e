//! What a pass is, and what can be set.

use std::fmt;

use crate::error::UnknownName;
use crate::text::rewrite::Rewrite;

/// One rewriting of text.
pub trait Pass: Send + Sync {
    /// The name as users type it.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn summary(&self) -> &'static str;

    /// False only if [`apply`](Self::apply) would leave the text as it is. Cheap; may be wrongly true.
    fn touches(&self, text: &str, options: &Options) -> bool;

    /// Writes the rewritten text to `out`.
    fn apply(&self, text: &str, options: &Options, out: &mut Rewrite);
}

impl fmt::Debug for dyn Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Settings of passes. The default is what the built-in profiles use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default)
)]
#[non_exhaustive]
pub struct Options {
    /// What the pass `numbers` does; default [`Numbers::Keep`].
    pub numbers: Numbers,
    /// Whose letters the pass `case-fold` takes i and I for; default [`Locale::Root`].
    pub locale: Locale,
}

impl Options {
    /// The same settings with another treatment of numbers.
    #[must_use]
    pub fn with_numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// The same settings for the case of another locale.
    #[must_use]
    pub fn with_locale(mut self, locale: Locale) -> Self {
        self.locale = locale;
        self
    }
}

/// Whose rules of case hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Locale {
    /// Any language: İ, I, i and ı are one letter.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "root"))]
    Root,
    /// Turkish and Azerbaijani: I is the capital of ı, and İ that of i.
    #[cfg_attr(feature = "serde", serde(rename = "tr"))]
    Turkic,
}

impl Locale {
    /// Every locale, in the order of help texts.
    pub const ALL: &'static [Self] = &[Self::Root, Self::Turkic];

    /// The name as users type it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Turkic => "tr",
        }
    }

    /// The locale of that name.
    ///
    /// # Errors
    /// If there is none; the error names those there are.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .iter()
            .copied()
            .find(|locale| locale.name() == name)
            .ok_or_else(|| {
                UnknownName::new(
                    "locale",
                    name,
                    Self::ALL.iter().map(|locale| locale.name()).collect(),
                )
            })
    }
}

/// What becomes of a number: a run of decimal digits with single `.`, `,` or `:` inside, touching no letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Numbers {
    /// It stays. Generated dates, times and exchange rates then make copies of a page differ.
    #[default]
    Keep,
    /// It becomes a space. Trade names and tables of data then lose what tells them apart.
    Drop,
    /// It becomes `0`.
    Mask,
}

impl Numbers {
    /// Every mode, in the order of help texts.
    pub const ALL: &'static [Self] = &[Self::Keep, Self::Drop, Self::Mask];

    /// The name as users type it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Mask => "mask",
        }
    }

    /// The mode of that name.
    ///
    /// # Errors
    /// If there is none; the error names those there are.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .iter()
            .copied()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| {
                UnknownName::new(
                    "number mode",
                    name,
                    Self::ALL.iter().map(|mode| mode.name()).collect(),
                )
            })
    }
}
