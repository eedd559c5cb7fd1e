//! The profile `near` in one pass over the bytes.
//!
//! Nearly all text consists of separators, and of letters and digits whose normal form is their lower case.
//! Tables handle these here, byte by byte. Everything else is passed to the plain chain of passes: marks,
//! references, styled or full-width letters, invisible characters, words that mix Latin and Cyrillic. Its
//! surroundings up to the next [`BOUNDARY`] on both sides are passed, too. The result equals that of the
//! chain over the whole text; tests compare the two.
//!
//! This loop also serves the profile without the pass `punctuation`, where it writes symbols as tokens of
//! their own. Only white space is a boundary there, so that a run of one symbol is never cut.

mod ascii_run;
mod blocks;
mod char_classes;
mod offsets;
mod symbol_forms;

use crate::normalizer::pass_chain::PassChain;
use crate::passes::apostrophes::joins;
use crate::passes::middle_dot;
use crate::passes::pass::{Locale, Numbers, Options, Pass};
use crate::passes::vietnamese::moves;
use crate::profile::Profile;
use crate::text::chars::is_letter;
use crate::words::symbols::{InnerSymbols, words_and_symbols};

pub(crate) use offsets::NoOffsets;
use offsets::{OffsetSink, RestartPoint};

use char_classes::{
    AMPERSAND, APOSTROPHE, BOUNDARY, CYRILLIC, DROPPED, FIRST_BYTE, FIRST_BYTE_NO_DIGITS, HYPHEN, LATIN,
    LATIN_OF_THREE, LETTER, REWRITTEN, SOFT, SPACE, THREE, TONED, TWO, TWO_BYTE, TWO_BYTE_NO_DIGITS,
    TwoByteTable, UNUSUAL, three_class, three_number, two_index,
};
use symbol_forms::{SymbolForm, symbol_form};

/// Spare bytes after the output: for a space, and for a write of a whole block whose first byte alone counts.
const SLACK: usize = 2 * blocks::BLOCK;

/// The middle dot in UTF-8; similar characters are [`UNUSUAL`].
const MIDDLE_DOT: &[u8] = "·".as_bytes();

/// Largest number of bytes that a chunk of the chain is extended by.
const MAX_CHAINED: usize = 4096;

/// Largest distance in bytes between two tries of a block, reached after ten failures in a row.
const MAX_SKIPPED: usize = 1024;

/// The fused passes and their buffers.
#[derive(Clone, Debug)]
pub(crate) struct FusedPasses {
    passes: Vec<&'static dyn Pass>,
    options: Options,
    hyphenation: bool,
    chain: PassChain,
    chunked: Chunked,
    out: Vec<u8>,
}

/// The last chunk of the chain. Kept out of the loop over characters, which needs all registers.
#[derive(Clone, Copy, Debug, Default)]
struct Chunked {
    end: usize,
    /// Minimum length of the next chunk if it follows at once.
    least: usize,
}

impl FusedPasses {
    /// Fused form of a profile; `None` unless it begins with the passes of `near`, with or without
    /// `hyphenation`. More passes may follow: the caller runs all but the first
    /// [`fused_passes`](Self::fused_passes) on the output.
    pub(crate) fn for_profile(profile: &Profile) -> Option<Self> {
        let fused = Self::of_passes(profile, |pass| pass != "hyphenation")?;
        profile
            .pass_names()
            .any(|pass| pass == "punctuation")
            .then_some(fused)
    }

    /// Fused form of a profile of these passes without `punctuation`, for [`run_apart`](Self::run_apart) only.
    pub(crate) fn for_profile_with_symbols(profile: &Profile) -> Option<Self> {
        if profile.pass_names().any(|pass| pass == "punctuation") {
            return None;
        }
        let fused = Self::of_passes(profile, |pass| pass != "hyphenation" && pass != "punctuation")?;
        (fused.fused_passes() == profile.passes().len()).then_some(fused)
    }

