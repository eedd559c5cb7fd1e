//! Dictionaries of phrases, from `data/phrases`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::RegexSet;

/// The bundled dictionaries.
pub(crate) static FILES: &[(&str, &str)] = &[
    ("en", include_str!("../../../../data/phrases/en.tsv")),
    ("ru", include_str!("../../../../data/phrases/ru.tsv")),
];

/// Maximum length of blocks that rules can match, in bytes, independent of their number of words.
const MAX_BYTES: usize = 4000;

/// How the text of a rule is compared with a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Match {
    Equals,
    Starts,
    Contains,
    Regex,
}

/// Action for a block that a rule matches. If several rules match, the greatest action in this order wins, then the first rule in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Action {
    Drop,
    DropRest,
    Keep,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: Match,
    pub(crate) text: String,
    pub(crate) max_words: u32,
    pub(crate) action: Action,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests apply every rule to its example")
    )]
    pub(crate) example: String,
    /// Reason for keeping or dropping a block, which names the phrase.
    pub(crate) reason: String,
}

/// Rules that are matched together: phrases by one automaton, regular expressions by one set. Both take linear time.
#[derive(Debug)]
pub(crate) struct Dictionary {
    pub(crate) rules: Vec<Rule>,
    phrases: AhoCorasick,
    /// Rule index of each pattern of the automaton.
    phrase_rules: Vec<usize>,
    expressions: RegexSet,
    /// Rule index of each expression of the set.
    expression_rules: Vec<usize>,
}

impl Dictionary {
    /// Returns the rules of all languages.
    pub(crate) fn bundled() -> &'static Dictionary {
        static ALL: LazyLock<Dictionary> = LazyLock::new(|| {
            let files = FILES.iter().map(|(_, text)| *text);
            Dictionary::read(files).expect("the dictionaries of the program are read by its tests")
        });
        &ALL
    }

    /// Parses dictionaries. Errors name the line and the problem.
    pub(crate) fn read<'t>(files: impl Iterator<Item = &'t str>) -> Result<Dictionary, String> {
        let mut rules = Vec::new();
        for file in files {
            for (i, line) in file.lines().enumerate() {
                if !line.is_empty() && !line.starts_with('#') {
                    rules.push(read_rule(line).map_err(|why| format!("line {}: {why}", i + 1))?);
                }
            }
        }
        // The automaton and the set number their own patterns, so each keeps a list of its rules.
        let select = |regex: bool| -> Vec<usize> {
            let of_kind = rules.iter().enumerate();
            of_kind
                .filter(|(_, rule)| (rule.kind == Match::Regex) == regex)
                .map(|(i, _)| i)
                .collect()
        };
        let (phrase_rules, expression_rules) = (select(false), select(true));
        let texts = |of: &[usize]| of.iter().map(|&i| rules[i].text.clone()).collect::<Vec<_>>();
        Ok(Dictionary {
            phrases: AhoCorasick::new(texts(&phrase_rules)).map_err(|e| e.to_string())?,
            expressions: RegexSet::new(texts(&expression_rules)).map_err(|e| e.to_string())?,
            phrase_rules,
            expression_rules,
            rules,
        })
    }

    /// Returns the rule that decides about a block of `words` words; `None` if no rule matches. `folded` is a reusable buffer.
    pub(crate) fn find(&self, text: &str, words: u32, folded: &mut String) -> Option<&Rule> {
        if text.len() > MAX_BYTES {
            return None;
        }
        fold(text, folded);
        // `start..end` is the block without punctuation around it.
        let core = folded.trim_matches(|c: char| !c.is_alphanumeric());
        let start = folded.len() - folded.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        let end = start + core.len();
        // A border is an offset that does not split a word.
        let border = |at: usize| {
            let before = folded[..at]
                .chars()
                .next_back()
                .is_some_and(char::is_alphanumeric);
            let after = folded[at..].chars().next().is_some_and(char::is_alphanumeric);
            !(before && after)
        };
        // Overlapping matches, too: a shorter phrase may have the greater action.
        let phrases = self.phrases.find_overlapping_iter(&**folded).filter_map(|found| {
            let i = self.phrase_rules[found.pattern().as_usize()];
            let fits = match self.rules[i].kind {
                Match::Equals => found.start() == start && found.end() == end,
                Match::Starts => found.start() == start && border(found.end()),
                Match::Contains => border(found.start()) && border(found.end()),
                Match::Regex => false,
            };
            fits.then_some(i)
        });
        let expressions = self.expressions.matches(core).into_iter();
        phrases
            .chain(expressions.map(|set| self.expression_rules[set]))
            .filter(|&i| words <= self.rules[i].max_words)
            .max_by_key(|&i| (self.rules[i].action, std::cmp::Reverse(i)))
            .map(|i| &self.rules[i])
    }
}

/// Writes `text` to `out` in lower case, with е for ё and straight quotes.
pub(crate) fn fold(text: &str, out: &mut String) {
    out.clear();
    out.extend(text.chars().flat_map(char::to_lowercase).map(|c| match c {
        'ё' => 'е',
        '‘' | '’' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        c => c,
    }));
}

/// Parses a line of five fields: match, maximum number of words, action, text, example.
fn read_rule(line: &str) -> Result<Rule, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [kind, max_words, action, text, example] = *fields else {
        return Err(format!("{} fields, not 5", fields.len()));
    };
    if text.is_empty() || example.is_empty() {
        return Err("a rule without a text or an example".to_owned());
    }
    let kind = match kind {
        "equals" => Match::Equals,
        "starts" => Match::Starts,
        "contains" => Match::Contains,
        "regex" => Match::Regex,
        other => return Err(format!("unknown match `{other}` of the rule `{text}`")),
    };
    let (action, reason) = match action {
        "drop" => (Action::Drop, "boilerplate-phrase"),
        "drop-rest" => (Action::DropRest, "end-phrase"),
        "keep" => (Action::Keep, "text-phrase"),
        other => return Err(format!("unknown action `{other}` of the rule `{text}`")),
    };
    let max_words = max_words.parse();
    let max_words = max_words.map_err(|_| format!("the most words of the rule `{text}` are no number"))?;
    Ok(Rule {
        reason: format!("{reason}: {text}"),
        text: text.to_owned(),
        example: example.to_owned(),
        kind,
        max_words,
        action,
    })
}
