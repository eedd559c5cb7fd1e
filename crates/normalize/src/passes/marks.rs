//! Vowel signs of Arabic and points of Hebrew.

use super::pass::{Example, Options, Pass};
use crate::text::clusters::{none, rewrite_clusters};
use crate::text::rewrite::Rewrite;

/// Deletes marks that fluent readers omit: vowel signs, doubling and annotation marks of Arabic (U+064B to U+0652, the
/// superscript alef, marks of the Koran) and Syriac, points and accents of Hebrew. The remaining characters are composed again.
///
/// Lucene's ArabicNormalizer deletes only U+064B to U+0652. Hamza and madda above and below stay, because they are part of their letters.
pub(super) struct Marks;

/// Whether `c` is deleted.
pub(crate) fn goes(c: char) -> bool {
    matches!(
        u32::from(c),
        0x591..=0x5BD
            | 0x5BF
            | 0x5C1 | 0x5C2
            | 0x5C4 | 0x5C5
            | 0x5C7
            | 0x610..=0x61A
            | 0x64B..=0x652
            | 0x656..=0x65F
            | 0x670
            | 0x6D6..=0x6DC
            | 0x6DF..=0x6E4
            | 0x6E7 | 0x6E8
            | 0x6EA..=0x6ED
            | 0x711
            | 0x730..=0x74A
            | 0x897..=0x89F
            | 0x8CA..=0x8E1
            | 0x8E3..=0x8FF
            | 0xFB1E
            | 0x10EFA..=0x10EFF
    )
}

/// Whether `c` is deleted, or is composed with a deleted mark, like the precomposed letters of Hebrew that NFC decomposes.
fn affects(c: char) -> bool {
    goes(c) || matches!(u32::from(c), 0xFB1D..=0xFB4E)
}

impl Pass for Marks {
    fn name(&self) -> &'static str {
        "marks"
    }

    fn summary(&self) -> &'static str {
        "delete vowel signs of Arabic and points of Hebrew"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Arabic", &["العَرَبِيَّة", "العربية"]),
                Example::new("Hebrew", &["שָׁלוֹם", "שלום"]),
                Example::new("Yiddish", &["ייִדיש", "יידיש"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        // First bytes of all these characters.
        text.bytes()
            .any(|byte| matches!(byte, 0xD6..=0xDD | 0xE0 | 0xEF | 0xF0))
            && text.chars().any(affects)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        rewrite_clusters(text, affects, none, |cluster| cluster.retain(|&c| !goes(c)), out);
    }
}