    /// Passes of `near` at the start of a profile; passes that `needed` rejects may be missing.
    fn of_passes(profile: &Profile, needed: impl Fn(&str) -> bool) -> Option<Self> {
        if profile.options().locale != Locale::Root {
            return None;
        }
        let near = Profile::near();
        let has = |name: &str| profile.pass_names().any(|pass| pass == name);
        let wanted: Vec<_> = near
            .pass_names()
            .filter(|&pass| needed(pass) || has(pass))
            .collect();
        if !profile.pass_names().take(wanted.len()).eq(wanted.iter().copied()) {
            return None;
        }
        let passes = profile.passes()[..wanted.len()].to_vec();
        Some(Self {
            passes,
            options: profile.options(),
            hyphenation: has("hyphenation"),
            chain: PassChain::default(),
            chunked: Chunked::default(),
            out: Vec::new(),
        })
    }

    /// Number of the profile's passes that are fused.
    pub(crate) fn fused_passes(&self) -> usize {
        self.passes.len()
    }

    /// Normal form of a text. `None` if the output is not UTF-8, which tests exclude; the caller then runs the chain of
    /// passes.
    pub(crate) fn run(&mut self, text: &str, offsets: &mut impl OffsetSink) -> Option<&str> {
        let mut out = std::mem::take(&mut self.out);
        let len = self.fill::<false>(text, &mut out, offsets);
        self.out = out;
        simdutf8::basic::from_utf8(self.out.get(..len)?).ok()
    }

    /// Normal form with one space on both sides of each run of a symbol. Words of scripts without spaces stay together.
    pub(crate) fn run_apart(&mut self, text: &str) -> &str {
        let mut out = std::mem::take(&mut self.out);
        let mut len = self.fill::<true>(text, &mut out, &mut NoOffsets);
        if simdutf8::basic::from_utf8(&out[..len]).is_err() {
            debug_assert!(false, "the tables cut {text:?}");
            let whole = self.chunk::<true>(
                text,
                RestartPoint::default(),
                text.len(),
                &mut out,
                &mut NoOffsets,
            );
            len = whole.out;
        }
        self.out = out;
        let text = simdutf8::basic::from_utf8(&self.out[..len]);
        debug_assert!(text.is_ok(), "the tables write whole characters");
        text.unwrap_or_default()
    }

