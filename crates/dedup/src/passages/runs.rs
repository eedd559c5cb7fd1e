//! Common runs of tokens: selected positions are grouped by the tokens after them, then split by the tokens
//! before them.

use rayon::prelude::*;

use crate::candidates::join::spill::{Spill, SpillError, WordSorter};
use crate::numeric::narrow;
use crate::passages::found::{DocumentFacts, Found, Longest, MemoryLimits, PassageRule, Place};
use crate::passages::intervals::{Reach, Reaches};
use crate::passages::repeated::{Repeated, marked};
use crate::passages::sequences::Sequences;
use crate::passages::suffixes::Pieces;
use crate::passages::winnow::Winnowing;

/// Finds, at every position, the longest runs of at least `least` words that the rule counts. The result
/// may also contain shorter runs inside these.
///
/// A run has a selected position fewer than `window` tokens after its start. Before that position, the run
/// shares fewer than `window` tokens with another place. After that position, it ends where the best of the
/// places that agree before it ends. So lists of positions, sorted by the tokens after them, are split by
/// one preceding token at a time. Time is linear, since about two of `window` tokens are selected.
pub(crate) fn common_runs(
    mut sequences: Sequences,
    facts: DocumentFacts<'_>,
    least: u32,
    rule: PassageRule,
    spill: &dyn Spill,
    limits: MemoryLimits,
) -> Result<Vec<Found>, SpillError> {
    let winnowing = Winnowing::for_runs(least);
    let threads = rayon::current_num_threads();
    let sorter = WordSorter::new(spill, limits.buffer, threads as u64);
    let has_known = facts.known_from != u32::MAX;
    sequences.each_batch(|first, documents| {
        let numbered = documents.par_iter().enumerate();
        numbered.try_for_each_init(
            || (sorter.feed(), Vec::new()),
            |(feed, scratch), (number, words)| {
                // Known documents are numbered last, so the number decides.
                let is_known = first + narrow::to_u32(number) >= facts.known_from;
                let mut done = Ok(());
                winnowing.each(words, scratch, |_, hash| {
                    // `winnowing` takes a visitor that cannot fail, so the first error is kept.
                    if done.is_ok() {
                        let hash = if has_known { marked(hash, is_known) } else { hash };
                        done = feed.push(hash);
                    }
                });
                done
            },
        )
    })?;
    // A quarter of the memory for the repeated hashes; the rest is for pieces and their order.
    let repeated = Repeated::of(sorter, limits.total / 4, has_known)?;
    let is_repeated = |hash: u64| {
        let hash = if has_known { marked(hash, false) } else { hash };
        repeated.number(hash).is_some()
    };
    // Both are in memory while pieces are read.
    let held = sequences.bytes() + repeated.bytes();
    let too_little = |error| match error {
        SpillError::Memory(more) => SpillError::Memory(held.saturating_add(more)),
        error => error,
    };
    let pieces = Pieces::read(
        &mut sequences,
        is_repeated,
        winnowing,
        limits.total.saturating_sub(held),
    )
    .map_err(too_little)?;
    // Only the pieces are needed from here on.
    drop((sequences, repeated));
    let (order, common) = pieces.sorted();
    // Suffixes that share fewer tokens than a hash covers have different selected hashes: groups end there.
    let width = narrow::to_u32(winnowing.width);
    let mut groups: Vec<(usize, usize)> = Vec::new();
    let mut begin = 0;
    let ends = (1..order.len()).filter(|place| common[*place] < width);
    for end in ends.chain([order.len()]) {
        if end - begin > 1 {
            groups.push((begin, end));
        }
        begin = end;
    }
    let hosts = numbered(facts.hosts);
    let facts = DocumentFacts {
        hosts: &hosts,
        ..facts
    };
    // Several parts per thread, since groups differ in size.
    let parts = groups.par_chunks((groups.len() / (4 * threads)).max(1));
    let found = parts.map(|groups| {
        let (mut reaches, mut found) = (Reaches::new(&pieces, rule, facts), Vec::new());
        for &(begin, end) in groups {
            let (list, between) = (&order[begin..end], &common[begin + 1..end]);
            split_group(&pieces, list, between, least, &mut reaches, &mut found);
        }
        // Positions in known documents count, but no run is returned for them.
        found.retain(|run: &Found| run.at.document < facts.known_from);
        found
    });
    Ok(found.collect::<Vec<_>>().concat())
}

/// Numbers the hosts without gaps, so that tables by host are no larger than tables by document. Unknown
/// hosts stay `u32::MAX`.
fn numbered(hosts: &[u32]) -> Vec<u32> {
    let mut known: Vec<u32> = hosts.iter().copied().filter(|host| *host != u32::MAX).collect();
    known.sort_unstable();
    known.dedup();
    let number = |host: &u32| known.binary_search(host).map_or(u32::MAX, narrow::to_u32);
    hosts.iter().map(number).collect()
}

/// Suffixes with the same `back` tokens before them, sorted by the tokens after them.
struct Class {
    list: Vec<u32>,
    /// Number of tokens from the suffix on that two neighbors share.
    between: Vec<u32>,
    reach: Vec<Option<Reach>>,
}

