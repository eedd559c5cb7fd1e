//! Words of scripts without spaces, by a dictionary.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;
use crate::words::unspaced::{is_unspaced, runs};

/// Writes a space between the words of Chinese, Japanese, Thai, Lao, Khmer and Burmese, as the dictionaries of ICU find them
/// (crate icu_segmenter), and between these scripts and others: 東京タワーに行く becomes 東京 タワー に 行く.
///
/// [`Profile::token_rule`](crate::Profile::token_rule) then takes each of these words for one token. Without
/// the pass, such texts are compared by characters and syllables, which do not depend on the text around
/// them; a dictionary may cut the same sentence elsewhere after an edit. Deviation from ICU: each word is cut
/// again until nothing changes, so that the pass is idempotent.
pub(super) struct Dictionary;

/// Segmenter with the dictionaries of all these scripts, loaded on first use.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// Byte offsets at which a space is missing, in ascending order.
fn missing_spaces(text: &str) -> Vec<usize> {
    let mut missing = Vec::new();
    let mut before = None;
    for run in runs(text) {
        let is_apart = |c: Option<char>| c.is_none_or(char::is_whitespace);
        if !is_apart(text[..run.start].chars().next_back()) && before != Some(run.start) {
            missing.push(run.start);
        }
        cut(text, run.clone(), &mut missing);
        if !is_apart(text[run.end..].chars().next()) {
            missing.push(run.end);
        }
        before = Some(run.end);
    }
    missing
}

/// Appends the boundaries of words within a run. Each piece is cut again on its own, since ICU may cut a word
/// further if nothing surrounds it.
fn cut(text: &str, run: Range<usize>, missing: &mut Vec<usize>) {
    // The next piece of the run is the last of the stack, so that boundaries are found in order.
    let mut pieces = vec![run];
    while let Some(piece) = pieces.pop() {
        let inner = SEGMENTER
            .segment_str(&text[piece.clone()])
            .map(|at| piece.start + at)
            .filter(|&at| at > piece.start && at < piece.end && !text[at..].starts_with(extends));
        let bounds: Vec<usize> = inner.collect();
        if bounds.is_empty() {
            missing.push(piece.end);
            continue;
        }
        let starts = std::iter::once(piece.start).chain(bounds.iter().copied());
        let ends = bounds.iter().copied().chain(std::iter::once(piece.end));
        let first = pieces.len();
        pieces.extend(starts.zip(ends).map(|(start, end)| start..end));
        pieces[first..].reverse();
    }
    // The end of the run is not a boundary within it.
    missing.pop();
}

impl Pass for Dictionary {
    fn name(&self) -> &'static str {
        "dictionary"
    }

    fn summary(&self) -> &'static str {
        "Chinese, Japanese, Thai, Lao, Khmer, Burmese: a space between words, by the dictionaries of ICU"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.chars().any(is_unspaced)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for at in missing_spaces(text) {
            let Some(first) = text[at..].chars().next() else {
                continue;
            };
            // The space maps to the same source as the character after it.
            out.keep(text, kept..at);
            kept = at + first.len_utf8();
            out.replace(at..kept, [' ', first]);
        }
        out.keep(text, kept..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spaced(text: &str) -> String {
        let mut out = Rewrite::new();
        Dictionary.apply(text, &Options::default(), &mut out);
        out.text().to_owned()
    }

    #[test]
    fn words_are_those_of_the_dictionary() {
        for (text, wanted) in [
            ("東京タワーに行く", "東京 タワー に 行く"),
            ("我们的生活2024年", "我们 的 生活 2024 年"),
            ("ภาษาไทยเป็นภาษา", "ภาษา ไทย เป็น ภาษา"),
            ("ພາສາລາວ", "ພາສາ ລາວ"),
            ("កម្ពុជាជាប្រទេស", "កម្ពុជា ជា ប្រទេស"),
            ("မြန်မာစာကိုဖတ်", "မြန်မာ စာ ကို ဖတ်"),
            ("word слово", "word слово"),
            ("a東京b ไทย。", "a 東京 b ไทย 。"),
            ("", ""),
        ] {
            assert_eq!(spaced(text), wanted);
        }
    }
}