    /// Writes the normal form to the start of `out`, which grows as needed and never shrinks. With `SYMBOLS`,
    /// symbols are tokens. Returns the length of the normal form in bytes.
    fn fill<const SYMBOLS: bool>(
        &mut self,
        text: &str,
        out: &mut Vec<u8>,
        offsets: &mut impl OffsetSink,
    ) -> usize {
        let src = text.as_bytes();
        let digits = self.options.numbers == Numbers::Keep;
        self.chunked = Chunked::default();
        let (first, twos): (&[u8; 256], &TwoByteTable) = if digits {
            (&FIRST_BYTE, &TWO_BYTE)
        } else {
            (&FIRST_BYTE_NO_DIGITS, &TWO_BYTE_NO_DIGITS)
        };
        // The chain makes room for its own output. Writes of eight bytes may extend a little past the end.
        if out.len() < room::<SYMBOLS>(src.len()) {
            out.resize(room::<SYMBOLS>(src.len()), 0);
        }
        // `src[..i]` is read; `out[..o]` is its normal form, without a space at its end.
        let mut i = 0;
        let mut o = 0;
        let mut in_word = false;
        // Bits of the current word: LATIN and CYRILLIC if it has letters of the script, TONED if it has such
        // a vowel.
        let mut scripts = 0;
        // End of the last word in the source. The source of the next space begins there.
        let mut word_end = 0;
        // Where a chunk of the chain begins: after the last boundary, since nothing before it affects what
        // follows.
        let mut restart = RestartPoint::default();
        // Last symbol written, and its end in the source.
        let (mut symbol, mut symbol_end) = ('\0', usize::MAX);
        // Offset where a block is tried next, and the number of bytes to skip after a failure.
        let (mut next_block, mut skipped) = (0, 1);

        macro_rules! begin_word {
            () => {
                if !in_word {
                    in_word = true;
                    if o > 0 {
                        out[o] = b' ';
                        o += 1;
                        offsets.gap(word_end, i);
                    }
                }
            };
        }
        // Discards the output after the restart point, runs the chain from there to a boundary at or after
        // `at_least`, and continues at this boundary.
        macro_rules! chain {
            ($at_least:expr) => {{
                let at_least = self.widened(text, restart.src).max($at_least);
                let end = self.chunk_end::<SYMBOLS>(text, at_least);
                self.chunked.end = end;
                offsets.truncate(restart.out);
                restart = self.chunk::<SYMBOLS>(text, restart, end, out, offsets);
                i = end;
                o = restart.out;
                word_end = restart.word_end;
                in_word = false;
                scripts = 0;
                continue;
            }};
        }

        // Writes a separator if it is a symbol that is kept. The restart point stays before the symbol's run,
        // so that the chain sees the whole run and the marks that may join it.
        macro_rules! keep_symbol {
            ($class:expr, $len:expr) => {
                match symbol_form(&text[i..], $len) {
                    SymbolForm::None => {}
                    SymbolForm::Unclear => chain!(i),
                    SymbolForm::Kept { symbol: c, times } => {
                        // If the same symbol is directly before this one, both are one run, without a space.
                        if (symbol, symbol_end) != (c, i) {
                            if $class == BOUNDARY {
                                restart = RestartPoint {
                                    src: i,
                                    out: o,
                                    word_end,
                                };
                            }
                            if o > 0 {
                                out[o] = b' ';
                                o += 1;
                            }
                        }
                        for _ in 0..times {
                            o += c.encode_utf8(&mut out[o..]).len();
                        }
                        (symbol, symbol_end) = (c, i + $len);
                        i += $len;
                        in_word = false;
                        scripts = 0;
                        continue;
                    }
                }
            };
        }

        loop {
            // Blocks are tried between words only. After each failure, the distance to the next try doubles.
            if !in_word && i >= next_block && !(SYMBOLS && i == symbol_end) {
                let from = RestartPoint {
                    src: i,
                    out: o,
                    word_end,
                };
                let point = blocks::copy_words::<SYMBOLS>(src, from, out, digits, offsets);
                if point.src > i {
                    restart = point;
                    i = point.src;
                    o = point.out;
                    word_end = point.word_end;
                    skipped = 1;
                } else {
                    skipped = MAX_SKIPPED.min(2 * skipped);
                }
                next_block = i + skipped;
            }
            let class = match src.get(i) {
                Some(&byte) => first[usize::from(byte)],
                // The end of the text acts like white space.
                None => SPACE,
            };
            // A run of ASCII letters and digits: the table has their lower case.
            if class >= LETTER {
                begin_word!();
                let start = i;
                // Eight bytes are written each time, but only the first `run.len` of them count.
                while let (Some(&bytes), Some(slot)) = (src[i..].first_chunk(), out[o..].first_chunk_mut()) {
                    let run = ascii_run::ascii_run(bytes, digits);
                    *slot = run.lower;
                    scripts |= u32::from(run.letters);
                    i += run.len;
                    o += run.len;
                    if run.len < 8 {
                        break;
                    }
                }
                // The last bytes of the text, fewer than eight.
                while let Some(&byte) = src.get(i)
                    && first[usize::from(byte)] >= LETTER
                {
                    out[o] = first[usize::from(byte)];
                    scripts |= u32::from(byte.is_ascii_alphabetic());
                    i += 1;
                    o += 1;
                }
                offsets.stepwise(i - start, start);
                continue;
            }
            let (class, len) = match class {
                TWO => {
                    let entry = twos[two_index(src[i], src[i + 1])];
                    if entry.class() == LETTER {
                        begin_word!();
                        let start = i;
                        // Each has two bytes before and after folding, so offsets stay one to one.
                        let letters = src[i..]
                            .as_chunks::<2>()
                            .0
                            .iter()
                            .zip(out[o..].as_chunks_mut::<2>().0);
                        for (&[lead, second], slot) in letters {
                            if lead & 0xE0 != 0xC0 {
                                break;
                            }
                            let entry = twos[two_index(lead, second)];
                            if entry.class() != LETTER {
                                break;
                            }
                            *slot = entry.bytes();
                            scripts |= entry.scripts();
                            i += 2;
                        }
                        o += i - start;
                        offsets.stepwise(i - start, start);
                        continue;
                    }
                    // ß becomes ss, œ becomes oe: the two bytes of the source map to the output as a whole.
                    if entry.class() == REWRITTEN {
                        begin_word!();
                        let len = if entry.bytes()[1] == 0 { 1 } else { 2 };
                        out[o..o + 2].copy_from_slice(&entry.bytes());
                        scripts |= entry.scripts();
                        offsets.whole(len, i, i + 2);
                        i += 2;
                        o += len;
                        continue;
                    }
                    (entry.class(), 2)
                }
                THREE => {
                    let class = three_class(three_number(src[i], src[i + 1], src[i + 2]));
                    if class == LETTER {
                        begin_word!();
                        out[o..o + 3].copy_from_slice(&src[i..i + 3]);
                        scripts |= LATIN * u32::from(src[i] == LATIN_OF_THREE);
                        offsets.stepwise(3, i);
                        i += 3;
                        o += 3;
                        continue;
                    }
                    (class, 3)
                }
                class => (class, 1),
            };
            // Outside of words the last arm below leaves it to the chain.
            if class == DROPPED && in_word {
                i += len;
                continue;
            }
            if class == APOSTROPHE && in_word {
                match inner_apostrophe(text, i, len) {
                    Inner::No => {}
                    Inner::Yes => {
                        out[o..o + 2].copy_from_slice(&blocks::APOSTROPHE);
                        offsets.whole(2, i, i + len);
                        o += 2;
                        i += len;
                        continue;
                    }
                    Inner::Unclear => chain!(i),
                }
            }
            // A word ends here. The chain must handle words with mixed scripts or a tone mark that moves.
            if in_word && class != UNUSUAL {
                if scripts & (LATIN | CYRILLIC) == LATIN | CYRILLIC
                    || scripts & TONED != 0 && tone_moves(&out[..o])
                {
                    chain!(i);
                }
                word_end = i;
            }
            if class == SOFT
                && src[i..].starts_with(MIDDLE_DOT)
                && (middle_dot::is_inner(text, i, len) || in_word && follows_dropped(text, i))
            {
                chain!(i);
            }
            if SYMBOLS && matches!(class, BOUNDARY | SOFT | APOSTROPHE) {
                keep_symbol!(class, len);
            }
            match class {
                SPACE | BOUNDARY => {
                    // The end of the text has the class SPACE, so the last word was checked above like any
                    // other.
                    if i >= src.len() {
                        return o;
                    }
                    i += len;
                    restart = RestartPoint {
                        src: i,
                        out: o,
                        word_end,
                    };
                }
                // The restart point stays, because a pass may look across this separator, as in `1,5`.
                SOFT | APOSTROPHE => i += len,
                HYPHEN => match self.line_end(text, i, in_word) {
                    LineEnd::None if SYMBOLS => keep_symbol!(HYPHEN, 1),
                    LineEnd::None => i += 1,
                    LineEnd::Broken { next } => {
                        // The word continues on the next line.
                        i = next;
                        continue;
                    }
                    LineEnd::Unclear { next } => chain!(next),
                },
                AMPERSAND if !may_be_reference(&src[i + 1..]) => {
                    if SYMBOLS {
                        keep_symbol!(AMPERSAND, 1);
                    }
                    i += 1;
                }
                // UNUSUAL, DROPPED outside of a word, or an `&` that may begin a reference.
                _ => chain!(i),
            }
            in_word = false;
            scripts = 0;
        }
    }

