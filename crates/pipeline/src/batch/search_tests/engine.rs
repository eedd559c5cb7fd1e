//! A single-threaded test engine, which joins the steps of a search.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
};
use dehusk_dedup::candidates::Share;
use dehusk_dedup::{BOUNDS, CompiledOptions, KeyGroups, Matcher, UnionFind};

use crate::batch::{Comparer, Cover, Decider, Groups, keyed, ranked};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::kernel::Signer;
use crate::record::document::round;
use crate::settings::Settings;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn longs(values: impl IntoIterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(Int64Array::from_iter(values))
}

fn column<'b>(batch: &'b RecordBatch, name: &str) -> &'b [i64] {
    batch
        .column_by_name(name)
        .unwrap()
        .as_primitive::<Int64Type>()
        .values()
}

/// Positions of two similar texts, their similarity, and its estimate.
type Pair = (i64, i64, f64, Option<f32>);

/// The texts that go, each with the text that stays for it.
type Leads = BTreeMap<i64, i64>;

/// The cell in which a pair was found, by the rows of both texts.
type Cells = BTreeMap<(i64, i64), i64>;

/// A member of a large group: its lead key, its rank, its key among kin, and its row.
type Ranked<'a> = (&'a [u8], &'a [u8], &'a [u8], i64);

/// A single-threaded engine.
pub(super) struct Engine<'e> {
    settings: &'e Settings,
    compiled: Arc<CompiledOptions>,
    texts: &'e [String],
    /// Maximum number of rows of a batch.
    rows: usize,
    signed: RecordBatch,
    /// For each position, the position of the first document with the same text.
    firsts: Vec<usize>,
    /// For each text, bytes that compare in the keeper's order.
    orders: BTreeMap<i64, Vec<u8>>,
    /// The words of the groups that the first search capped; `None` before it.
    open: Option<BTreeSet<i64>>,
    pairs: Vec<Pair>,
    pub(super) searches: u32,
    pub(super) near: u32,
}

impl<'e> Engine<'e> {
    pub(super) fn new(settings: &'e Settings, texts: &'e [String], rows: usize) -> Self {
        let compiled = Arc::new(CompiledOptions::new(settings.duplicates().unwrap()).unwrap());
        let ids: Vec<String> = (0..texts.len()).map(|number| format!("d{number}")).collect();
        let documents = batch(vec![
            ("id", Arc::new(StringArray::from(ids))),
            ("text", Arc::new(StringArray::from(texts.to_vec()))),
        ]);
        let groups = Matcher::new(Arc::clone(&compiled)).groups().unwrap();
        let signer = || Signer::new(settings, Arc::clone(&compiled)).unwrap();
        let signed = keyed(&documents, settings, &Cancel::new(), (groups, &compiled), &signer).unwrap();
        let contents = signed.column_by_name("content").unwrap().as_binary::<i32>();
        let kinds = signed.column_by_name("kind").unwrap().as_primitive::<Int32Type>();
        let mut met = BTreeMap::new();
        let firsts = (0..texts.len()).map(|row| match kinds.value(row) {
            0 => row,
            _ => *met.entry(contents.value(row)).or_insert(row),
        });
        let firsts: Vec<usize> = firsts.collect();
        let keys = signed.column_by_name("key").unwrap().as_binary::<i32>();
        let mut orders: BTreeMap<i64, Vec<u8>> = BTreeMap::new();
        for (row, first) in firsts.iter().enumerate() {
            let order = [keys.value(row), &(row as u64).to_be_bytes()[..]].concat();
            let best = orders.entry(*first as i64).or_insert_with(|| order.clone());
            *best = order.min(best.clone());
        }
        Engine {
            settings,
            compiled,
            texts,
            rows,
            signed,
            firsts,
            orders,
            open: None,
            pairs: Vec::new(),
            searches: 0,
            near: 0,
        }
    }

    fn cut(&self, batch: &RecordBatch) -> Vec<RecordBatch> {
        let starts = (0..batch.num_rows()).step_by(self.rows);
        starts
            .map(|start| batch.slice(start, self.rows.min(batch.num_rows() - start)))
            .collect()
    }

