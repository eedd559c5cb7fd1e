//! Traditional Chinese characters.

use std::sync::LazyLock;

use super::pass::{Example, Options, Pass};
use crate::text::rewrite::Rewrite;

/// Replaces traditional Chinese characters by simplified ones (漢語 becomes 汉语), one character at a time, by the table of OpenCC.
///
/// Characters that simplified Chinese writes with one of several traditional ones become equal (後 and 后, 髮 and 發). Kanji of Japanese that
/// look like traditional characters are replaced, too; hence no built-in profile has this pass. Lucene has it in ICUTransformFilter
/// (Traditional-Simplified of ICU) and charabia in its Chinese normalizer, which also folds Japanese variants.
pub(super) struct HanVariants;

/// Sorted pairs of a traditional character and its simplified one, which is never itself in the first column.
static SIMPLIFIED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/han-variants.txt").lines();
    let mut chars = lines.filter(|line| !line.starts_with('#')).flat_map(str::chars);
    let mut pairs = Vec::new();
    while let (Some(traditional), Some(simplified)) = (chars.next(), chars.next()) {
        pairs.push((traditional, simplified));
    }
    pairs
});

/// Simplified form of a traditional character; `None` for other characters.
fn simplified(c: char) -> Option<char> {
    // No entry of the table is below U+3400.
    if c < '\u{3400}' {
        return None;
    }
    let place = SIMPLIFIED.binary_search_by_key(&c, |pair| pair.0).ok()?;
    Some(SIMPLIFIED[place].1)
}

impl Pass for HanVariants {
    fn name(&self) -> &'static str {
        "han-variants"
    }

    fn summary(&self) -> &'static str {
        "Chinese: traditional characters as simplified ones"
    }

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("Chinese", &["汉语", "漢語"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.chars().any(|c| simplified(c).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in text.char_indices() {
            if let Some(new) = simplified(c) {
                out.keep(text, kept..at);
                out.replace_char(at, c, new);
                kept = at + c.len_utf8();
            }
        }
        out.keep(text, kept..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_results_stay() {
        assert!(SIMPLIFIED.len() > 3900, "{}", SIMPLIFIED.len());
        assert!(SIMPLIFIED.is_sorted_by(|a, b| a.0 < b.0));
        for &(traditional, new) in SIMPLIFIED.iter() {
            assert!(
                traditional >= '\u{3400}' && simplified(new).is_none(),
                "{traditional} {new}"
            );
            assert!(
                unicode_normalization::is_nfkc(new.encode_utf8(&mut [0; 4])),
                "{new}"
            );
        }
    }
}