/// Finds the runs of a group of suffixes that share at least the tokens of a hash. `between[i]` is the
/// number of tokens that the suffixes `i` and `i + 1` of the list share.
fn split_group(
    pieces: &Pieces,
    list: &[u32],
    between: &[u32],
    least: u32,
    reaches: &mut Reaches<'_>,
    found: &mut Vec<Found>,
) {
    let mut classes = vec![Class {
        list: list.to_vec(),
        between: between.to_vec(),
        reach: reaches.of(list, between),
    }];
    // A run begins fewer than `window` tokens before its first selected position, so no class needs more
    // steps.
    for back in 0..pieces.window() {
        let mut next = Vec::with_capacity(classes.len());
        for class in classes {
            // A run that too few documents have cannot gain documents when the class is split.
            if class.reach.iter().any(Option::is_some) {
                split(pieces, class, (back, least), reaches, &mut next, found);
            }
        }
        classes = next;
        if classes.is_empty() {
            return;
        }
    }
}

/// Splits a class by the token before the shared ones, and adds the runs that begin there: those that would
/// be shorter if that token were included.
fn split(
    pieces: &Pieces,
    class: Class,
    (back, least): (u32, u32),
    reaches: &mut Reaches<'_>,
    next: &mut Vec<Class>,
    found: &mut Vec<Found>,
) {
    let before = |suffix: &u32| pieces.before(*suffix, back + 1);
    let first = class.list.first().and_then(before);
    // All members have the same token before: no run begins here.
    if first.is_some() && class.list.iter().all(|suffix| before(suffix) == first) {
        next.push(class);
        return;
    }
    let Class { list, between, reach } = class;
    // How far each member reaches if the token before it is included; 0 if no other member has this token.
    let mut further: Vec<u32> = vec![0; list.len()];
    let mut by_token: Vec<(u32, u32)> = (0_u32..)
        .zip(&list)
        .filter_map(|(place, suffix)| Some((before(suffix)?, place)))
        .collect();
    by_token.sort_unstable();
    let least_between = least_before(&by_token, &between);
    let mut done = 0;
    for group in by_token.chunk_by(|a, b| a.0 == b.0) {
        let from = done;
        done += group.len();
        // A run needs two positions.
        if group.len() < 2 {
            continue;
        }
        let members: Vec<u32> = group.iter().map(|(_, place)| list[*place as usize]).collect();
        // The first member of a group has no previous member.
        let between = least_between[from + 1..done].to_vec();
        let reach = reaches.of(&members, &between);
        for ((_, place), reach) in group.iter().zip(&reach) {
            further[*place as usize] = reach.map_or(0, |reach| reach.tokens);
        }
        next.push(Class {
            list: members,
            between,
            reach,
        });
    }
    for ((suffix, reach), further) in list.iter().zip(reach).zip(further) {
        let Some(reach) = reach else { continue };
        let length = back + reach.tokens;
        // With the token before it, the run would share fewer tokens: it cannot be extended to that side.
        if further < reach.tokens && length >= least {
            let earlier = |at: Place| Place {
                document: at.document,
                start: at.start - back,
            };
            found.push(Found {
                at: earlier(pieces.place(*suffix)),
                length,
                first: earlier(reach.first),
                longest: Longest(reach.longest.0.map(|place| match place {
                    Place::NONE => Place::NONE,
                    place => earlier(place),
                })),
                places: reach.places,
                documents: reach.documents,
                hosts: reach.hosts,
                known: reach.known,
            });
        }
    }
}

/// Returns, for each member, the number of tokens that it shares with the previous member of its group: the
/// minimum of `between` over the gaps from one to the other.
///
/// `by_token` has the groups, each with the places of its members in ascending order.
fn least_before(by_token: &[(u32, u32)], between: &[u32]) -> Vec<u32> {
    // For each member, the place of the previous member of its group; `u32::MAX` for the first.
    let mut before = vec![u32::MAX; between.len() + 1];
    for pair in by_token.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        before[pair[1].1 as usize] = pair[0].1;
    }
    let mut least_at = vec![0_u32; between.len() + 1];
    // A monotonic stack of gaps, each with the minimum from that gap up to the current one. Gaps and minima
    // both ascend.
    let mut least: Vec<(u32, u32)> = Vec::new();
    for place in 0..before.len() {
        if let Some(gap) = place.checked_sub(1) {
            let tokens = between[gap];
            let mut from = narrow::to_u32(gap);
            while let Some(&(start, more)) = least.last()
                && more >= tokens
            {
                from = start;
                least.pop();
            }
            least.push((from, tokens));
        }
        if before[place] != u32::MAX {
            // The entry in which the previous member lies has the minimum over all gaps since then.
            let around = least.partition_point(|(start, _)| *start <= before[place]);
            least_at[place] = around.checked_sub(1).map_or(0, |around| least[around].1);
        }
    }
    by_token
        .iter()
        .map(|(_, place)| least_at[*place as usize])
        .collect()
}
