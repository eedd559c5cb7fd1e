//! The parts of a collection where common runs can occur, and the sorted order of the text after each
//! selected position.
//!
//! This is a sparse suffix array: it has the selected positions only. The next selected position depends on
//! the `horizon` tokens after a position and on nothing before it, so two suffixes that agree over a
//! horizon also agree in their next positions. Therefore suffixes are sorted by their horizons first, and
//! then, by doubling, by the ranks of the positions that follow.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::candidates::join::spill::SpillError;
use crate::numeric::narrow;
use crate::passages::found::Place;
use crate::passages::sequences::Sequences;
use crate::passages::winnow::Winnowing;

/// Bytes per selected position while suffixes are sorted and runs are found.
const PER_SAMPLE: usize = 64;

/// Pieces of the documents around selected positions whose hash occurs more than once.
pub(crate) struct Pieces {
    winnowing: Winnowing,
    /// The tokens of all pieces, numbered by first appearance.
    tokens: Vec<u32>,
    pieces: Vec<Piece>,
    /// The selected positions, ascending: index in `tokens`, and index of the piece.
    samples: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct Piece {
    /// Index of its first token in `tokens`. It ends where the next piece begins.
    begin: u32,
    at: Place,
}

impl Pieces {
    /// Reads all documents again. Fails if the pieces need more than `free` bytes.
    pub(crate) fn read(
        sequences: &mut Sequences,
        is_repeated: impl Fn(u64) -> bool + Sync,
        winnowing: Winnowing,
        free: u64,
    ) -> Result<Self, SpillError> {
        let mut pieces = Self {
            winnowing,
            tokens: Vec::new(),
            pieces: Vec::new(),
            samples: Vec::new(),
        };
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        sequences.each_batch(|first, documents| {
            let select = |scratch: &mut Vec<u64>, words: &&[u64]| {
                let mut selected = Vec::new();
                winnowing.each(words, scratch, |place, hash| {
                    if is_repeated(hash) {
                        selected.push(narrow::to_u32(place));
                    }
                });
                selected
            };
            let selected: Vec<Vec<u32>> = documents.par_iter().map_init(Vec::new, select).collect();
            for (document, (words, selected)) in (first..).zip(documents.iter().zip(selected)) {
                pieces.add(document, words, &selected, &mut numbers);
            }
            // 32 bytes per entry are an upper bound for the hash map, also while it grows.
            let needed = pieces.bytes() + 32 * numbers.capacity() as u64;
            // Indices of tokens have 32 bits.
            let is_numbered = pieces.tokens.len() < u32::MAX as usize;
            match needed <= free && is_numbered {
                true => Ok(()),
                false => Err(SpillError::Memory(needed)),
            }
        })?;
        // A sentinel, so that the last piece also has a next one.
        let end = Piece {
            begin: narrow::to_u32(pieces.tokens.len()),
            at: Place::default(),
        };
        pieces.pieces.push(end);
        Ok(pieces)
    }

    fn bytes(&self) -> u64 {
        (4 * self.tokens.capacity()
            + PER_SAMPLE * self.samples.len()
            + size_of::<Piece>() * self.pieces.capacity()) as u64
    }

    /// Adds the parts of a document around the selected positions. A run begins fewer than `window` tokens
    /// before its first selected position, and ends within the horizon of its last one.
    fn add(&mut self, document: u32, words: &[u64], selected: &[u32], numbers: &mut HashMap<u64, u32>) {
        let (window, horizon) = (self.winnowing.window, self.winnowing.horizon());
        let mut done = None;
        for &place in selected {
            let place = place as usize;
            let from = place.saturating_sub(window);
            let from = match done {
                // The part overlaps the part before: the piece goes on.
                Some(end) if end >= from => end,
                _ => {
                    self.pieces.push(Piece {
                        begin: narrow::to_u32(self.tokens.len()),
                        at: Place {
                            document,
                            start: narrow::to_u32(from),
                        },
                    });
                    from
                }
            };
            // The horizon decides the next selected position, so its tokens are needed as well.
            let until = (place + horizon).min(words.len()).max(from);
            for word in &words[from..until] {
                let next = narrow::to_u32(numbers.len());
                self.tokens.push(*numbers.entry(*word).or_insert(next));
            }
            done = Some(until);
            let piece = self.pieces.len() - 1;
            let Piece { begin, at } = self.pieces[piece];
            // Index of the selected token: the piece's first token plus the distance of the words.
            self.samples
                .push((begin + (narrow::to_u32(place) - at.start), narrow::to_u32(piece)));
        }
    }

