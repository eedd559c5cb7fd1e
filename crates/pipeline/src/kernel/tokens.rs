//! Texts to the tokens that duplicates are found by.

use std::borrow::Cow;

use dehusk_dedup::Tokens;
use dehusk_normalize::{
    InnerSymbols, Normalizer, Profile, Splitter, Stemmer, StopWords, WordOrSymbol, count_symbols,
    words_and_symbols,
};

use crate::error::Error;
use crate::read::pass::Worker;
use crate::settings::table::Settings;
use crate::settings::words::{TermForm, Terms};

/// What signature methods read of a document beside its tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Terms that are stemmed and no stop words, and not just the tokens.
    pub stems: bool,
    /// Where sentences end.
    pub sentences: bool,
}

impl Reads {
    /// What the signatures read that the settings ask for.
    pub(crate) fn of(settings: &Settings) -> Result<Reads, Error> {
        Ok(Reads {
            stems: settings.effective_terms() == TermForm(Terms::Stemmed),
            sentences: settings.signature()?.reads_sentences(),
        })
    }
}

/// In which texts the symbols that a profile drops count as tokens.
///
/// Prose without its punctuation is the same prose. `a<b` and `a>b`, `C++` and `C#`, 1.5 and 15 are not: these differ by their
/// symbols alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymbolRule {
    /// In texts whose symbols make up more than this share of all tokens. From 1 on they count in none, also not in short ones.
    pub share: f64,
    /// In texts of fewer words.
    pub min_words: u32,
}

impl SymbolRule {
    /// Symbols count only where the profile keeps them.
    pub const NEVER: Self = SymbolRule {
        share: 1.0,
        min_words: 0,
    };

    /// What the settings say.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        SymbolRule {
            share: settings.effective_symbol_share(),
            min_words: settings.effective_min_tokens(),
        }
    }

    /// Whether symbols count as tokens in a text of `words` words and `symbols` symbols.
    fn counts(self, words: usize, symbols: usize) -> bool {
        let all = (words + symbols) as f64;
        symbols > 0
            && self.share < 1.0
            && (words < self.min_words as usize || symbols as f64 > self.share * all)
    }
}

/// Normalizes and cuts one text after another, with buffers that are reused.
pub struct Tokenizer {
    normalizer: Normalizer,
    cut: Cut,
    /// Normalizes texts whose symbols count. `None` if the rule or the profile excludes all texts.
    with_symbols: Option<Normalizer>,
    rule: SymbolRule,
    splitter: Option<Splitter>,
    stems: Option<Stems>,
    tokens: Tokens,
}

/// Where a normalized text is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// Between words by UAX #29, without symbols.
    Words,
    /// The same, in the form of the profile `near`.
    Near,
    /// Between words, each symbol between them a token, those within words left there.
    Symbols,
    /// The same with all symbols, in the form of the profile `near` without `punctuation`.
    NearSymbols,
    /// At white space, and nowhere else: the words were cut before.
    Spaces,
}

impl Tokenizer {
    /// A tokenizer for texts of that profile. The profile without passes leaves words as they are, cut at white space. Where a profile
    /// keeps symbols, they are tokens; of those that it drops, `rule` says when they are.
    pub fn new(profile: Profile, reads: Reads, rule: SymbolRule) -> Self {
        let has = |name: &str| profile.passes().iter().any(|pass| pass.name() == name);
        let (drops_symbols, drops_spaces) = (has("punctuation"), has("no-spaces"));
        // Where words run together, they cannot be counted.
        let guarded = drops_symbols && !drops_spaces && rule.share < 1.0;
        let with_symbols = guarded
            .then(|| profile.clone().without("punctuation").ok())
            .flatten();
        Tokenizer {
            cut: match profile.name() {
                "near" => Cut::Near,
                _ if profile.passes().is_empty() => Cut::Spaces,
                _ if drops_symbols => Cut::Words,
                _ => Cut::Symbols,
            },
            normalizer: Normalizer::new(profile),
            with_symbols: with_symbols.map(Normalizer::new),
            rule,
            splitter: reads.sentences.then(Splitter::new),
            stems: reads.stems.then(Stems::new),
            tokens: Tokens::new(),
        }
    }

    /// The tokens and the terms of a text.
    pub fn read(&mut self, text: &str) -> (&Tokens, &Tokens) {
        let Tokenizer {
            normalizer,
            cut,
            with_symbols,
            rule,
            splitter,
            stems,
            tokens,
        } = self;
        fill_all(normalizer, *cut, splitter.as_ref(), text, tokens);
        // The words are counted first, since nearly all texts are prose, in which symbols do not count.
        if let Some(normalizer) = with_symbols
            && rule.counts(tokens.len(), count_symbols(text))
        {
            fill_all(normalizer, Cut::NearSymbols, splitter.as_ref(), text, tokens);
        }
        match stems {
            Some(stems) => {
                stems.fill(tokens);
                (tokens, &stems.terms)
            }
            None => (tokens, tokens),
        }
    }

