//! Accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::pass::{Example, Options, Pass};
use crate::text::chars::{Script, script};
use crate::text::clusters::{none, rewrite_clusters};
use crate::text::rewrite::Rewrite;

/// Deletes the accents of Latin and Greek letters, and replaces Latin letters with a stroke and ligatures by plain letters
/// (ø, đ, ł, æ, œ). Cyrillic й and ї are separate letters and stay, whereas Lucene's ICUFoldingFilter turns them into и and і.
pub(super) struct Accents;

fn is_greek(c: char) -> bool {
    matches!(u32::from(c), 0x370..=0x3FF | 0x1F00..=0x1FFF)
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// Plain letters for a Latin letter with a stroke or a ligature.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'đ' => "d",
        'Đ' => "D",
        'ħ' => "h",
        'Ħ' => "H",
        'ł' => "l",
        'Ł' => "L",
        'ø' => "o",
        'Ø' => "O",
        'ŧ' => "t",
        'Ŧ' => "T",
        'ı' => "i",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        _ => return None,
    })
}

/// Whether the pass may change a cluster with `c`: a mark, or a letter of Latin or Greek that decomposes or
/// has a plain form.
fn affects(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    is_combining_mark(c)
        || (script(c) == Script::Latin || is_greek(c)) && {
            let mut parts = 0;
            decompose_canonical(c, |_| parts += 1);
            parts > 1 || plain(c).is_some()
        }
}

/// Deletes the accents of a decomposed cluster. Clusters of other scripts than Latin, Greek and Cyrillic
/// stay.
fn fold(cluster: &mut Vec<char>) {
    let Some(&first) = cluster.first() else {
        return;
    };
    if script(first) == Script::Cyrillic {
        // The marks of й and ї belong to the letter. Other accents are deleted, because a Latin look-alike
        // with this accent would lose it, too.
        let letter = cluster.iter().copied().nfc().next().unwrap_or(first);
        cluster.retain(|&c| !is_accent(c));
        cluster[0] = letter;
        return;
    }
    if script(first) != Script::Latin && !is_greek(first) {
        return;
    }
    cluster.retain(|&c| !is_accent(c));
    if let Some(plain) = plain(first) {
        cluster.splice(..1, plain.chars());
    }
}

impl Pass for Accents {
    fn name(&self) -> &'static str {
        "accents"
    }

    fn summary(&self) -> &'static str {
        "no accents of Latin and Greek letters"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("French", &["naïve", "naive"]),
                Example::new("Greek", &["Αθήνα", "ΑΘΗΝΑ"]),
                Example::new("Ancient Greek", &["ἀρχή", "αρχή"]),
                Example::new("Turkish", &["hâlâ", "hala"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && text.chars().any(affects)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        rewrite_clusters(text, affects, none, fold, out);
    }
}
