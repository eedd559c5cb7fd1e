//! Log odds of the words and short lines of main text, for `words.model`.
//!
//! For each word, the share of its lines that are main text is computed per domain, so that each domain has
//! the same weight. It is compared with the share of all words on the same domains; otherwise the words of
//! a language would reflect how its sites are built. The page's own domain is always excluded.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use dehusk_html::narrow;
use dehusk_pipeline::extract::training::{LineTokens, WordOdds, normalized_words};

use super::boost::Table;
use super::pages::Labelled;
use crate::result::Result;
use crate::root::root;

/// Conditions for words or phrases to be in the lexicon, and smoothing.
struct Rules {
    /// Smallest number of domains.
    domains: u32,
    /// Weight of the mean share of all words or phrases, in domains.
    smoothing: f64,
}

const WORDS: Rules = Rules {
    domains: 8,
    smoothing: 2.0,
};
const PHRASES: Rules = Rules {
    domains: 4,
    smoothing: 1.0,
};

/// One word or phrase of the lexicon.
struct Entry {
    rules: &'static Rules,
    /// The range of its entries in `shares`, and their sum.
    places: Range<u32>,
    sum: Share,
    /// Mean share of main text of all words, or of all phrases.
    base: f64,
}

/// Shares of main text of words and phrases, per domain.
pub(super) struct Lexicon {
    entries: HashMap<u64, Entry>,
    /// (domain, shares), sorted by entry and then by domain.
    shares: Vec<(u64, Share)>,
}

/// Mean shares of main text on a domain, 0 to 1, or their sums over domains.
#[derive(Clone, Copy, Default)]
struct Share {
    /// Mean over the lines that have the word or phrase.
    own: f64,
    /// Mean over the occurrences of all words or phrases.
    all: f64,
}

/// Each distinct word or phrase of each line: its key, its domain, and the share of the line that is main text.
type Seen = Vec<(u64, u64, f32)>;