    /// Smallest offset at which a chunk that begins at `start` may end.
    ///
    /// In scripts that only the chain knows, every word needs it. Some twenty passes begin and end with each
    /// run, so chunks that follow each other directly grow: at least 64, 192, 448 bytes and so on, up to
    /// [`MAX_CHAINED`].
    fn widened(&mut self, text: &str, start: usize) -> usize {
        let Chunked { end, least } = &mut self.chunked;
        *least = if start == *end && start > 0 {
            MAX_CHAINED.min(2 * *least + 64)
        } else {
            0
        };
        text.ceil_char_boundary(start + *least)
    }

    /// Effect of the hyphen at `at`, if it ends a line.
    fn line_end(&self, text: &str, at: usize, in_word: bool) -> LineEnd {
        let rest = &text[at + 1..];
        if !self.hyphenation || !in_word || !rest.starts_with('\n') && !rest.starts_with("\r\n") {
            return LineEnd::None;
        }
        // From here on the hyphen ends a line and follows a letter or digit: the character after the white
        // space decides.
        // U+0085 is not white space here: `decode` reads it as windows-1252.
        let tail = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\u{85}');
        let next = text.len() - tail.len();
        let Some(c) = tail.chars().next() else {
            return LineEnd::None;
        };
        // The pass looks at the letter before the deleted character.
        if follows_dropped(text, at) {
            return LineEnd::Unclear {
                next: next + c.len_utf8(),
            };
        }
        let byte = tail.as_bytes()[0];
        match FIRST_BYTE[usize::from(byte)] {
            LETTER.. | TWO | THREE if is_usual_letter(c) => {
                if text[..at].ends_with(is_letter) && is_letter(c) {
                    LineEnd::Broken { next }
                } else {
                    LineEnd::None
                }
            }
            // No pass turns these into letters. Control characters become spaces, after which the word may
            // continue.
            SOFT | BOUNDARY | HYPHEN | APOSTROPHE if !byte.is_ascii_control() => LineEnd::None,
            LETTER.. => LineEnd::None,
            _ => LineEnd::Unclear {
                next: next + c.len_utf8(),
            },
        }
    }

