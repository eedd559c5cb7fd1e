//! Tokenization of texts for the search for duplicates.

use dehusk_dedup::Tokens;
use dehusk_normalize::{InnerSymbols, Normalizer, Profile, Splitter, TokenRule, WordOrSymbol, count_symbols};

use crate::error::Error;
use crate::kernel::lexicon::{Lexicons, TermRules};
use crate::read::pass::Worker;
use crate::settings::table::Settings;
use crate::settings::words::{TermForm, Terms};

/// Input of signature methods besides the tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// `true` if terms are stems without stop words. Otherwise terms are the tokens.
    pub stems: bool,
    /// `true` if the ends of sentences are needed.
    pub sentences: bool,
}

impl Reads {
    /// Returns the input that the signatures of these settings need.
    pub(crate) fn of(settings: &Settings) -> Result<Reads, Error> {
        Ok(Reads {
            stems: settings.effective_terms() == TermForm(Terms::Stemmed),
            sentences: settings.signature()?.reads_sentences(),
        })
    }
}

/// Rule by which symbols that a profile drops count as tokens in some texts.
///
/// Prose keeps its meaning without punctuation. `a<b` and `a>b`, `C++` and `C#`, 1.5 and 15 do not: they differ only in their symbols.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymbolRule {
    /// Symbols count in texts in which they make up more than this share of all tokens. From 1 on they never count, not even in short
    /// texts.
    pub share: f64,
    /// Symbols count in texts with fewer words than this.
    pub min_words: u32,
}

impl SymbolRule {
    /// Symbols count only if the profile keeps them.
    pub const NEVER: Self = SymbolRule {
        share: 1.0,
        min_words: 0,
    };

    /// Returns the rule of these settings.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        SymbolRule {
            share: settings.effective_symbol_share(),
            min_words: settings.effective_min_tokens(),
        }
    }

    /// Returns `true` if symbols count as tokens in a text of `words` words and `symbols` symbols.
    fn counts(self, words: usize, symbols: usize) -> bool {
        let all = (words + symbols) as f64;
        symbols > 0
            && self.share < 1.0
            && (words < self.min_words as usize || symbols as f64 > self.share * all)
    }
}

/// Normalizes and tokenizes texts, with buffers that are reused.
///
/// ```
/// use dehusk_pipeline::{Reads, Settings, SymbolRule, Tokenizer};
///
/// let settings = Settings::default();
/// let mut tokenizer = Tokenizer::new(settings.profile(), Reads::default(), SymbolRule::NEVER);
/// let (tokens, _terms) = tokenizer.read("The River rose -- at night!");
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["the", "river", "rose", "at", "night"]);
/// ```
pub struct Tokenizer {
    normalizer: Normalizer,
    cut: Cut,
    /// Normalizer for texts whose symbols count. `None` if the rule or the profile excludes all texts.
    with_symbols: Option<Normalizer>,
    rule: SymbolRule,
    splitter: Option<Splitter>,
    stems: Option<Stems>,
    tokens: Tokens,
}

/// Rule by which a normalized text is split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// At word boundaries by the rule of the profile, without symbols.
    Words(TokenRule),
    /// At word boundaries. Each symbol between words is a token; symbols within words stay there.
    Symbols(TokenRule),
    /// Each symbol is a token, for text in the form of the profile without `punctuation`.
    SymbolsApart(TokenRule),
    /// At white space only: the text is already split into words.
    Spaces,
}

impl Tokenizer {
    /// Creates a tokenizer for texts of the profile.
    ///
    /// A profile without passes leaves words unchanged, split at white space. Symbols that a profile keeps are tokens. For symbols that it
    /// drops, `rule` decides.
    pub fn new(profile: Profile, reads: Reads, rule: SymbolRule) -> Self {
        let has = |name: &str| profile.passes().iter().any(|pass| pass.name() == name);
        let (drops_symbols, drops_spaces) = (has("punctuation"), has("no-spaces"));
        // Without spaces, words cannot be counted.
        let guarded = drops_symbols && !drops_spaces && rule.share < 1.0;
        let with_symbols = guarded
            .then(|| profile.clone().without("punctuation").ok())
            .flatten();
        Tokenizer {
            cut: match profile.token_rule() {
                _ if profile.passes().is_empty() => Cut::Spaces,
                token_rule if drops_symbols => Cut::Words(token_rule),
                token_rule => Cut::Symbols(token_rule),
            },
            normalizer: Normalizer::new(profile),
            with_symbols: with_symbols.map(Normalizer::new),
            rule,
            splitter: reads.sentences.then(Splitter::new),
            stems: reads.stems.then(Stems::new),
            tokens: Tokens::new(),
        }
    }

    /// Returns the tokens and the terms of a text. Without stems, both are the same.
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
        // Words are counted first, since nearly all texts are prose, in which symbols do not count.
        if let Some(normalizer) = with_symbols
            && rule.counts(tokens.len(), count_symbols(text))
        {
            let cut = Cut::SymbolsApart(normalizer.profile().token_rule());
            fill_all(normalizer, cut, splitter.as_ref(), text, tokens);
        }
        match stems {
            Some(stems) => {
                stems.fill(text, tokens);
                (tokens, &stems.terms)
            }
            None => (tokens, tokens),
        }
    }

    /// Restores a valid state after a panic.
    pub fn reset(&mut self) {
        let reads = Reads {
            stems: self.stems.is_some(),
            sentences: self.splitter.is_some(),
        };
        *self = Tokenizer::new(self.normalizer.profile().clone(), reads, self.rule);
    }
}

/// Worker without a sum: only the tokens of the last text are kept.
impl Worker for Tokenizer {
    type Sum = ();

    fn take_sum(&mut self) {}