    /// Starts afresh, after a text on which it failed half-way.
    pub fn reset(&mut self) {
        let reads = Reads {
            stems: self.stems.is_some(),
            sentences: self.splitter.is_some(),
        };
        *self = Tokenizer::new(self.normalizer.profile().clone(), reads, self.rule);
    }
}

/// Nothing is gathered: the tokens are those of the last text.
impl Worker for Tokenizer {
    type Sum = ();

    fn take_sum(&mut self) {}

    fn recover(&mut self) {
        self.reset();
    }
}

/// Makes `tokens` those of a text, sentence by sentence if there is a splitter.
fn fill_all(
    normalizer: &mut Normalizer,
    cut: Cut,
    splitter: Option<&Splitter>,
    text: &str,
    tokens: &mut Tokens,
) {
    tokens.clear();
    match splitter {
        Some(splitter) => {
            for range in splitter.sentences(text) {
                fill(normalizer, cut, &text[range], tokens);
                tokens.end_sentence();
            }
        }
        None => fill(normalizer, cut, text, tokens),
    }
}

/// Adds the tokens of a text to `tokens`.
fn fill(normalizer: &mut Normalizer, cut: Cut, text: &str, tokens: &mut Tokens) {
    if cut == Cut::Spaces {
        // Without line feeds and the like, one scan finds all spaces. The smallest byte is found on vectors.
        let least = |bytes: &[u8]| bytes.iter().fold(u8::MAX, |least, byte| least.min(*byte));
        if text.as_bytes().chunks(512).all(|bytes| least(bytes) >= b' ') {
            tokens.push_joined(text);
        } else {
            text.split_ascii_whitespace().for_each(|token| tokens.push(token));
        }
        return;
    }
    match cut {
        Cut::Near => fill_joined(normalizer.normalize_text(text), tokens, false),
        Cut::NearSymbols => fill_joined(normalizer.normalize_apart(text), tokens, true),
        Cut::Symbols => {
            let normal = normalizer.normalize_text(text);
            push_symbols(normal, InnerSymbols::InWords, tokens);
        }
        _ => {
            let normal = normalizer.normalize_text(text);
            dehusk_normalize::words(normal).for_each(|range| tokens.push(&normal[range]));
        }
    }
}

/// Adds the words and symbols of a text.
fn push_symbols(text: &str, inner: InnerSymbols, tokens: &mut Tokens) {
    for token in words_and_symbols(text, inner) {
        match token {
            WordOrSymbol::Word(range) => tokens.push(&text[range]),
            WordOrSymbol::Symbol(range) => tokens.push_symbol(&text[range]),
        }
    }
}

/// Makes terms of tokens: Russian and English stop words go, the others are stemmed by their letters.
struct Stems {
    stemmer: Stemmer,
    stop: Vec<&'static StopWords>,
    terms: Tokens,
}

impl Stems {
    fn new() -> Self {
        let lists = ["en", "ru"]
            .into_iter()
            .filter_map(|code| StopWords::for_language(code).ok());
        Stems {
            stemmer: Stemmer::by_script(),
            stop: lists.collect(),
            terms: Tokens::new(),
        }
    }

    fn fill(&mut self, tokens: &Tokens) {
        self.terms.clear();
        for sentence in tokens.sentences() {
            for number in sentence {
                // Lists and stems are those of words in lower case, with е for ё.
                let token = tokens.token(number);
                let folded = if token.bytes().all(|byte| byte.is_ascii_lowercase()) {
                    Cow::Borrowed(token)
                } else {
                    Cow::Owned(token.to_lowercase().replace('ё', "е"))
                };
                if !self.stop.iter().any(|list| list.contains(&folded)) {
                    self.terms.push(self.stemmer.stem(&folded));
                }
            }
            self.terms.end_sentence();
        }
    }
}