    /// End of a chunk for the chain that reaches at least to `at_least`: a boundary that nothing in the chunk can reach
    /// across.
    fn chunk_end<const SYMBOLS: bool>(&self, text: &str, at_least: usize) -> usize {
        // Characters that count as white space in the search for broken words.
        let transparent = |c: char| c.is_whitespace() || c == '№';
        let mut end = next_boundary::<SYMBOLS>(text, at_least);
        while self.hyphenation
            && text[end..].starts_with(transparent)
            && text[..end].chars().next_back().is_some_and(|last| {
                // A reference or an unusual character may become a hyphen or a line feed.
                !is_usual_letter(last) && (!last.is_ascii_graphic() || matches!(last, '-' | ';'))
            })
        {
            // The word may continue after the white space: include everything up to a character that certainly stays.
            loop {
                let tail = text[end..].trim_start_matches(transparent);
                let start = text.len() - tail.len();
                end = next_boundary::<SYMBOLS>(text, start);
                let run = &text[start..end];
                let stays = !run.contains('&')
                    && run.contains(|c: char| c.is_ascii_graphic() || !c.is_ascii() && is_usual_letter(c));
                if stays || start == end {
                    break;
                }
            }
        }
        end
    }

    /// Runs the chain on the source from `restart` to `end`, and replaces the output after `restart` by the result.
    fn chunk<const SYMBOLS: bool>(
        &mut self,
        text: &str,
        restart: RestartPoint,
        end: usize,
        out: &mut Vec<u8>,
        offsets: &mut impl OffsetSink,
    ) -> RestartPoint {
        let tracked = is_tracked(offsets);
        self.chain
            .run(&self.passes, &self.options, &text[restart.src..end], tracked);
        let written = self.chain.text().as_bytes();
        let mut o = restart.out;
        // Room for the output of the chunk and for all that the rest of the text may give.
        let needed = o + room::<SYMBOLS>(written.len()) + room::<SYMBOLS>(text.len() - end);
        if out.len() < needed {
            out.resize(needed, 0);
        }
        if SYMBOLS {
            for token in words_and_symbols(self.chain.text(), InnerSymbols::Apart) {
                let range = token.range();
                if o > 0 {
                    out[o] = b' ';
                    o += 1;
                }
                out[o..o + range.len()].copy_from_slice(&written[range.clone()]);
                o += range.len();
            }
            return RestartPoint {
                src: end,
                out: o,
                ..restart
            };
        }
        if written.is_empty() {
            // Everything was deleted, so the last word is still the one before the chunk.
            return RestartPoint { src: end, ..restart };
        }
        // The source range from the first to the last character that left output. It is empty, and is not
        // read, if offsets are not recorded.
        let source = self
            .chain
            .alignment()
            .map_or(0..0, |alignment| alignment.source(0..written.len()));
        if o > 0 {
            out[o] = b' ';
            o += 1;
            offsets.gap(restart.word_end, restart.src + source.start);
        }
        out[o..o + written.len()].copy_from_slice(written);
        if let Some(alignment) = self.chain.alignment() {
            offsets.append(alignment, restart.src);
        }
        RestartPoint {
            src: end,
            out: o + written.len(),
            word_end: restart.src + source.end,
        }
    }
}

