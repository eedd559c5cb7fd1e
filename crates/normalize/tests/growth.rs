//! Hostile texts of half a megabyte: work that grew with the square of the length would take minutes.

use std::time::{Duration, Instant};

use dehusk_normalize::{
    InnerSymbols, Normalizer, Numbers, Profile, Splitter, count_symbols, near_tokens, words,
    words_and_symbols,
};

const SIZE: usize = 1 << 19;
/// For one text through everything, in an unoptimized build on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// What is repeated to make a text.
const PIECES: &[&str] = &[
    "\u{301}",
    "\u{308}",
    "е\u{308}",
    "e\u{301}",
    "\u{301}\u{323}",
    "가\u{11A8}",
    " \u{1161}",
    "&",
    "&amp;",
    "&#38;",
    "&#",
    "&l",
    "a-\n",
    "-\n",
    "-\n\u{AD}",
    "a\u{AD}-\n ",
    "a-\n№",
    "a-\u{85}",
    " ",
    "\n",
    "\r\n",
    "\u{2028}",
    "Σ",
    "Σ'",
    "'",
    "'Σ a",
    ".",
    ". ",
    ". A",
    "A. ",
    "(. A",
    "«A. ",
    "«А! б",
    "\"A! ",
    "\"! A",
    "1 г. V ",
    "в 1 г. А ",
    "т. д. ",
    "[1]. A",
    ".[1]",
    "1. ",
    "1.",
    "1,",
    "1:a",
    "a\u{200B}",
    "mП",
    "aа_",
    "東",
    "東①",
    "東\u{3099}",
    "ﷺ",
    "ไ",
    "a.a",
    "a._",
    "…",
    "\u{FE0F}",
    "\0",
    "\u{1F600}",
    "x",
    "Я",
    "İ",
    "ß\u{30C}",
];

fn check(text: &str, name: &str) {
    let start = Instant::now();
    for profile in [
        Profile::near(),
        Profile::canonical(),
        Profile::exact(),
        Profile::spaceless(),
        Profile::near().with_numbers(Numbers::Drop),
    ] {
        let mut normalizer = Normalizer::new(profile);
        let normal = normalizer.normalize(text);
        let source = normal.source(0..normal.text().len());
        assert!(source.end <= text.len());
        // NFKC makes at most 11 bytes of one.
        assert!(normal.text().len() <= 11 * text.len());
        assert!(near_tokens(normal.text()).count() <= normal.text().len());
    }
    assert!(words(text).count() <= text.len());
    for inner in [InnerSymbols::InWords, InnerSymbols::Apart] {
        assert!(words_and_symbols(text, inner).count() <= text.len());
    }
    assert!(count_symbols(text) <= text.len());
    assert!(Splitter::new().sentences(text).count() <= text.len());
    assert!(start.elapsed() < LIMIT, "{name}: {:?}", start.elapsed());
}

#[test]
fn repeated_pieces_take_linear_time() {
    for piece in PIECES {
        check(&piece.repeat(SIZE / piece.len()), &format!("{piece:?} repeated"));
    }
}

#[test]
fn a_letter_before_and_a_mark_after_change_nothing() {
    for piece in [
        "\u{308}", "'", " ", "\u{200B}", "&", "-", "1.", "東", "\"", "(", "\n",
    ] {
        check(
            &format!("Е{}\u{301}Σ&lt;-\nb", piece.repeat(SIZE / piece.len())),
            &format!("{piece:?} framed"),
        );
    }
}
