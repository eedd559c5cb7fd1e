//! The trait of passes, and their options.

use std::fmt;

use crate::error::UnknownName;
use crate::text::rewrite::Rewrite;

/// A pass: one rewriting of text.
pub trait Pass: Send + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// Summary in one line, for help texts.
    fn summary(&self) -> &'static str;

    /// Spellings that the pass makes equal, for help texts. A test checks them.
    fn examples(&self) -> &'static [Example] {
        &[]
    }

    /// Whether [`apply`](Self::apply) may change the text. Cheap; `false` is certain, `true` may be wrong.
    fn touches(&self, text: &str, options: &Options) -> bool;

    /// Writes the rewritten text to `out`.
    fn apply(&self, text: &str, options: &Options, out: &mut Rewrite);
}

/// Spellings of one word that a pass makes equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// English name of the language, or names with commas between.
    pub language: &'static str,
    /// Two or more spellings.
    pub spellings: &'static [&'static str],
}

impl Example {
    pub(super) const fn new(language: &'static str, spellings: &'static [&'static str]) -> Self {
        Example { language, spellings }
    }
}

impl fmt::Debug for dyn Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Options of passes. The built-in profiles use the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default)
)]
#[non_exhaustive]
pub struct Options {
    /// Treatment of numbers by the pass `numbers`; default [`Numbers::Keep`].
    pub numbers: Numbers,
    /// Treatment of i and I by the pass `case-fold`; default [`Locale::Root`].
    pub locale: Locale,
}

impl Options {
    /// Sets the treatment of numbers.
    #[must_use]
    pub fn with_numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Sets the locale for case folding.
    #[must_use]
    pub fn with_locale(mut self, locale: Locale) -> Self {
        self.locale = locale;
        self
    }
}

/// Locale for case folding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Locale {
    /// Any language: İ, I, i and ı are treated as one letter.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "root"))]
    Root,
    /// Turkish and Azerbaijani: I is the capital of ı, and İ that of i.
    #[cfg_attr(feature = "serde", serde(rename = "tr"))]
    Turkic,
}

impl Locale {
    /// All locales, in the order of help texts.
    pub const ALL: &'static [Self] = &[Self::Root, Self::Turkic];

    /// Name as users type it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Turkic => "tr",
        }
    }

    /// The locale with this name.
    ///
    /// # Errors
    /// If there is no such locale; the error lists the known names.
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

/// Treatment of a number: a run of decimal digits with single `.`, `,` or `:` inside, touching no letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Numbers {
    /// Numbers stay. Generated dates, times and exchange rates then make copies of a page differ.
    #[default]
    Keep,
    /// Each number becomes a space. Product names and tables of data then lose what distinguishes them.
    Drop,
    /// Each number becomes `0`.
    Mask,
}

impl Numbers {
    /// All modes, in the order of help texts.
    pub const ALL: &'static [Self] = &[Self::Keep, Self::Drop, Self::Mask];

    /// Name as users type it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Mask => "mask",
        }
    }

    /// The mode with this name.
    ///
    /// # Errors
    /// If there is no such mode; the error lists the known names.
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