/// Adds the tokens of a text in the form of the profile `near`, or in the same with symbols apart. Where it has only characters below
/// U+0580, as those of Latin, Greek and Cyrillic are, they are what stands between its spaces: all its other characters are letters,
/// digits and marks between which UAX #29 never cuts, or runs of one symbol.
fn fill_joined(normal: &str, tokens: &mut Tokens, symbols: bool) {
    let count = |words: &str| if symbols { count_symbols(words) } else { 0 };
    let mut rest = normal;
    loop {
        let spaced = spaced_scripts(rest.as_bytes());
        if spaced == rest.len() {
            tokens.push_joined_with_symbols(rest, count(rest));
            return;
        }
        // The word in which another character stands or may stand, and those around it, are cut by classes of characters.
        let cut = rest.as_bytes()[..spaced].iter().rposition(|byte| *byte == b' ');
        let (words, others) = rest.split_at(cut.map_or(0, |space| space + 1));
        let words = words.trim_end_matches(' ');
        tokens.push_joined_with_symbols(words, count(words));
        let end = others.bytes().skip(PIECE).position(|byte| byte == b' ');
        let (others, behind) = others.split_at(end.map_or(others.len(), |space| PIECE + space));
        if symbols {
            push_symbols(others, InnerSymbols::Apart, tokens);
        } else {
            dehusk_normalize::near_tokens(others).for_each(|range| tokens.push(&others[range]));
        }
        rest = behind.trim_start_matches(' ');
    }
}

/// Bytes that are looked at together for characters of other scripts.
const PIECE: usize = 64;