impl Lexicon {
    /// Counts the words and phrases in the lines of some pages.
    pub(super) fn new<'p>(pages: impl Iterator<Item = &'p Labelled>, table: &Table) -> Lexicon {
        let (mut words, mut phrases): (Seen, Seen) = (Vec::new(), Vec::new());
        for page in pages {
            let lines = page.rows.clone().zip(&page.line_tokens);
            // Weight 0 marks lines whose label says nothing.
            for (row, tokens) in lines.filter(|(row, _)| table.weights[*row] > 0.0) {
                let seen = |key: u64| (key, page.domain, table.targets[row]);
                words.extend(tokens.words.iter().copied().map(seen));
                phrases.extend(tokens.phrase.map(seen));
            }
        }
        let mut out = Lexicon {
            entries: HashMap::new(),
            shares: Vec::new(),
        };
        out.add(words, &WORDS);
        out.add(phrases, &PHRASES);
        out
    }

    /// Adds words or phrases with their shares per domain. Entries on too few domains are left out.
    fn add(&mut self, mut seen: Seen, rules: &'static Rules) {
        // The share of main text of all words on each domain, with which a word's own share is compared.
        let mut all: HashMap<u64, (f64, f64)> = HashMap::new();
        for &(_, domain, target) in &seen {
            let (sum, count) = all.entry(domain).or_default();
            (*sum, *count) = (*sum + f64::from(target), *count + 1.0);
        }
        seen.sort_by_key(|&(key, domain, _)| (key, domain));
        let (start, mut keys) = (self.shares.len(), Vec::new());
        // One chunk for each word and domain. The order of keys makes a word's domains adjacent in
        // `shares`.
        for same in seen.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let own: f64 = same.iter().map(|line| f64::from(line.2)).sum();
            let (sum, count) = all[&same[0].1];
            let share = Share {
                own: own / same.len() as f64,
                all: sum / count,
            };
            keys.push(same[0].0);
            self.shares.push((same[0].1, share));
        }
        let base = sum(&self.shares[start..]).own / (self.shares.len() - start).max(1) as f64;
        let mut at = start;
        for same in keys.chunk_by(|a, b| a == b) {
            let places = at..at + same.len();
            at = places.end;
            if narrow::to_u32(same.len()) >= rules.domains {
                let entry = Entry {
                    rules,
                    sum: sum(&self.shares[places.clone()]),
                    places: narrow::to_u32(places.start)..narrow::to_u32(places.end),
                    base,
                };
                self.entries.insert(same[0], entry);
            }
        }
    }

    /// Returns the log odds of a word or phrase relative to all words or phrases on the same domains,
    /// rounded to one decimal. The domain `without` is left out. `None` if the key is unknown or its log
    /// odds are 0.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "odds with one digit after the point are stored as f32"
    )]
    fn odds(&self, key: u64, without: Option<u64>) -> Option<f32> {
        let entry = self.entries.get(&key)?;
        let shares = &self.shares[entry.places.start as usize..entry.places.end as usize];
        // Shares of an entry are sorted by domain.
        let own = without.and_then(|domain| shares.binary_search_by_key(&domain, |share| share.0).ok());
        let (mut main, mut domains) = (entry.sum, narrow::to_u32(shares.len()));
        if let Some(own) = own {
            main.own -= shares[own].1.own;
            main.all -= shares[own].1.all;
            domains -= 1;
        }
        // Checked again: without the page's domain there may be too few.
        if domains < entry.rules.domains {
            return None;
        }
        let smoothing = entry.rules.smoothing;
        // Domains count as observations: `smoothing` domains of mean share `base` are added.
        let odds = |main: f64| {
            let boilerplate = f64::from(domains) - main + smoothing * (1.0 - entry.base);
            ((main + smoothing * entry.base) / boilerplate).ln()
        };
        // Relative to all words of the same domains: a domain with little boilerplate raises all its words
        // equally.
        let odds = odds(main.own) - odds(main.all);
        Some((odds * 10.0).round() / 10.0)
            .filter(|&odds| odds != 0.0)
            .map(|odds| odds as f32)
    }

    /// Returns the log odds of the lines of a page for training. Empty on every third domain, so that trees
    /// also learn to decide in languages without known words.
    pub(super) fn odds_in_training(&self, page: &Labelled) -> Vec<WordOdds> {
        // Not the remainder that chooses the fold of a domain, so that each fold has domains of both kinds.
        if (page.domain / 64).is_multiple_of(3) {
            vec![WordOdds::default(); page.line_tokens.len()]
        } else {
            self.odds_of_lines(page)
        }
    }

    /// Returns the log odds of the lines of a page; the page's own domain is left out.
    pub(super) fn odds_of_lines(&self, page: &Labelled) -> Vec<WordOdds> {
        let of_key = |key| {
            let known = self.odds(key, Some(page.domain));
            (known.is_some(), known.unwrap_or_default())
        };
        let odds = |tokens: &LineTokens| WordOdds::of(tokens, of_key);
        page.line_tokens.iter().map(odds).collect()
    }

    /// Writes all words and phrases to the data file that the program reads. `sources` describes the
    /// training data.
    pub(super) fn write<'p>(&self, sources: &str, pages: impl Iterator<Item = &'p Labelled>) -> Result<()> {
        let mut words: BTreeMap<i32, BTreeSet<String>> = BTreeMap::new();
        let mut phrases = words.clone();
        // Entries are known by hash. Their spelling is found by walking the pages once more, until no entry
        // is missing.
        let mut missing: BTreeSet<u64> = self.entries.keys().copied().collect();
        for page in pages {
            for (line, tokens) in page.lines.iter().zip(&page.line_tokens) {
                if !tokens
                    .words
                    .iter()
                    .chain(&tokens.phrase)
                    .any(|key| missing.contains(key))
                {
                    continue;
                }
                let normalized = normalized_words(line);
                for word in normalized.split(' ') {
                    self.spell(
                        word,
                        |tokens| tokens.words.first().copied(),
                        &mut missing,
                        &mut words,
                    );
                }
                self.spell(&normalized, |tokens| tokens.phrase, &mut missing, &mut phrases);
            }
        }
        let mut out = format!(
            "# Words and short lines, and by how much they raise the log odds of a line to be main text. Made by `cargo xtask train`;\n\
             # do not edit.\n{sources}\
             # w ODDS WORDS: of words on {} domains at least. p ODDS LINES: of lines on {}; 0 stands for any number.\n\
             format 1\n",
            WORDS.domains, PHRASES.domains
        );
        for (kind, separator, all) in [("w", " ", &words), ("p", " | ", &phrases)] {
            for (odds, entries) in all {
                let mut line = String::new();
                for entry in entries {
                    if line.len() + entry.len() > LONGEST_LINE {
                        writeln!(out, "{line}")?;
                        line.clear();
                    }
                    if line.is_empty() {
                        write!(line, "{kind} {:.1} {entry}", f64::from(*odds) / 10.0)?;
                    } else {
                        write!(line, "{separator}{entry}")?;
                    }
                }
                writeln!(out, "{line}")?;
            }
        }
        let path = root().join("crates/extract/data/words.model");
        fs::write(&path, &out)?;
        let count = |all: &BTreeMap<i32, BTreeSet<String>>| all.values().map(BTreeSet::len).sum::<usize>();
        println!(
            "{}: {} words, {} phrases, {} bytes",
            path.display(),
            count(&words),
            count(&phrases),
            out.len()
        );
        Ok(())
    }

    /// Adds the spelling of an entry to the entries with the same log odds, when it is met for the first
    /// time.
    #[expect(clippy::cast_possible_truncation, reason = "tenths of log odds")]
    fn spell(
        &self,
        entry: &str,
        key: impl Fn(&LineTokens) -> Option<u64>,
        missing: &mut BTreeSet<u64>,
        out: &mut BTreeMap<i32, BTreeSet<String>>,
    ) {
        if let Some(key) = key(&LineTokens::of([entry]))
            // `remove` is true once, so an entry is written once, in the spelling that is met first.
            && missing.remove(&key)
            && let Some(odds) = self.odds(key, None)
        {
            out.entry((odds * 10.0).round() as i32)
                .or_default()
                .insert(entry.to_owned());
        }
    }
}

/// Approximate largest length of a line of the file, in bytes.
const LONGEST_LINE: usize = 120;

/// Returns the sums of shares over domains.
fn sum(shares: &[(u64, Share)]) -> Share {
    shares.iter().fold(Share::default(), |sum, (_, share)| Share {
        own: sum.own + share.own,
        all: sum.all + share.all,
    })
}
