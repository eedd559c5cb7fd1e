//! Equal units: lines, sentences, paragraphs.

use rayon::prelude::*;

use crate::candidates::join::spill::{Spill, SpillError, WordSorter};
use crate::numeric::narrow;
use crate::passages::found::{DocumentFacts, Found, Longest, MemoryLimits, PassageRule, Place};
use crate::passages::repeated::Repeated;
use crate::passages::sequences::Sequences;

/// A repeated unit: its rank among the repeated words, its document, and its index in the document.
type Unit = (u32, u32, u32);

/// Finds the units that the rule counts, at each of their positions.
pub(crate) fn equal_units(
    mut sequences: Sequences,
    facts: DocumentFacts<'_>,
    rule: PassageRule,
    spill: &dyn Spill,
    limits: MemoryLimits,
) -> Result<Vec<Found>, SpillError> {
    let DocumentFacts {
        hosts,
        lengths,
        known_from,
    } = facts;
    let threads = rayon::current_num_threads() as u64;
    let sorter = WordSorter::new(spill, limits.buffer, threads);
    sequences.each_batch(|_, documents| {
        documents.par_iter().try_for_each_init(
            || sorter.feed(),
            |feed, units| units.iter().try_for_each(|unit| feed.push(*unit)),
        )
    })?;
    // A quarter of the memory for the repeated words; the rest is for units.
    let repeated = Repeated::of(sorter, limits.total / 4, false)?;
    let free = limits.total.saturating_sub(sequences.bytes() + repeated.bytes());
    let mut units: Vec<Unit> = Vec::new();
    sequences.each_batch(|first, documents| {
        let numbered = (first..).zip(documents.iter());
        for (document, words) in numbered {
            let words = (0_u32..).zip(words.iter());
            units.extend(words.filter_map(|(place, word)| Some((repeated.number(*word)?, document, place))));
        }
        // The results are counted with the units: each unit becomes at most one.
        let needed = (units.len() * (size_of::<Unit>() + size_of::<Found>())) as u64;
        match needed > free {
            true => Err(SpillError::Memory(limits.total.saturating_add(needed - free))),
            false => Ok(()),
        }
    })?;
    drop((sequences, repeated));
    // By word, then by document and place.
    units.par_sort_unstable();
    let groups: Vec<&[Unit]> = units.chunk_by(|a, b| a.0 == b.0).collect();
    let found = groups.par_iter().map(|group| {
        // Units of a document are adjacent, so changes of the document are counted.
        let documents = 1 + group.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
        let mut of_group: Vec<u32> = group.iter().map(|unit| hosts[unit.1 as usize]).collect();
        of_group.retain(|host| *host != u32::MAX);
        of_group.sort_unstable();
        of_group.dedup();
        let (documents, hosts) = (narrow::to_u32(documents), narrow::to_u32(of_group.len()));
        let counts = group.len() > 1 && rule.counts(documents, hosts);
        let (_, document, start) = group[0];
        let mut longest = Longest::NONE;
        for unit in *group {
            let place = Place {
                document: unit.1,
                start: unit.2,
            };
            longest.add(place, lengths);
        }
        // Units are sorted by document, and known documents come last.
        let of_new = group.partition_point(|unit| unit.1 < known_from);
        group[..of_new]
            .iter()
            .filter(|_| counts)
            .map(|unit| Found {
                at: Place {
                    document: unit.1,
                    start: unit.2,
                },
                length: 1,
                first: Place { document, start },
                longest,
                places: u32::try_from(group.len()).unwrap_or(u32::MAX),
                documents,
                hosts,
                known: u32::try_from(group.len() - of_new).unwrap_or(u32::MAX),
            })
            .collect::<Vec<_>>()
    });
    Ok(found.flatten_iter().collect())
}