/// How many bytes at the front hold only characters below U+0580, up to a piece in which there is another one. They may end within a character.
fn spaced_scripts(text: &[u8]) -> usize {
    // Sequences of these begin with bytes below D6. Without an early end a piece is looked at by vectors.
    let plain = |bytes: &[u8]| bytes.iter().fold(0, |most, byte| most.max(*byte)) < 0xD6;
    match text.chunks(PIECE).position(|piece| !plain(piece)) {
        Some(pieces) => PIECE * pieces,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(text: &str) -> Vec<String> {
        let mut normalizer = Normalizer::new(Profile::near());
        let normal = normalizer.normalize_text(text);
        dehusk_normalize::words(normal)
            .map(|range| normal[range].to_owned())
            .collect()
    }

    fn filled(text: &str) -> Vec<String> {
        let mut tokenizer = Tokenizer::new(Profile::near(), Reads::default(), SymbolRule::NEVER);
        tokenizer.read(text).0.iter().map(str::to_owned).collect()
    }

    #[test]
    fn every_pair_of_simple_characters_is_cut_as_by_the_standard() {
        let simple: Vec<char> = (' '..='~').chain('\u{400}'..='\u{47f}').collect();
        for a in &simple {
            let text: String = simple
                .iter()
                .flat_map(|b| [*a, *b, ' ', 'x', *b, *a, '1', ' '])
                .collect();
            assert_eq!(filled(&text), one_by_one(&text), "{a:?}");
        }
    }

    #[test]
    fn characters_of_spaced_scripts_are_cut_as_by_the_standard() {
        let spaced: Vec<char> = ('\u{80}'..'\u{580}').collect();
        for beside in ["a", "7", "_", "'", "\u{301}", "é", "ß", "ς", "я", "ա", "-"] {
            for around in ["", "x"] {
                let words = spaced
                    .iter()
                    .map(|spaced| format!("{around}{spaced}{beside}{spaced}{around}"));
                let text = words.collect::<Vec<_>>().join(" ");
                assert_eq!(filled(&text), one_by_one(&text), "{beside:?} {around:?}");
            }
        }
    }

    /// Wherever a character of another script stands, alone or beside others, in short words or long ones.
    #[test]
    fn parts_of_a_text_are_cut_each_by_its_scripts() {
        for length in [1, 7, 70] {
            let word = "ё1".repeat(length);
            for words in [0, 1, 3, 40] {
                for other in ["東", "東京", "ꙮ東", "กา", "\u{1F600}"] {
                    let around = format!("{word} ").repeat(words);
                    for text in [
                        format!("{around}{other}{around}{other} {around}"),
                        format!("{other} {around}{word}{other}"),
                    ] {
                        assert_eq!(filled(&text), one_by_one(&text), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_normalized_texts_are_left_alone() {
        let cut = |text: &str| {
            let mut tokenizer = Tokenizer::new(Profile::none(), Reads::default(), SymbolRule::NEVER);
            let tokens: Vec<String> = tokenizer.read(text).0.iter().map(str::to_owned).collect();
            tokens
        };
        assert_eq!(cut(" Set_scale  don't\u{a0}so "), ["Set_scale", "don't\u{a0}so"]);
        assert_eq!(cut("a\tb\r\n c\n"), ["a", "b", "c"]);
        assert!(cut(" \n").is_empty());
    }

    #[test]
    fn terms_are_stems_sentence_by_sentence() {
        let reads = Reads {
            stems: true,
            sentences: true,
        };
        let mut tokenizer = Tokenizer::new(Profile::near(), reads, SymbolRule::NEVER);
        let (tokens, terms) = tokenizer.read("The cats were running. Мы видели котов! Is it?");
        let cut = |tokens: &Tokens| {
            let sentences = tokens.sentences().map(|range| tokens.span(range).to_owned());
            sentences.collect::<Vec<_>>()
        };
        assert_eq!(cut(tokens), ["the cats were running", "мы видели котов", "is it"]);
        assert_eq!(cut(terms), ["cat run", "видел кот"]);
        tokenizer.reset();
        assert_eq!(tokenizer.read("Cats ran. Dogs slept.").0.sentences().count(), 2);
    }

    const GUARD: SymbolRule = SymbolRule {
        share: 0.3,
        min_words: 20,
    };

    fn read(profile: Profile, rule: SymbolRule, text: &str) -> (String, usize) {
        let mut tokenizer = Tokenizer::new(profile, Reads::default(), rule);
        let (tokens, _) = tokenizer.read(text);
        (tokens.text().to_owned(), tokens.words())
    }

    #[test]
    fn symbols_count_where_they_are_many_or_words_are_few() {
        let near = |text: &str| read(Profile::near(), GUARD, text);
        assert_eq!(near("C++ and c#"), ("c ++ and c #".to_owned(), 3));
        assert_eq!(near("-5"), ("- 5".to_owned(), 1));
        assert_eq!(near("-- >"), ("-- >".to_owned(), 0));
        assert_eq!(near(" \u{200B}\n"), (String::new(), 0));
        let words = "w ".repeat(20);
        assert_eq!(near(&format!("{words}x.")).1, 21);
        assert!(!near(&format!("{words}x.")).0.contains('.'), "prose");
        // 21 words and 9 symbols are 0.3 of all tokens, and 10 are more.
        assert!(!near(&format!("{words}x{}", " -".repeat(9))).0.contains('-'));
        assert!(
            near(&format!("{words}x{}", " -".repeat(10)))
                .0
                .ends_with("x - - - - - - - - - -")
        );
        let off = read(Profile::near(), SymbolRule { share: 1.0, ..GUARD }, "C++");
        assert_eq!(off, ("c".to_owned(), 1), "1 switches it off");
        assert_eq!(read(Profile::spaceless(), GUARD, "C++ a-b").0, "cab");
    }

    #[test]
    fn profiles_that_keep_symbols_make_tokens_of_them() {
        let exact = |text: &str| read(Profile::exact(), GUARD, text);
        assert_eq!(exact("if a<b: don't 1,5"), ("if a < b : don't 1,5".to_owned(), 5));
        for texts in [
            ["a<b", "a>b"],
            ["C++", "C#"],
            ["C", "C#"],
            ["-5", "5"],
            ["1.5", "1,5"],
            ["a", "A"],
        ] {
            let [a, b] = texts.map(exact);
            assert_ne!(a, b);
        }
        assert_eq!(read(Profile::canonical(), GUARD, "x²").0, "x ²");
        assert_eq!(exact("x²").0, "x2");
    }

    #[test]
    fn sentences_are_decided_about_as_one_text() {
        let reads = Reads {
            sentences: true,
            ..Reads::default()
        };
        let mut tokenizer = Tokenizer::new(Profile::near(), reads, GUARD);
        let (tokens, _) = tokenizer.read("It is so. Is it?");
        let sentences: Vec<&str> = tokens.sentences().map(|range| tokens.span(range)).collect();
        assert_eq!(sentences, ["it is so .", "is it ?"]);
        tokenizer.reset();
        assert_eq!(tokenizer.read("a-b").0.text(), "a - b");
    }

    proptest! {
        /// The guard adds symbols and takes nothing away.
        #[test]
        fn symbols_stand_between_the_words_of_near(text in "[ -~а-яё\\n]{0,60}|\\PC{0,40}|[a-z东京。×≤ ]{0,40}") {
            let always = SymbolRule { share: 0.0, min_words: 0 };
            let mut tokenizer = Tokenizer::new(Profile::near(), Reads::default(), always);
            let (tokens, _) = tokenizer.read(&text);
            let words = tokens.iter().filter(|token| token.contains(char::is_alphanumeric));
            let words: Vec<&str> = words.collect();
            prop_assert_eq!(words.len(), tokens.words());
            prop_assert_eq!(words, filled(&text));
            let mut normalizer = Normalizer::new(Profile::near().without("punctuation").unwrap());
            let mut wanted = Tokens::new();
            push_symbols(normalizer.normalize_text(&text), InnerSymbols::Apart, &mut wanted);
            prop_assert_eq!((tokens.text(), tokens.ends()), (wanted.text(), wanted.ends()));
        }

        #[test]
        fn tokens_are_those_of_the_standard(text in "[ -~а-яё\\n]{0,60}|\\PC{0,40}|[a-z а-я東京é]{0,40}|[a-zà-žα-ώА-я0-9ա-ֆ \u{301}'’_.]{0,60}") {
            prop_assert_eq!(filled(&text), one_by_one(&text));
        }
    }
}
