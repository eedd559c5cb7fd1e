//! An engine of one thread, which joins the steps of a search.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use dehusk_dedup::{CompiledOptions, KeyGroups, MOST_SEARCHES, Matcher, UnionFind};

use crate::batch::{Ask, Comparer, Decider, Groups, keyed, places, ranked};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::kernel::Signer;
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

/// Similar pairs with their search: positions, similarity and estimate.
type Pair = (i64, i64, f64, Option<f32>, i32);

/// The cell that found a pair, by the rows of both.
type Cells = BTreeMap<(i64, i64), i64>;

/// A member of a large group: what says whether it leads, its rank, and its row.
type Ranked<'a> = (&'a [u8], &'a [u8], i64);

/// An engine of one thread.
pub(super) struct Engine<'e> {
    settings: &'e Settings,
    compiled: Arc<CompiledOptions>,
    texts: &'e [String],
    /// Batches are cut after so many rows.
    rows: usize,
    signed: RecordBatch,
    /// By position, that of the first document of its text.
    firsts: Vec<usize>,
    pairs: Vec<Pair>,
    pub(super) searches: i32,
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
        let signed = keyed(
            &documents,
            &Default::default(),
            2,
            &Cancel::new(),
            groups,
            &signer,
        )
        .unwrap();
        let contents = signed.column_by_name("content").unwrap().as_binary::<i32>();
        let kinds = signed.column_by_name("kind").unwrap().as_primitive::<Int32Type>();
        let mut met = BTreeMap::new();
        let firsts = (0..texts.len()).map(|row| match kinds.value(row) {
            0 => row,
            _ => *met.entry(contents.value(row)).or_insert(row),
        });
        let firsts = firsts.collect();
        Engine {
            settings,
            compiled,
            texts,
            rows,
            signed,
            firsts,
            pairs: Vec::new(),
            searches: 0,
        }
    }

    fn cut(&self, batch: &RecordBatch) -> Vec<RecordBatch> {
        let starts = (0..batch.num_rows()).step_by(self.rows);
        starts
            .map(|start| batch.slice(start, self.rows.min(batch.num_rows() - start)))
            .collect()
    }

    /// A search among texts, each with its place; keeps the similar pairs, and returns the texts in large groups.
    fn search(&mut self, among: &BTreeMap<usize, i64>) -> Vec<i64> {
        let words = self.signed.column_by_name("words").unwrap().as_list::<i32>();
        let mut members: Vec<(i64, i64)> = Vec::new();
        for &text in among.keys() {
            let words = words.value(text);
            let words = words.as_primitive::<Int64Type>().values();
            members.extend(words.iter().map(|word| (*word, text as i64)));
        }
        members.sort_unstable();
        let (mut cells, large) = self.of_groups(&members);
        self.of_large_groups(&large, among, &mut cells);
        let mut capped: Vec<i64> = large.iter().map(|(_, text)| *text).collect();
        cells.retain(|(a, b), _| !self.pairs.iter().any(|pair| (pair.0, pair.1) == (*a, *b)));
        self.compare(cells);
        self.searches += 1;
        capped.sort_unstable();
        capped.dedup();
        capped
    }

    /// Pairs with their cells, and the members of groups that are too large.
    fn of_groups(&self, members: &[(i64, i64)]) -> (Cells, Vec<(i64, i64)>) {
        let rows = batch(vec![
            ("word", longs(members.iter().map(|(word, _)| Some(*word)))),
            ("position", longs(members.iter().map(|(_, text)| Some(*text)))),
        ]);
        let mut step = Groups::new(Matcher::new(Arc::clone(&self.compiled)).groups().unwrap());
        let mut found = Vec::new();
        let mut take = |batch: RecordBatch| -> Result<(), Error> {
            found.push(batch);
            Ok(())
        };
        for part in self.cut(&rows) {
            step.push(&part, &mut take).unwrap();
        }
        step.finish(&mut take).unwrap();
        let (mut cells, mut large) = (BTreeMap::new(), Vec::new());
        for batch in &found {
            let seconds = batch.column_by_name("b").unwrap();
            for row in 0..batch.num_rows() {
                let (first, cell) = (column(batch, "a")[row], column(batch, "cell")[row]);
                match seconds.is_valid(row) {
                    false => large.push((cell, first)),
                    true => {
                        let known = cells.entry((first, column(batch, "b")[row])).or_insert(cell);
                        *known = cell.min(*known);
                    }
                }
            }
        }
        (cells, large)
    }

    /// Adds pairs of large groups, by the ranks of their members.
    fn of_large_groups(&self, large: &[(i64, i64)], among: &BTreeMap<usize, i64>, cells: &mut Cells) {
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
                "place",
                longs(large.iter().map(|(_, text)| Some(among[&(*text as usize)]))),
            ),
        ]);
        let groups = Matcher::new(Arc::clone(&self.compiled)).groups().unwrap();
        let ranks = ranked(&rows, groups, self.searches as u32).unwrap();
        let bytes = |name: &str| ranks.column_by_name(name).unwrap().as_binary::<i32>().clone();
        let (leads, orders) = (bytes("lead"), bytes("rank"));
        let equal = column(&self.signed, "row");
        let mut by_word: BTreeMap<i64, Vec<Ranked<'_>>> = BTreeMap::new();
        for (row, (word, text)) in large.iter().enumerate() {
            let member = (leads.value(row), orders.value(row), *text);
            by_word.entry(*word).or_default().push(member);
        }
        let mut add = |a: i64, b: i64| cells.insert((a.min(b), a.max(b)), b);
        for members in by_word.values_mut() {
            members.sort_unstable();
            let mut first = BTreeMap::new();
            let further = self.searches > 0;
            let mut rest = Vec::new();
            for &(_, order, text) in &*members {
                let leads = *first.entry(equal[text as usize]).or_insert(text);
                if leads != text {
                    add(leads, text);
                }
                if further || leads == text {
                    rest.push((further && !rest.is_empty(), order, text));
                }
            }
            rest.sort_unstable();
            for (place, member) in rest.iter().enumerate() {
                for partner in &rest[..place.min(KeyGroups::PARTNERS)] {
                    add(partner.2, member.2);
                }
            }
        }
    }

    fn compare(&mut self, cells: Cells) {
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
                let estimate = estimates.is_valid(row).then(|| estimates.value(row));
                let (a, b) = (column(&found, "a")[row], column(&found, "b")[row]);
                self.pairs
                    .push((a, b, similarities.value(row), estimate, self.searches));
            }
        }
    }

    /// What a decider says of all documents, component by component.
    fn decide(&self, ask: Ask) -> Vec<RecordBatch> {
        let mut sets = UnionFind::new(self.texts.len() as u32);
        for (row, first) in self.firsts.iter().enumerate() {
            sets.unite(row as u32, *first as u32);
        }
        for pair in &self.pairs {
            sets.unite(pair.0 as u32, pair.1 as u32);
        }
        let labels = sets.labels();
        let mut rows: Vec<(u32, Option<i64>, i64, Option<Pair>)> = (0..self.texts.len())
            .map(|row| (labels[row], None, row as i64, None))
            .collect();
        rows.extend(
            self.pairs
                .iter()
                .map(|pair| (labels[pair.0 as usize], Some(pair.1), pair.0, Some(*pair))),
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
        let document =
            |row: &(u32, Option<i64>, i64, Option<Pair>)| row.3.is_none().then_some(row.2 as usize);
        let table = batch(vec![
            ("component", longs(rows.iter().map(|row| Some(row.0.into())))),
            ("a", longs(rows.iter().map(|row| Some(row.2)))),
            ("b", longs(rows.iter().map(|row| row.1))),
            (
                "kind",
                Arc::new(Int32Array::from_iter(
                    rows.iter().map(|row| document(row).map(|row| kinds.value(row))),
                )),
            ),
            (
                "content",
                Arc::new(BinaryArray::from_iter(
                    rows.iter()
                        .map(|row| document(row).map(|row| contents.value(row))),
                )),
            ),
            (
                "exact",
                longs(rows.iter().map(|row| document(row).map(|row| exacts[row]))),
            ),
            (
                "facts",
                Arc::new(BinaryArray::from_iter(
                    rows.iter().map(|row| document(row).map(|row| facts.value(row))),
                )),
            ),
            (
                "similarity",
                Arc::new(Float64Array::from_iter(
                    rows.iter().map(|row| row.3.map(|pair| pair.2)),
                )),
            ),
            (
                "estimate",
                Arc::new(Float32Array::from_iter(
                    rows.iter().map(|row| row.3.and_then(|pair| pair.3)),
                )),
            ),
            (
                "search",
                Arc::new(Int32Array::from_iter(
                    rows.iter().map(|row| row.3.map(|pair| pair.4)),
                )),
            ),
        ]);
        let mut step = Decider::new(
            self.settings,
            Arc::clone(&self.compiled),
            1000,
            self.searches as usize - 1,
            ask,
        )
        .unwrap();
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

    /// All searches.
    pub(super) fn run(&mut self) {
        let kinds = self
            .signed
            .column_by_name("kind")
            .unwrap()
            .as_primitive::<Int32Type>();
        let full = (0..self.texts.len()).filter(|&row| kinds.value(row) == 2 && self.firsts[row] == row);
        let mut capped = self.search(&full.map(|row| (row, 0)).collect());
        while self.searches <= MOST_SEARCHES as i32 {
            let answers = self.decide(Ask::Stay);
            let (mut gone, mut stay) = (0, Vec::new());
            for answer in &answers {
                let positions = answer.column_by_name("position").unwrap();
                let facts = answer.column_by_name("facts").unwrap().as_binary::<i32>();
                for row in 0..answer.num_rows() {
                    let text = column(answer, "text")[row];
                    if !positions.is_valid(row) {
                        gone += text;
                    } else if capped.contains(&text) {
                        stay.push((column(answer, "position")[row], text, facts.value(row).to_vec()));
                    }
                }
            }
            if stay.len() < 2 || self.searches > 1 && gone == 0 {
                return;
            }
            let asked = batch(vec![
                ("position", longs(stay.iter().map(|row| Some(row.0)))),
                (
                    "facts",
                    Arc::new(BinaryArray::from_iter_values(stay.iter().map(|row| &row.2))),
                ),
            ]);
            let placed = places(&[asked], &self.compiled).unwrap();
            let order: BTreeMap<i64, i64> = column(&placed, "position")
                .iter()
                .copied()
                .zip(column(&placed, "place").iter().copied())
                .collect();
            capped = self.search(&stay.iter().map(|row| (row.1 as usize, order[&row.0])).collect());
        }
    }

    /// The rows of decisions and pairs.
    pub(super) fn rows(&self) -> [Vec<String>; 2] {
        let (mut decisions, mut pairs) = (Vec::new(), Vec::new());
        for batch in self.decide(Ask::Rows) {
            let text = |name: &str, row: usize| {
                batch
                    .column_by_name(name)
                    .unwrap()
                    .as_string::<i32>()
                    .value(row)
                    .to_owned()
            };
            for row in 0..batch.num_rows() {
                if batch.column_by_name("position").unwrap().is_valid(row) {
                    let kept = batch.column_by_name("kept").unwrap().as_boolean().value(row);
                    let names = ["id", "cluster", "representative", "reason"].map(|name| text(name, row));
                    decisions.push(format!("{} {kept}", names.join(" ")));
                } else {
                    let real = |name: &str| {
                        batch
                            .column_by_name(name)
                            .unwrap()
                            .as_primitive::<Float64Type>()
                            .value(row)
                    };
                    let names = ["a", "b", "method"].map(|name| text(name, row));
                    pairs.push(format!(
                        "{} {} {}",
                        names.join(" "),
                        real("similarity"),
                        real("estimate")
                    ));
                }
            }
        }
        decisions.sort();
        pairs.sort();
        [decisions, pairs]
    }
}