    /// Runs a search among texts, after `before` others. Adds the similar pairs, and returns the texts in large groups.
    fn search(&mut self, among: &BTreeSet<i64>, before: u32) -> BTreeSet<i64> {
        let words = self.signed.column_by_name("words").unwrap().as_list::<i32>();
        let mut members: Vec<(i64, i64)> = Vec::new();
        for &text in among {
            let words = words.value(text as usize);
            let words = words.as_primitive::<Int64Type>().values();
            let open = |word: &&i64| self.open.as_ref().is_none_or(|open| open.contains(*word));
            members.extend(words.iter().filter(open).map(|word| (*word, text)));
        }
        members.sort_unstable();
        let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
        for (word, _) in &members {
            *sizes.entry(*word).or_default() += 1;
        }
        let groups = Matcher::new(Arc::clone(&self.compiled)).groups().unwrap();
        let always = groups.always(before);
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for size in sizes.values().filter(|size| **size > always) {
            *counts.entry(*size as u64).or_default() += 1;
        }
        let counts: Vec<(u64, u64)> = counts.into_iter().collect();
        let share = groups.share(&counts, among.len() as u64, before);
        let is_large = |(word, _): &(i64, i64)| sizes[word] > always && share.caps(sizes[word]);
        let (large, small): (Vec<_>, Vec<_>) = members.iter().copied().partition(is_large);
        let mut cells = self.of_groups(&small);
        self.of_large_groups(&large, groups, share, before, &mut cells);
        self.compare(cells, true);
        self.open
            .get_or_insert_with(|| large.iter().map(|(word, _)| *word).collect());
        large.iter().map(|(_, text)| *text).collect()
    }

    /// The pairs of complete groups with their cells.
    fn of_groups(&self, members: &[(i64, i64)]) -> Cells {
        let rows = batch(vec![
            ("word", longs(members.iter().map(|(word, _)| Some(*word)))),
            ("position", longs(members.iter().map(|(_, text)| Some(*text)))),
        ]);
        let mut step = Groups::default();
        let mut found = Vec::new();
        let mut take = |batch: RecordBatch| -> Result<(), Error> {
            found.push(batch);
            Ok(())
        };
        for part in self.cut(&rows) {
            step.push(&part, &mut take).unwrap();
        }
        step.finish(&mut take).unwrap();
        let mut cells = BTreeMap::new();
        for batch in &found {
            for row in 0..batch.num_rows() {
                let pair = (column(batch, "a")[row], column(batch, "b")[row]);
                let cell = column(batch, "cell")[row];
                let known = cells.entry(pair).or_insert(cell);
                *known = cell.min(*known);
            }
        }
        cells
    }

    /// Adds pairs of large groups, by the ranks of their members.
    fn of_large_groups(
        &self,
        large: &[(i64, i64)],
        groups: KeyGroups,
        share: Share,
        before: u32,
        cells: &mut Cells,
    ) {
        let equal = column(&self.signed, "row");
        let contents = self.signed.column_by_name("content").unwrap().as_binary::<i32>();
        let content = |text: i64| contents.value(text as usize);
        let rows = batch(vec![
            ("word", longs(large.iter().map(|(word, _)| Some(*word)))),
            (
                "content",
                Arc::new(BinaryArray::from_iter_values(
                    large.iter().map(|(_, text)| content(*text)),
                )),
            ),
            (
                "row",
                longs(large.iter().map(|(_, text)| Some(equal[*text as usize]))),
            ),
            (
                "order",
                Arc::new(BinaryArray::from_iter_values(
                    large.iter().map(|(_, text)| &self.orders[text]),
                )),
            ),
        ]);
        let ranks = ranked(&rows, groups, before).unwrap();
        let bytes = |name: &str| ranks.column_by_name(name).unwrap().as_binary::<i32>().clone();
        let (leads, orders, kin) = (bytes("lead"), bytes("rank"), bytes("kin"));
        let mut by_word: BTreeMap<i64, Vec<Ranked<'_>>> = BTreeMap::new();
        for (row, (word, text)) in large.iter().enumerate() {
            let member = (leads.value(row), orders.value(row), kin.value(row), *text);
            by_word.entry(*word).or_default().push(member);
        }
        let mut add = |a: i64, b: i64| cells.insert((a.min(b), a.max(b)), b);
        for members in by_word.values_mut() {
            members.sort_unstable();
            let mut first = BTreeMap::new();
            let further = before > 0;
            let mut rest = Vec::new();
            for &(_, order, kin, text) in &*members {
                let leads = *first.entry(equal[text as usize]).or_insert(text);
                if leads != text {
                    add(leads, text);
                }
                if further || leads == text {
                    rest.push((further && !rest.is_empty(), order, kin, text));
                }
            }
            rest.sort_unstable();
            for (place, member) in rest.iter().enumerate() {
                for partner in &rest[..place.min(share.leaders())] {
                    add(partner.3, member.3);
                }
            }
            rest.sort_unstable_by_key(|member| member.2);
            for (place, member) in rest.iter().enumerate() {
                for partner in &rest[place.saturating_sub(share.neighbors())..place] {
                    add(partner.3, member.3);
                }
            }
        }
    }

