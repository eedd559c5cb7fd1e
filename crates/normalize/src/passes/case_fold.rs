//! Case folding, and ё to е.

use unicode_normalization::UnicodeNormalization;

use super::pass::{Example, Locale, Options, Pass};
use crate::text::chars::{extends, is_letter};
use crate::text::rewrite::Rewrite;

/// Full case folding (Unicode, section 3.13), and ё to е.
///
/// Besides lower-casing, letters that share an upper case get one form (ß is ss, ς is σ, ﬁ is fi). Changed letters are composed again with
/// their marks.
///
/// By default the dot of i is ignored: İ, I, i and ı become i, since I is the capital of ı in Turkish and of
/// i elsewhere, and the language of a text is unknown. With [`Locale::Turkic`], İ is the capital of i and I
/// that of ı. Cherokee is folded to lower-case letters, where Unicode uses capitals.
pub(super) struct CaseFold;

const DOT_ABOVE: char = '\u{307}';
const DIAERESIS: char = '\u{308}';
const DIAERESIS_AND_ACUTE: char = '\u{344}';
const IOTA_BELOW: char = '\u{345}';

/// Whether `c` may have case. `false` only for characters of scripts without case; marks of Latin count as
/// cased, since they fold with their letter.
fn is_cased_script(c: char) -> bool {
    !matches!(
        u32::from(c),
        0..=0x40 | 0x5B..=0x60 | 0x7B..=0xB4 | 0x588..=0x109F | 0x1100..=0x139F | 0x1400..=0x1C7F | 0x2E00..=0xA63F | 0xAC00..=0xFAFF
    )
}

/// Calls `emit` with each character of the case folding of `c`.
fn fold_char(c: char, locale: Locale, mut emit: impl FnMut(char)) {
    match (c, locale) {
        ('I', Locale::Turkic) => emit('ı'),
        ('İ', Locale::Turkic) => emit('i'),
        ('ı', Locale::Turkic) => emit(c),
        ('ё' | 'Ё', _) => emit('е'),
        ('İ', Locale::Root) => emit('i'),
        (c, _) if c.is_ascii() => emit(c.to_ascii_lowercase()),
        // Unicode folds the iota below to ι everywhere. After anything but a Greek letter it stays a mark here, so that a separator with
        // its marks leaves nothing.
        (IOTA_BELOW, _) => emit(c),
        (c, _) if !is_cased_script(c) => emit(c),
        // Upper-casing in between unifies letters that share an upper case.
        (c, _) => c
            .to_lowercase()
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
            .for_each(emit),
    }
}

/// Case folding of a character without marks.
enum Folded {
    Same,
    One(char),
    More,
}

/// Folds a character that no mark follows.
fn folded(c: char, locale: Locale) -> Folded {
    if c.is_ascii() && (locale == Locale::Root || c != 'I') {
        return if c.is_ascii_uppercase() {
            Folded::One(c.to_ascii_lowercase())
        } else {
            Folded::Same
        };
    }
    if !is_cased_script(c) {
        return Folded::Same;
    }
    let (mut first, mut len) = (c, 0);
    fold_char(c, locale, |folded| {
        if len == 0 {
            first = folded;
        }
        len += 1;
    });
    match len {
        1 if first == c => Folded::Same,
        1 => Folded::One(first),
        // Letters without a single-character capital fold to their parts, which compose again to the letter.
        _ if std::iter::once(c).nfd().nfc().eq(more(c, locale)) => Folded::Same,
        _ => Folded::More,
    }
}

/// Composed folding of a character that folds to several.
fn more(c: char, locale: Locale) -> impl Iterator<Item = char> {
    let (mut chars, mut len) = (['\0'; 4], 0);
    fold_char(c, locale, |folded| {
        // A character folds to at most three.
        if let Some(slot) = chars.get_mut(len) {
            *slot = folded;
            len += 1;
        }
    });
    chars.into_iter().take(len).nfc()
}

/// Folds a decomposed cluster; returns whether it changed.
fn fold_cluster(cluster: &mut Vec<char>, locale: Locale) -> bool {
    let len = cluster.len();
    let mut changed = false;
    // After a Greek letter the iota below becomes ι, as in precomposed letters (ᾳ is αι).
    let is_greek = |c: &char| matches!(c, '\u{370}'..='\u{3FF}') && is_letter(*c);
    if cluster.first().is_some_and(is_greek) {
        for mark in cluster.iter_mut().filter(|c| **c == IOTA_BELOW) {
            *mark = 'ι';
            changed = true;
        }
    }
    let mut at = 0;
    while at < cluster.len() {
        let c = cluster[at];
        // A character folds to at most three, so `rest` holds all after the first.
        let (mut first, mut rest, mut parts) = (c, ['\0'; 2], 0);
        fold_char(c, locale, |folded| {
            match parts {
                0 => first = folded,
                more => {
                    if let Some(slot) = rest.get_mut(more - 1) {
                        *slot = folded;
                    }
                }
            }
            parts += 1;
        });
        changed |= first != c || parts > 1;
        cluster[at] = first;
        if parts > 1 {
            cluster.splice(at + 1..at + 1, rest.into_iter().take(parts - 1));
        }
        at += parts.max(1);
    }
    // The letter that carries the marks: the last letter of an expanded ligature.
    match cluster.iter().rfind(|c| !extends(**c)) {
        Some('i' | 'j') if locale == Locale::Root => cluster.retain(|&c| c != DOT_ABOVE),
        Some('е') => cluster.retain(|&c| c != DIAERESIS),
        _ => {}
    }
    changed || cluster.len() != len
}