    fn recover(&mut self) {
        self.reset();
    }
}

/// Replaces `tokens` by the tokens of a text, sentence by sentence if there is a splitter.
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

/// Appends the tokens of a text to `tokens`.
fn fill(normalizer: &mut Normalizer, cut: Cut, text: &str, tokens: &mut Tokens) {
    if cut == Cut::Spaces {
        // Without control characters, spaces are the only separators, and one scan finds them. Computing the minimum byte is vectorized.
        let least = |bytes: &[u8]| bytes.iter().fold(u8::MAX, |least, byte| least.min(*byte));
        // The scan ends with the first chunk that has a control character.
        if text.as_bytes().chunks(512).all(|bytes| least(bytes) >= b' ') {
            tokens.push_joined(text);
        } else {
            text.split_ascii_whitespace().for_each(|token| tokens.push(token));
        }
        return;
    }
    match cut {
        // In the form of the profile `near`, spaces already separate most tokens.
        Cut::Words(TokenRule::Near) => {
            fill_joined(normalizer.normalize_text(text), tokens, TokenRule::Near, false);
        }
        Cut::SymbolsApart(rule) => fill_joined(normalizer.normalize_apart(text), tokens, rule, true),
        Cut::Symbols(rule) => {
            let normal = normalizer.normalize_text(text);
            push_symbols(normal, rule, InnerSymbols::InWords, tokens);
        }
        Cut::Words(rule) => {
            let normal = normalizer.normalize_text(text);
            rule.tokens(normal).for_each(|range| tokens.push(&normal[range]));
        }
        Cut::Spaces => {}
    }
}

/// Appends the words and symbols of a text.
fn push_symbols(text: &str, rule: TokenRule, inner: InnerSymbols, tokens: &mut Tokens) {
    for token in rule.tokens_and_symbols(text, inner) {
        match token {
            WordOrSymbol::Word(range) => tokens.push(&text[range]),
            WordOrSymbol::Symbol(range) => tokens.push_symbol(&text[range]),
        }
    }
}

/// Makes terms of tokens: stop words are dropped and other tokens stemmed, in the language of each text.
struct Stems {
    lexicons: Lexicons,
    terms: Tokens,
}

impl Stems {
    fn new() -> Self {
        Stems {
            lexicons: Lexicons::new(TermRules {
                stem: true,
                stop_words: true,
                language: None,
            }),
            terms: Tokens::new(),
        }
    }

    /// Replaces the terms by those of these tokens. Ends of sentences are kept.
    fn fill(&mut self, original: &str, tokens: &Tokens) {
        self.terms.clear();
        let mut lexicon = self.lexicons.of(original);
        for sentence in tokens.sentences() {
            for number in sentence {
                if let Some(term) = lexicon.term(tokens.token(number)) {
                    self.terms.push(&term);
                }
            }
            self.terms.end_sentence();
        }
    }
}

/// Appends the tokens of a text in the form of the profile `near`, or, with `symbols`, in that form with separated symbols.
///
/// Tokens of a text with only characters below U+0580 (such as Latin, Greek and Cyrillic) are separated by
/// spaces: every other character is a letter, digit or mark, between which UAX #29 never breaks, or part of
/// a run of one symbol.
fn fill_joined(normal: &str, tokens: &mut Tokens, rule: TokenRule, symbols: bool) {
    let count = |words: &str| if symbols { count_symbols(words) } else { 0 };
    let mut rest = normal;
    loop {
        let spaced = spaced_scripts(rest.as_bytes());
        // The rest has no other characters, as in most texts.
        if spaced == rest.len() {
            tokens.push_joined_with_symbols(rest, count(rest));
            return;
        }
        // A piece with, or possibly with, another character is split by character classes, extended to whole words.
        let cut = rest.as_bytes()[..spaced].iter().rposition(|byte| *byte == b' ');
        let (words, others) = rest.split_at(cut.map_or(0, |space| space + 1));
        let words = words.trim_end_matches(' ');
        tokens.push_joined_with_symbols(words, count(words));
        // At least one piece is taken, and then the rest of its last word.
        let end = others.bytes().skip(PIECE).position(|byte| byte == b' ');
        let (others, behind) = others.split_at(end.map_or(others.len(), |space| PIECE + space));
        if symbols {
            push_symbols(others, rule, InnerSymbols::Apart, tokens);
        } else {
            rule.tokens(others).for_each(|range| tokens.push(&others[range]));
        }
        rest = behind.trim_start_matches(' ');
    }
}

/// Number of bytes that are checked together for characters of other scripts.
const PIECE: usize = 64;

/// Returns the length in bytes of the prefix whose pieces hold only characters below U+0580. It may end
/// within a character.
fn spaced_scripts(text: &[u8]) -> usize {
    // UTF-8 sequences of these characters begin with bytes below D6. Checking a piece without an early exit is vectorized.
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

    /// Characters of other scripts at every position, alone or beside others, in short and in long words.
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
        // 21 words and 9 symbols are a share of 0.3; with 10 symbols the share is larger.
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
        /// The rule adds symbols and removes no tokens.
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
            push_symbols(normalizer.normalize_text(&text), TokenRule::Words, InnerSymbols::Apart, &mut wanted);
            prop_assert_eq!((tokens.text(), tokens.ends()), (wanted.text(), wanted.ends()));
        }

        #[test]
        fn tokens_are_those_of_the_standard(text in "[ -~а-яё\\n]{0,60}|\\PC{0,40}|[a-z а-я東京é]{0,40}|[a-zà-žα-ώА-я0-9ա-ֆ \u{301}'’_.]{0,60}") {
            prop_assert_eq!(filled(&text), one_by_one(&text));
        }
    }
}