    /// Adds the candidates that are similar, with an estimate if they were found by keys.
    fn compare(&mut self, cells: Cells, by_keys: bool) {
        let mut rows: Vec<(i64, Option<i64>, i64)> = Vec::new();
        for ((a, b), cell) in cells {
            rows.extend([(cell, None, a), (cell, None, b), (cell, Some(b), a)]);
        }
        rows.sort_unstable();
        rows.dedup();
        let text =
            |row: &(i64, Option<i64>, i64)| row.1.is_none().then(|| self.texts[row.2 as usize].clone());
        let table = batch(vec![
            ("cell", longs(rows.iter().map(|row| Some(row.0)))),
            ("a", longs(rows.iter().map(|row| Some(row.2)))),
            ("b", longs(rows.iter().map(|row| row.1))),
            ("text", Arc::new(StringArray::from_iter(rows.iter().map(text)))),
        ]);
        let matcher = Matcher::new(Arc::clone(&self.compiled));
        let signer = Signer::new(self.settings, Arc::clone(&self.compiled)).unwrap();
        let groups = matcher.groups().unwrap();
        let mut step = Comparer::new(signer, matcher, groups);
        for part in self.cut(&table) {
            let found = step.push(&part).unwrap();
            let similarities = found
                .column_by_name("similarity")
                .unwrap()
                .as_primitive::<Float64Type>();
            let estimates = found
                .column_by_name("estimate")
                .unwrap()
                .as_primitive::<Float32Type>();
            for row in 0..found.num_rows() {
                let estimate = (by_keys && estimates.is_valid(row)).then(|| estimates.value(row));
                let (a, b) = (column(&found, "a")[row], column(&found, "b")[row]);
                self.pairs.push((a, b, similarities.value(row), estimate));
            }
        }
    }

    /// The texts that go, each with the text that stays for it.
    fn leads(&self) -> Leads {
        let ordered = |pair: &Pair| {
            let (a, b) = (pair.0, pair.1);
            let a_wins = self.orders[&a] < self.orders[&b];
            if a_wins { (b, a, pair.2) } else { (a, b, pair.2) }
        };
        let mut edges: Vec<(i64, i64, f64)> = self.pairs.iter().map(ordered).collect();
        edges.sort_by_key(|edge| &self.orders[&edge.0]);
        let rows = batch(vec![
            ("loser", longs(edges.iter().map(|edge| Some(edge.0)))),
            ("winner", longs(edges.iter().map(|edge| Some(edge.1)))),
        ]);
        let mut step = Cover::default();
        let mut gone: BTreeSet<i64> = BTreeSet::new();
        for part in self.cut(&rows) {
            gone.extend(column(&step.push(&part).unwrap(), "text"));
        }
        edges.retain(|edge| gone.contains(&edge.0) && !gone.contains(&edge.1));
        edges.sort_by(|a, b| {
            let order = |text| &self.orders[text];
            b.2.total_cmp(&a.2).then_with(|| order(&a.1).cmp(order(&b.1)))
        });
        let mut leads = Leads::new();
        for (loser, winner, _) in edges {
            leads.entry(loser).or_insert(winner);
        }
        leads
    }