impl Pass for CaseFold {
    fn name(&self) -> &'static str {
        "case-fold"
    }

    fn summary(&self) -> &'static str {
        "case folding (Unicode, full): lower case, ß as ss, one sigma, one i; ё to е"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("German", &["STRASSE", "straße"]),
                Example::new("Greek", &["ΟΔΟΣ", "οδος", "οδοσ"]),
                Example::new("Turkish", &["İstanbul", "istanbul"]),
                Example::new("Turkish", &["ISPARTA", "ısparta"]),
                Example::new("Russian", &["Ёлка", "елка"]),
                Example::new("Polish", &["ŁÓDŹ", "łódź"]),
                Example::new("Maltese", &["GĦ", "għ"]),
                Example::new("Georgian", &["ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ", "საქართველო"]),
            ]
        }
    }

    fn touches(&self, text: &str, options: &Options) -> bool {
        text.chars().any(|c| {
            !matches!(folded(c, options.locale), Folded::Same)
                || matches!(c, DOT_ABOVE | DIAERESIS | DIAERESIS_AND_ACUTE | IOTA_BELOW)
        })
    }

    fn apply(&self, text: &str, options: &Options, out: &mut Rewrite) {
        let locale = options.locale;
        let mut cluster = out.take_cluster();
        let mut kept = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let mut end = at + c.len_utf8();
            // Most letters have no marks and need no composition.
            if chars.peek().is_none_or(|&(_, next)| !extends(next)) {
                let change = folded(c, locale);
                if matches!(change, Folded::Same) {
                    continue;
                }
                out.keep(text, kept..at);
                match change {
                    Folded::One(one) => out.replace_char(at, c, one),
                    _ => out.replace(at..end, more(c, locale)),
                }
                kept = end;
                continue;
            }
            let mut cased = is_cased_script(c);
            while let Some((mark, c)) = chars.next_if(|&(_, next)| extends(next)) {
                cased |= is_cased_script(c);
                end = mark + c.len_utf8();
            }
            if !cased {
                continue;
            }
            cluster.clear();
            cluster.extend(text[at..end].nfd());
            // In Turkish, the dot of a capital I decides which letter it is.
            if locale == Locale::Turkic && cluster.first() == Some(&'I') && cluster.contains(&DOT_ABOVE) {
                cluster[0] = 'i';
                cluster.retain(|&c| c != DOT_ABOVE);
                fold_cluster(&mut cluster, locale);
            } else if !fold_cluster(&mut cluster, locale) {
                continue;
            }
            out.keep(text, kept..at);
            out.replace(at..end, cluster.iter().copied().nfc());
            kept = end;
        }
        out.keep(text, kept..text.len());
        out.return_cluster(cluster);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded_text(text: &str) -> String {
        let mut out = Rewrite::new();
        CaseFold.apply(text, &Options::default(), &mut out);
        out.text().to_owned()
    }

    #[test]
    fn scripts_without_case_have_none() {
        for c in ('\0'..=char::MAX).filter(|&c| !is_cased_script(c)) {
            assert!(c.to_lowercase().eq([c]) && c.to_uppercase().eq([c]), "{c:?}");
        }
    }

    #[test]
    fn marks_are_folded_with_the_letter_that_has_them() {
        for (text, wanted) in [
            ("Α\u{345}\u{301}", "άι"),
            ("ᾼ", "αι"),
            ("x\u{345}", "x\u{345}"),
            ("ﬁ\u{307}", "fi"),
            ("Е\u{308}ж", "еж"),
            ("е\u{344}", "е\u{301}"),
        ] {
            assert_eq!(folded_text(text), wanted, "{text:?}");
            assert_eq!(folded_text(wanted), wanted);
        }
    }

    /// Characters fold to the same form exactly if they match regardless of case, by the tables of the crate regex.
    #[test]
    fn simple_folding_is_that_of_the_unicode_tables() {
        let beyond = ['İ', 'ı', 'ё', 'Ё'];
        // Letters that are newer than the tables of the crate regex.
        let newer = regex::Regex::new(r"^\p{Cn}$").unwrap();
        for c in ('\u{80}'..='\u{1FFFF}').filter(|c| !beyond.contains(c)) {
            let fold = folded_text(&c.to_string());
            let mut chars = fold.chars();
            let (Some(one), None) = (chars.next(), chars.next()) else {
                continue;
            };
            if one != c && !newer.is_match(&c.to_string()) && !newer.is_match(&fold) {
                let same = regex::Regex::new(&format!("^(?i)\\x{{{:X}}}$", u32::from(one))).unwrap();
                assert!(same.is_match(&c.to_string()), "{c} {one}");
            }
        }
    }
}