    pub(crate) fn window(&self) -> u32 {
        narrow::to_u32(self.winnowing.window)
    }

    /// Index after the last token of the piece of a selected position. The sentinel ends the last piece.
    fn limit(&self, sample: u32) -> usize {
        self.pieces[self.samples[sample as usize].1 as usize + 1].begin as usize
    }

    /// Returns the tokens from a selected position on that decide the next selected position. Shorter than
    /// a horizon at the end of a piece.
    fn horizon(&self, sample: u32) -> &[u32] {
        let at = self.samples[sample as usize].0 as usize;
        &self.tokens[at..(at + self.winnowing.horizon()).min(self.limit(sample))]
    }

    /// Returns document and word index of a selected position.
    pub(crate) fn place(&self, sample: u32) -> Place {
        let (at, piece) = self.samples[sample as usize];
        let piece = self.pieces[piece as usize];
        Place {
            document: piece.at.document,
            start: piece.at.start + (at - piece.begin),
        }
    }

    /// Returns the token `back` tokens before a selected position; `None` if that lies before the piece.
    pub(crate) fn before(&self, sample: u32, back: u32) -> Option<u32> {
        let (at, piece) = self.samples[sample as usize];
        let place = at.checked_sub(back)?;
        // An earlier token belongs to another piece.
        (place >= self.pieces[piece as usize].begin).then(|| self.tokens[place as usize])
    }

    /// Returns the number of tokens that two suffixes share. The first `known` of them are known to be equal.
    fn common(&self, a: u32, b: u32, known: u32) -> u32 {
        let rest = |sample: u32| {
            let from = self.samples[sample as usize].0 as usize + known as usize;
            // `known` may reach up to the end of the piece.
            let limit = self.limit(sample);
            &self.tokens[from.min(limit)..limit]
        };
        let (a, b) = (rest(a), rest(b));
        // Whole blocks are compared as vectors; only the first block that differs is compared token by token.
        let blocks = a
            .chunks_exact(16)
            .zip(b.chunks_exact(16))
            .take_while(|(a, b)| a == b)
            .count();
        let (a, b) = (&a[16 * blocks..], &b[16 * blocks..]);
        known
            + 16 * narrow::to_u32(blocks)
            + narrow::to_u32(a.iter().zip(b).take_while(|(a, b)| a == b).count())
    }

    /// Returns the selected positions sorted by the tokens after them, and for each the number of tokens
    /// that it shares with the previous one in that order; 0 for the first.
    pub(crate) fn sorted(&self) -> (Vec<u32>, Vec<u32>) {
        let order = self.order();
        let mut place_of = vec![0_u32; order.len()];
        for (place, &sample) in (0_u32..).zip(&order) {
            place_of[sample as usize] = place;
        }
        // Kasai, Lee, Arimura, Arikawa, Park 2001: if a suffix shares some tokens with its predecessor in
        // the order, the next suffix shares at least that number less the step. This holds only if more
        // than a horizon is shared, so that the same positions are selected after both.
        let (mut common, mut shared) = (vec![0_u32; order.len()], 0_u32);
        let horizon = narrow::to_u32(self.winnowing.horizon());
        for sample in 0..narrow::to_u32(order.len()) {
            let known = match sample.checked_sub(1) {
                Some(last) if shared >= horizon && self.follows(last) => {
                    shared.saturating_sub(self.samples[sample as usize].0 - self.samples[last as usize].0)
                }
                _ => 0,
            };
            let place = place_of[sample as usize] as usize;
            shared = match place.checked_sub(1) {
                Some(before) => self.common(order[before], sample, known),
                None => 0,
            };
            common[place] = shared;
        }
        (order, common)
    }