fn is_tracked<T: OffsetSink>(_: &T) -> bool {
    T::TRACKED
}

enum LineEnd {
    /// The hyphen does not break a word.
    None,
    /// The hyphen breaks a word, which continues at `next`.
    Broken { next: usize },
    /// Unknown; the chain must decide, looking at least to `next`.
    Unclear { next: usize },
}

/// Upper bound in bytes of the output for `len` bytes of source, including [`SLACK`]. A byte gives at most
/// one byte, except that an apostrophe, which has a letter on both sides, gives two: at most half as much
/// again. With `SYMBOLS` each byte may have a space before it.
fn room<const SYMBOLS: bool>(len: usize) -> usize {
    (if SYMBOLS { 2 * len } else { len + len / 2 }) + SLACK
}

/// Meaning of an apostrophe after a usual letter or digit.
enum Inner {
    /// A separator.
    No,
    /// A letter of its word.
    Yes,
    /// Unknown; the chain must decide.
    Unclear,
}

/// Meaning of the apostrophe of `len` bytes at `at`.
fn inner_apostrophe(text: &str, at: usize, len: usize) -> Inner {
    let rest = &text[at + len..];
    let Some(next) = rest.chars().next() else {
        return Inner::No;
    };
    match class_of(next) {
        // Passes look at the letter before the deleted character.
        _ if follows_dropped(text, at) => Inner::Unclear,
        AMPERSAND if may_be_reference(&rest.as_bytes()[1..]) => Inner::Unclear,
        UNUSUAL | DROPPED => Inner::Unclear,
        LETTER.. if joins(next) && text[..at].chars().next_back().is_some_and(joins) => Inner::Yes,
        _ => Inner::No,
    }
}

/// Whether the character before `at` is deleted.
fn follows_dropped(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_some_and(|before| class_of(before) == DROPPED)
}

/// Whether a word ends with two vowels and the first has the tone mark that belongs to the second. Toned
/// vowels of three bytes (ọ, ỏ, ụ, ủ) are [`UNUSUAL`], so a word with one never gets here.
fn tone_moves(word: &[u8]) -> bool {
    let Some((&[first, second], &[last])) = word.split_last_chunk().and_then(|(rest, last)| {
        let (_, vowel) = rest.split_last_chunk::<2>()?;
        Some((vowel, last))
    }) else {
        return false;
    };
    let vowel = u32::try_from(two_index(first, second))
        .ok()
        .and_then(char::from_u32);
    vowel.is_some_and(|vowel| first >= 0xC2 && moves(vowel, char::from(last)))
}

/// Class of a character.
fn class_of(c: char) -> u8 {
    match c.len_utf8() {
        1 => FIRST_BYTE[c as usize],
        2 => TWO_BYTE[u32::from(c) as usize].class(),
        3 => three_class(u32::from(c)),
        _ => UNUSUAL,
    }
}

/// Whether `c` is a letter or digit that the tables know.
fn is_usual_letter(c: char) -> bool {
    class_of(c) >= LETTER
}

/// Whether a character reference may begin with the `&` before `rest`.
fn may_be_reference(rest: &[u8]) -> bool {
    let reference_part = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'#';
    let length = rest.iter().take_while(|byte| reference_part(byte)).count();
    length > 0 && rest.get(length) == Some(&b';')
}

/// Offset of the next boundary character at or after `from`, or the end of the text. With `SYMBOLS`, only
/// white space is a boundary.
fn next_boundary<const SYMBOLS: bool>(text: &str, from: usize) -> usize {
    let is_boundary = |c: char| match class_of(c) {
        SPACE => true,
        BOUNDARY => !SYMBOLS,
        _ => false,
    };
    text[from..]
        .find(is_boundary)
        .map_or(text.len(), |offset| from + offset)
}

#[cfg(test)]
mod tests;
