//! The truth, by distinct texts. Counts right and wrong pairs among found pairs and groups.

use dehusk_pipeline::narrow;

use super::prepared_corpus::PreparedCorpus;
use crate::metrics::{Tally, choose_two};
use crate::sets::Degree;

/// Number of a group, and how many documents with a certain text are in it.
type Share = (u32, u64);

/// One degree of the truth, by the distinct texts of a collection.
pub(super) struct Gold<'a> {
    pub(super) degree: &'a Degree,
    /// The groups of each distinct text, ascending, with the numbers of its documents in them.
    shares: Vec<Vec<Share>>,
    /// Number of documents of each group.
    pub(super) sizes: Vec<u64>,
    /// Number of true pairs.
    pub(super) pairs: f64,
    /// Codes of the languages of the groups, sorted. Empty if the truth lists pairs: their groups are only
    /// connected components.
    pub(super) languages: Vec<String>,
    /// Index of each group's language in `languages`.
    language_of: Vec<Option<usize>>,
}

/// Numbers of pairs of documents: found pairs that are right, and all found pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub(super) right: f64,
    pub(super) found: f64,
    /// Counts by true group.
    pub(super) tallies: Vec<Tally>,
}

impl<'a> Gold<'a> {
    /// Prepares a degree of the truth. `of_documents` has the languages that the truth names for documents.
    pub(super) fn new(
        degree: &'a Degree,
        of_documents: &[Option<String>],
        collection: &PreparedCorpus,
    ) -> Self {
        let groups = degree.groups.iter().max().map_or(0, |&most| most as usize + 1);
        let mut sizes = vec![0; groups];
        for &group in &degree.groups {
            sizes[group as usize] += 1;
        }
        let shares = collection
            .members
            .iter()
            // Copies of one text may be in several groups, if the truth separates them.
            .map(|members| merged(members.iter().map(|&member| (degree.groups[member as usize], 1))))
            .collect();
        let pairs = match &degree.pairs {
            Some(pairs) => pairs.len() as f64,
            None => sizes.iter().map(|&size| choose_two(size)).sum(),
        };
        let mut languages: Vec<String> = Vec::new();
        let mut language_of = vec![None; groups];
        if degree.pairs.is_none() {
            languages.extend(of_documents.iter().flatten().cloned());
            languages.sort_unstable();
            languages.dedup();
            // A group has the language of its first document.
            for (&group, language) in degree.groups.iter().zip(of_documents) {
                let of_group = &mut language_of[group as usize];
                if let (None, Some(language)) = (&of_group, language) {
                    *of_group = languages.binary_search(language).ok();
                }
            }
        }
        Self {
            degree,
            shares,
            sizes,
            pairs,
            languages,
            language_of,
        }
    }

    /// Adds up the counts of the groups of each language.
    pub(super) fn by_language(&self, tallies: &[Tally]) -> Vec<Tally> {
        let mut sums = vec![Tally::default(); self.languages.len()];
        for (tally, language) in tallies.iter().zip(&self.language_of) {
            if let Some(sum) = language.and_then(|language| sums.get_mut(language)) {
                sum.right += tally.right;
                sum.wrong += tally.wrong;
                sum.all += tally.all;
            }
        }
        sums
    }

    /// Number of documents in groups of each language.
    pub(super) fn documents_by_language(&self) -> Vec<u64> {
        let mut sums = vec![0; self.languages.len()];
        for (size, language) in self.sizes.iter().zip(&self.language_of) {
            if let Some(sum) = language.and_then(|language| sums.get_mut(language)) {
                *sum += size;
            }
        }
        sums
    }