    /// Whether the next selected position is in the same piece and is the one that the horizon of this one decides.
    fn follows(&self, sample: u32) -> bool {
        let here = self.samples[sample as usize];
        let next = self.samples.get(sample as usize + 1);
        next.is_some_and(|next| next.1 == here.1 && (next.0 - here.0) as usize <= self.winnowing.window)
            && self.horizon(sample).len() == self.winnowing.horizon()
    }

    fn order(&self) -> Vec<u32> {
        let count = narrow::to_u32(self.samples.len());
        let mut order: Vec<u32> = (0..count).collect();
        // Equal horizons keep the order of positions.
        order.par_sort_unstable_by(|&a, &b| self.horizon(a).cmp(self.horizon(b)).then(a.cmp(&b)));
        // Suffixes with equal horizons form a group. Their rank is the place in `order` of the first of the group.
        let mut rank = vec![0_u32; order.len()];
        let equal: Vec<bool> = order
            .par_windows(2)
            .map(|pair| self.horizon(pair[0]) == self.horizon(pair[1]))
            .collect();
        set_ranks(&order, 0, |place| equal[place - 1], &mut rank);
        drop(equal);
        // The last selected position of the chain in which each position decides the next one.
        let mut last = vec![0_u32; order.len()];
        // Backward, so that the end of each chain is known.
        for sample in (0..count).rev() {
            let goes_on = self.follows(sample);
            last[sample as usize] = if goes_on {
                last[sample as usize + 1]
            } else {
                sample
            };
        }
        // Prefix doubling (Manber, Myers 1993): each round doubles the number of selected positions by
        // which suffixes are sorted.
        let mut unsorted: Vec<(u32, u32, u32)> = Vec::new();
        let mut step = 1_u32;
        loop {
            // Members of groups that are equal so far: rank, rank of the suffix `step` selected positions
            // later, and position. The second rank is 0 if there is no such suffix.
            unsorted.clear();
            for group in order.chunk_by(|a, b| rank[*a as usize] == rank[*b as usize]) {
                if group.len() > 1 {
                    unsorted.extend(group.iter().map(|&sample| {
                        let later = sample
                            .checked_add(step)
                            .filter(|later| *later <= last[sample as usize]);
                        let key = later.map_or(0, |later| rank[later as usize] + 1);
                        (rank[sample as usize], key, sample)
                    }));
                }
            }
            unsorted.par_sort_unstable();
            let mut is_split = false;
            // Only members of groups that are still equal move, within the places of their group.
            for group in unsorted.chunk_by(|a, b| a.0 == b.0) {
                let begin = group[0].0 as usize;
                let members = &mut order[begin..begin + group.len()];
                for (place, member) in members.iter_mut().zip(group) {
                    *place = member.2;
                }
                is_split |= group[0].1 != group[group.len() - 1].1;
                set_ranks(
                    members,
                    narrow::to_u32(begin),
                    |place| group[place - 1].1 == group[place].1,
                    &mut rank,
                );
            }
            if !is_split {
                // The remaining equal suffixes are equal up to their ends. They are in the order of their positions.
                return order;
            }
            // Ranks now distinguish suffixes over twice the number of steps.
            step = step.saturating_mul(2);
        }
    }
}

/// Sets the ranks of the part of the order that begins at `begin`; `equals_before(i)` returns true if
/// member `i` is equal to member `i - 1`.
fn set_ranks(members: &[u32], begin: u32, equals_before: impl Fn(usize) -> bool, rank: &mut [u32]) {
    let mut first = begin;
    for (place, &member) in members.iter().enumerate() {
        if place > 0 && !equals_before(place) {
            first = begin + narrow::to_u32(place);
        }
        rank[member as usize] = first;
    }
}
