//! Normalization of texts by a profile.

mod canonical;
mod fused;
mod pass_chain;

use std::ops::Range;

use crate::profile::Profile;
use crate::text::alignment::Alignment;
use crate::words::symbols::InnerSymbols;

use canonical::CanonicalForm;
use fused::{FusedPasses, NoOffsets};
use pass_chain::PassChain;

/// Normalizes texts by one profile. Its buffers are reused: keep one per thread.
///
/// ```
/// use dehusk_normalize::{Normalizer, Profile};
///
/// let mut normalizer = Normalizer::new(Profile::near());
/// let text = "  Ёлка,\u{A0}и PИC…";
/// let normal = normalizer.normalize(text);
/// assert_eq!(normal.text(), "елка и рис");
/// assert_eq!(&text[normal.source(0..8)], "Ёлка");
///
/// assert_eq!(normalizer.normalize_text("Fast, without offsets."), "fast without offsets");
/// ```
#[derive(Clone, Debug)]
pub struct Normalizer {
    profile: Profile,
    fused: Option<FusedPasses>,
    /// Fused form for [`normalize_apart`](Self::normalize_apart).
    fused_with_symbols: Option<FusedPasses>,
    /// Result of [`normalize_apart`](Self::normalize_apart) if there is no fused form.
    apart: String,
    canonical: Option<CanonicalForm>,
    chain: PassChain,
    /// Maps the output of the fused passes to the original.
    alignment: Alignment,
    /// Maps the output of the passes after the fused ones to the original.
    composed: Alignment,
}

/// A normalized text and the offsets of its source. Borrows the buffers of its [`Normalizer`].
#[derive(Clone, Copy, Debug)]
pub struct Normalized<'a> {
    text: &'a str,
    alignment: &'a Alignment,
}

impl<'a> Normalized<'a> {
    /// The normalized text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Source bytes of the bytes `range` of the normalized text: from the start of the first character's source to the
    /// end of the last character's, including deleted text in between.
    ///
    /// Ranges on character boundaries give ranges on character boundaries; an empty range gives an empty range; offsets
    /// past the end are treated as the end.
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        self.alignment.source(range)
    }

    /// The whole map, which can be cloned to outlive the normalizer's next call.
    #[must_use]
    pub fn alignment(&self) -> &'a Alignment {
        self.alignment
    }
}

impl Normalizer {
    /// Creates a normalizer for a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        let fused = FusedPasses::for_profile(&profile);
        let fused_with_symbols = FusedPasses::for_profile_with_symbols(&profile);
        let canonical = CanonicalForm::for_profile(&profile);
        Self {
            profile,
            fused,
            fused_with_symbols,
            apart: String::new(),
            canonical,
            chain: PassChain::default(),
            alignment: Alignment::new(),
            composed: Alignment::new(),
        }
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Normalizes a text and records the offsets of its source.
    pub fn normalize<'a>(&'a mut self, text: &str) -> Normalized<'a> {
        let (text, alignment) = self.run(text, true);
        Normalized { text, alignment }
    }

    /// Normalizes a text without offsets, which is faster by a fifth to a third.
    pub fn normalize_text<'a>(&'a mut self, text: &str) -> &'a str {
        self.run(text, false).0
    }

    /// Normalizes a text and writes one space between all tokens that
    /// [`words_and_symbols`](crate::words_and_symbols) yields with [`InnerSymbols::Apart`].
    ///
    /// Tokens of scripts without spaces may remain adjacent. Made for profiles that keep symbols: `near`
    /// without `punctuation` takes one scan, other profiles a chain of passes.
    ///
    /// ```
    /// use dehusk_normalize::{Normalizer, Profile};
    ///
    /// let profile = Profile::near().without("punctuation")?;
    /// assert_eq!(Normalizer::new(profile).normalize_apart("C++ >= -1,5"), "c ++ > = - 1 , 5");
    /// # Ok::<(), dehusk_normalize::ProfileError>(())
    /// ```
    pub fn normalize_apart<'a>(&'a mut self, text: &str) -> &'a str {
        match self.fused_with_symbols {
            Some(ref mut fused) => fused.run_apart(text),
            None => {
                let mut apart = std::mem::take(&mut self.apart);
                apart.clear();
                let rule = self.profile.token_rule();
                let normal = self.normalize_text(text);
                for token in rule.tokens_and_symbols(normal, InnerSymbols::Apart) {
                    if !apart.is_empty() {
                        apart.push(' ');
                    }
                    apart.push_str(&normal[token.range()]);
                }
                self.apart = apart;
                &self.apart
            }
        }
    }

    /// Like [`normalize`](Self::normalize), but runs one pass after another: the reference for tests of the fused passes.
    pub fn normalize_by_passes<'a>(&'a mut self, text: &str) -> Normalized<'a> {
        let options = self.profile.options();
        self.chain.run(self.profile.passes(), &options, text, true);
        let Self { chain, alignment, .. } = self;
        Normalized {
            text: chain.text(),
            alignment: chain.alignment().unwrap_or(alignment),
        }
    }

    /// Normal form of a text. Its map is valid only if `tracked`.
    fn run(&mut self, text: &str, tracked: bool) -> (&str, &Alignment) {
        let Self {
            profile,
            fused,
            canonical,
            chain,
            alignment,
            composed,
            ..
        } = self;
        let options = profile.options();
        alignment.clear();
        // The scan of `canonical` records no offsets.
        if let Some(canonical) = canonical.as_mut().filter(|_| !tracked)
            && let Some(written) = canonical.run(text)
        {
            return (written, alignment);
        }
        if let Some(fused) = fused {
            // The fused scan replaces the first passes; the chain runs the others on its output.
            let rest = &profile.passes()[fused.fused_passes()..];
            let written = if tracked {
                fused.run(text, alignment)
            } else {
                fused.run(text, &mut NoOffsets)
            };
            if let Some(written) = written {
                if rest.is_empty() {
                    return (written, alignment);
                }
                chain.run(rest, &options, written, tracked);
                // `last` leads to the output of the fused scan, `alignment` from there to the original.
                if let Some(last) = chain.alignment() {
                    composed.compose(last, alignment);
                }
                return (chain.text(), composed);
            }
        }
        // No scan serves this profile or this text.
        chain.run(profile.passes(), &options, text, tracked);
        (chain.text(), chain.alignment().unwrap_or(alignment))
    }
}