    /// Compares texts that stay with the representatives of their neighbors, and texts whose representative in `before` has gone with its
    /// own representative. Returns `false` if all of these pairs had been compared before.
    fn compare_near(
        &mut self,
        leads: &Leads,
        before: Option<&Leads>,
        asked: &mut BTreeSet<(i64, i64)>,
    ) -> bool {
        let lead = |text: i64| leads.get(&text).copied().unwrap_or(text);
        let of_neighbors = self.pairs.iter().filter_map(|pair| {
            let one_goes = leads.contains_key(&pair.0) != leads.contains_key(&pair.1);
            one_goes.then(|| (lead(pair.0), lead(pair.1)))
        });
        let mut near: Vec<(i64, i64)> = of_neighbors.collect();
        let orphans = before.into_iter().flatten();
        near.extend(orphans.filter_map(|(text, stayed)| Some((*text, *leads.get(stayed)?))));
        let known: BTreeSet<(i64, i64)> = self.pairs.iter().map(|pair| (pair.0, pair.1)).collect();
        let ordered = near
            .iter()
            .filter(|(a, b)| a != b)
            .map(|(a, b)| (*a.min(b), *a.max(b)));
        let fresh: BTreeSet<(i64, i64)> = ordered
            .filter(|pair| !known.contains(pair) && !asked.contains(pair))
            .collect();
        asked.extend(&fresh);
        self.compare(fresh.iter().map(|pair| (*pair, pair.0)).collect(), false);
        !fresh.is_empty()
    }

    /// The group of each text, in which its decision is made, and all pairs.
    fn groups(&self) -> (BTreeMap<i64, i64>, Vec<Pair>) {
        let leads = self.leads();
        if self.compiled.options().clustering().follows_keeper() {
            let stands =
                |pair: &&Pair| leads.get(&pair.0) == Some(&pair.1) || leads.get(&pair.1) == Some(&pair.0);
            let pairs = self.pairs.iter().filter(stands).copied().collect();
            let lead = |text: &i64| (*text, leads.get(text).copied().unwrap_or(*text));
            return (self.orders.keys().map(lead).collect(), pairs);
        }
        let mut sets = UnionFind::new(self.texts.len() as u32);
        for pair in &self.pairs {
            sets.unite(pair.0 as u32, pair.1 as u32);
        }
        let labels = sets.labels();
        let label = |text: &i64| (*text, i64::from(labels[*text as usize]));
        (self.orders.keys().map(label).collect(), self.pairs.clone())
    }