    /// True if a document of one distinct text and a document of the other belong together.
    pub(super) fn same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.shares[a as usize], &self.shares[b as usize]);
        a.iter()
            .any(|(group, _)| b.iter().any(|(other, _)| group == other))
    }

    /// The counts before any pair is found: only the numbers of true pairs are set.
    pub(super) fn start(&self) -> Counted {
        let all = |&size: &u64| Tally {
            all: choose_two(size),
            ..Tally::default()
        };
        Counted {
            tallies: self.sizes.iter().map(all).collect(),
            ..Counted::default()
        }
    }

    /// Counts all pairs among the documents of these shares as found. `shares` has each group once.
    fn within(&self, shares: &[Share], to: &mut Counted) {
        let all: u64 = shares.iter().map(|(_, count)| count).sum();
        to.found += choose_two(all);
        for &(group, count) in shares {
            let tally = &mut to.tallies[group as usize];
            to.right += choose_two(count);
            tally.right += choose_two(count);
            // A wrong pair counts half in the group of each of its documents.
            tally.wrong += count as f64 * (all - count) as f64 / 2.0;
        }
    }

    /// Counts all pairs between documents of two distinct texts as found.
    fn between(&self, a: u32, b: u32, to: &mut Counted) {
        let (a, b) = (&self.shares[a as usize], &self.shares[b as usize]);
        let sum = |shares: &[Share]| shares.iter().map(|(_, count)| count).sum::<u64>();
        let (all_a, all_b) = (sum(a), sum(b));
        to.found += (all_a * all_b) as f64;
        for (own, other, all) in [(a, b, all_b), (b, a, all_a)] {
            for &(group, count) in own {
                let same = other
                    .iter()
                    .find(|(theirs, _)| *theirs == group)
                    .map_or(0, |(_, count)| *count);
                let tally = &mut to.tallies[group as usize];
                // Each pair is counted from both sides, half each time.
                let right = (count * same) as f64 / 2.0;
                to.right += right;
                tally.right += right;
                tally.wrong += (count * (all - same)) as f64 / 2.0;
            }
        }
    }

    /// The counts if these pairs of distinct texts are found, and all pairs of documents with equal texts.
    pub(super) fn of_pairs(&self, pairs: impl Iterator<Item = (u32, u32)>) -> Counted {
        let mut counted = self.start();
        for shares in &self.shares {
            self.within(shares, &mut counted);
        }
        for (a, b) in pairs {
            self.between(a, b, &mut counted);
        }
        counted
    }

    /// The counts if all pairs of distinct texts with the same label are found.
    pub(super) fn of_labels(&self, labels: &[u32]) -> Counted {
        let mut order: Vec<u32> = (0..narrow::to_u32(labels.len())).collect();
        // Texts with equal labels become adjacent, so each run is a found group.
        order.sort_unstable_by_key(|&distinct| (labels[distinct as usize], distinct));
        let mut counted = self.start();
        for run in order.chunk_by(|&a, &b| labels[a as usize] == labels[b as usize]) {
            let shares = run
                .iter()
                .flat_map(|&distinct| self.shares[distinct as usize].iter().copied());
            self.within(&merged(shares), &mut counted);
        }
        counted
    }

    /// For a truth that lists pairs, the number of listed pairs that were found. `found` is true for pairs
    /// of distinct texts that were found. `None` for a truth of groups.
    pub(super) fn listed(
        &self,
        collection: &PreparedCorpus,
        found: impl Fn(u32, u32) -> bool,
    ) -> Option<f64> {
        let pairs = self.degree.pairs.as_ref()?;
        let hit = |&&(a, b): &&(u32, u32)| {
            let (a, b) = (
                collection.distinct_of[a as usize],
                collection.distinct_of[b as usize],
            );
            // Documents with equal texts are always found. An empty document is in no pair.
            a.zip(b).is_some_and(|(a, b)| a == b || found(a.min(b), a.max(b)))
        };
        Some(pairs.iter().filter(hit).count() as f64)
    }

    /// Pairs of distinct texts with documents in a common group, sorted, the smaller text first. Each has
    /// its number of pairs of documents. Groups are taken in the order of their numbers, and the list ends
    /// with the first group that reaches `most` pairs.
    pub(super) fn distinct_pairs(&self, collection: &PreparedCorpus, most: usize) -> Vec<(u32, u32, f64)> {
        let mut by_group: Vec<(u32, u32, u64)> = (0..)
            .zip(&self.shares)
            .flat_map(|(distinct, shares)| shares.iter().map(move |&(group, count)| (group, distinct, count)))
            .collect();
        by_group.sort_unstable();
        let mut pairs = Vec::new();
        if let Some(listed) = &self.degree.pairs {
            let distinct = |&(a, b): &(u32, u32)| {
                let (a, b) = (
                    collection.distinct_of[a as usize]?,
                    collection.distinct_of[b as usize]?,
                );
                (a != b).then_some((a.min(b), a.max(b), 1.0))
            };
            pairs.extend(listed.iter().filter_map(distinct).take(most));
        } else {
            for run in by_group.chunk_by(|a, b| a.0 == b.0) {
                if pairs.len() >= most {
                    break;
                }
                for (place, a) in run.iter().enumerate() {
                    pairs.extend(run[place + 1..].iter().map(|b| (a.1, b.1, (a.2 * b.2) as f64)));
                }
            }
        }
        // Two texts may share several groups, whose numbers of pairs are added.
        pairs.sort_unstable_by_key(|pair| (pair.0, pair.1));
        pairs.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        pairs
    }
}

/// Adds up the shares of each group. The result ascends by group.
fn merged(shares: impl Iterator<Item = Share>) -> Vec<Share> {
    let mut shares: Vec<Share> = shares.collect();
    shares.sort_unstable();
    shares.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    shares
}