    /// The decisions on all documents, group by group.
    fn decide(&self) -> Vec<RecordBatch> {
        let (groups, pairs) = self.groups();
        let mut rows: Vec<(i64, Option<i64>, i64, Option<f64>)> = (0..self.texts.len())
            .map(|row| (groups[&(self.firsts[row] as i64)], None, row as i64, None))
            .collect();
        rows.extend(
            pairs
                .iter()
                .map(|pair| (groups[&pair.0], Some(pair.1), pair.0, Some(pair.2))),
        );
        rows.sort_by_key(|row| (row.0, row.1, row.2));
        let contents = self.signed.column_by_name("content").unwrap().as_binary::<i32>();
        let facts = self.signed.column_by_name("facts").unwrap().as_binary::<i32>();
        let exacts = column(&self.signed, "exact");
        let kinds = self
            .signed
            .column_by_name("kind")
            .unwrap()
            .as_primitive::<Int32Type>();
        let documents = || rows.iter().map(|row| row.1.is_none().then_some(row.2 as usize));
        let table = batch(vec![
            ("group", longs(rows.iter().map(|row| Some(row.0)))),
            ("a", longs(rows.iter().map(|row| Some(row.2)))),
            ("b", longs(rows.iter().map(|row| row.1))),
            (
                "kind",
                Arc::new(Int32Array::from_iter(
                    documents().map(|row| row.map(|row| kinds.value(row))),
                )),
            ),
            (
                "content",
                Arc::new(BinaryArray::from_iter(
                    documents().map(|row| row.map(|row| contents.value(row))),
                )),
            ),
            ("exact", longs(documents().map(|row| row.map(|row| exacts[row])))),
            (
                "facts",
                Arc::new(BinaryArray::from_iter(
                    documents().map(|row| row.map(|row| facts.value(row))),
                )),
            ),
            (
                "similarity",
                Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.3))),
            ),
        ]);
        let mut step = Decider::new(self.settings, Arc::clone(&self.compiled), 1000).unwrap();
        let mut found = Vec::new();
        let mut take = |batch: RecordBatch| -> Result<(), Error> {
            found.push(batch);
            Ok(())
        };
        for part in self.cut(&table) {
            step.push(&part, &mut take).unwrap();
        }
        step.finish(&mut take).unwrap();
        found
    }

    /// Runs all searches: the rounds of `VerifiedPairs::settle`.
    pub(super) fn run(&mut self) {
        let kinds = self
            .signed
            .column_by_name("kind")
            .unwrap()
            .as_primitive::<Int32Type>();
        let full = (0..self.texts.len()).filter(|&row| kinds.value(row) == 2 && self.firsts[row] == row);
        let full: BTreeSet<i64> = full.map(|row| row as i64).collect();
        let capped = self.search(&full, 0);
        let mut capped_last = capped.clone();
        let (mut asked, mut before) = (BTreeSet::new(), None);
        let (mut fruitless, mut pairs_before) = (0, 0);
        loop {
            let leads = self.leads();
            if self.near < BOUNDS.near && self.compare_near(&leads, before.as_ref(), &mut asked) {
                self.near += 1;
                before = Some(leads);
                continue;
            }
            let found_none = self.searches > 0 && self.pairs.len() == pairs_before;
            fruitless = if found_none { fruitless + 1 } else { 0 };
            let complete = fruitless > 0 && capped_last.is_empty();
            if complete || fruitless == BOUNDS.fruitless || self.searches == BOUNDS.searches {
                return;
            }
            let stay: BTreeSet<i64> = capped
                .iter()
                .copied()
                .filter(|text| !leads.contains_key(text))
                .collect();
            if stay.len() < 2 {
                return;
            }
            self.searches += 1;
            pairs_before = self.pairs.len();
            before = Some(leads);
            capped_last = self.search(&stay, self.searches);
        }
    }

    /// The rows of decisions, and of all pairs of documents.
    pub(super) fn rows(&self) -> [Vec<String>; 2] {
        let (mut decisions, mut ids) = (Vec::new(), BTreeMap::new());
        for batch in self.decide() {
            let column_of = |name: &str| batch.column_by_name(name).unwrap();
            let text = |name: &str, row: usize| column_of(name).as_string::<i32>().value(row).to_owned();
            let similarities = column_of("similarity").as_primitive::<Float64Type>();
            for row in 0..batch.num_rows() {
                let kept = column_of("kept").as_boolean().value(row);
                let similarity = similarities.is_valid(row).then(|| similarities.value(row));
                let size = column(&batch, "cluster_size")[row];
                let names = ["id", "cluster", "representative", "reason"].map(|name| text(name, row));
                decisions.push(format!("{} {kept} {similarity:?} {size}", names.join(" ")));
                ids.insert(column(&batch, "position")[row], text("id", row));
            }
        }
        let exacts = column(&self.signed, "exact");
        let mut copies: BTreeMap<i64, Vec<(&str, i64)>> = BTreeMap::new();
        for (row, first) in self.firsts.iter().enumerate() {
            let copy = (ids[&(row as i64)].as_str(), exacts[row]);
            copies.entry(*first as i64).or_default().push(copy);
        }
        let row = |a: &str, b: &str, rest: &str| format!("{} {} {rest}", a.min(b), a.max(b));
        let mut pairs = Vec::new();
        for copies in copies.values() {
            for (place, (one, exact)) in copies.iter().enumerate() {
                let others = copies[place + 1..].iter();
                pairs.extend(others.map(|(other, of_other)| {
                    let method = if exact == of_other { "exact" } else { "jaccard" };
                    row(one, other, &format!("{method} 1.0 Some(1.0)"))
                }));
            }
        }
        for (a, b, similarity, estimate) in &self.pairs {
            let estimate = estimate.map(|estimate| round(estimate.into()));
            let rest = format!("jaccard {similarity:?} {estimate:?}");
            for (one, _) in &copies[a] {
                pairs.extend(copies[b].iter().map(|(other, _)| row(one, other, &rest)));
            }
        }
        decisions.sort();
        pairs.sort();
        [decisions, pairs]
    }
}
