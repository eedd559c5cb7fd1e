//! Passages of documents for engines that join: the units of texts, and texts without those that are cut.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::Array as _;
use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};

use super::table::{self, Read};
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::kernel::host::host_of;
use crate::kernel::units::hash_of;
use crate::record::{Row, RowKind};
use crate::search::passages::{MAX_CHARS, Making, PlaceInText, Treatment};
use crate::write::format::parquet::column_values::ColumnValues;
use crate::write::format::parquet::columns::schema_of;
use crate::write::format::{Jsonl, RowFormat};

/// The search for passages in steps, for an engine that joins equal keys: lines, sentences and paragraphs
/// by their [units](Self::units); runs of tokens by [samples](Self::samples) and the steps that follow
/// them.
pub struct PassageSearch {
    making: Making,
}

/// Passages of a text: its places, and the hash of each passage that occurs there first.
type Places = Vec<(PlaceInText, Option<Vec<u8>>)>;

impl PassageSearch {
    /// Creates the search with these options.
    #[must_use]
    pub fn new(making: Making) -> Self {
        PassageSearch { making }
    }

    /// Returns the options.
    #[must_use]
    pub fn making(&self) -> &Making {
        &self.making
    }

    /// Cuts documents into units. Reads the columns `position`, `url` and `text`; rows without a text have no units.
    ///
    /// Returns a row for each document and each of its distinct units: the `position` of the document;
    /// `host`, null if unknown; `units`, the number of all units of the document; `unit`, a hash of 16
    /// bytes, equal for equal units; and `starts` and `ends`, the bytes of its places in the text. Each
    /// document has a further row, with null as `unit`. If its text cannot be cut, `error` says there why.
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn units(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, urls, texts) = (read.longs("position")?, read.texts("url")?, read.texts("text")?);
        let mut cutter = self.making.cutter();
        let mut out = Units::default();
        for row in 0..batch.num_rows() {
            let Some(text) = texts.value(row) else {
                continue;
            };
            let position = positions.value(row);
            let pieces = match catch_panic(|| cutter.pieces(text)) {
                Ok(pieces) => pieces,
                Err(panic) => {
                    // A panic may leave the cutter half changed.
                    cutter = self.making.cutter();
                    out.add_document(position, None, Some(&panic));
                    continue;
                }
            };
            let host = urls.value(row).and_then(host_of);
            out.add_document(position, host.as_deref(), None);
            // Sorted by hash, so that rows come in a fixed order.
            let mut places: BTreeMap<u128, Vec<&Range<usize>>> = BTreeMap::new();
            for piece in &pieces {
                let hash = hash_of(std::slice::from_ref(piece));
                places.entry(hash).or_default().push(&piece.range);
            }
            for (hash, ranges) in places {
                out.add((position, host.as_deref(), pieces.len()), hash, &ranges);
            }
        }
        out.finish()
    }

    /// Treats documents with their passages. Reads the columns `id` and `text`; and the lists `starts`,
    /// `ends`, `firsts` and `host_shares`, with an entry for each place of a passage in the text,
    /// ascending: its range in bytes; the hash of the passage if it occurs here first; and the share of the
    /// documents of its host that have it, or 0 unless it occurs on one host only.
    ///
    /// Returns a row for each document with the columns of rows of documents; `rest`, the text without its
    /// cuts, null if nothing was cut; and `passages` and `passage_texts`, the hashes and the beginnings of
    /// the passages that occur here first.
    ///
    /// # Errors
    /// If a column is missing or has another type, or a list has another length than `starts`.
    pub fn treated(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (ids, texts) = (read.texts("id")?, read.texts("text")?);
        let cutter = self.making.cutter();
        let mut rows = ColumnValues::of_kind(RowKind::Repeated);
        let mut rests = StringBuilder::new();
        let mut passages = ListBuilder::new(BinaryBuilder::new());
        let mut passage_texts = ListBuilder::new(StringBuilder::new());
        let mut line = Vec::new();
        for row in 0..batch.num_rows() {
            let (id, text) = (
                ids.value(row).unwrap_or_default(),
                texts.value(row).unwrap_or_default(),
            );
            let places = places(read, row)?;
            for (place, hash) in &places {
                // Only the document of the first occurrence has the text of the passage.
                if let Some(hash) = hash {
                    let text = text.get(place.range.clone()).unwrap_or_default();
                    passages.values().append_value(hash);
                    passage_texts
                        .values()
                        .append_value(text.chars().take(MAX_CHARS).collect::<String>());
                }
            }
            // Closes the lists of this row.
            passages.append(true);
            passage_texts.append(true);
            let places = places.into_iter().map(|(place, _)| place);
            let treatment = Treatment::of(&self.making, &cutter, text, places);
            line.clear();
            Jsonl.encode(Row::Repeated(&treatment.row(id)), &mut line);
            rows.add(&line).map_err(Error::failed)?;
            rests.append_option(treatment.rest);
        }
        let mut arrays = rows.finish().map_err(|error| table::unfit(&error))?;
        let more: [(&str, ArrayRef); 3] = [
            ("rest", Arc::new(rests.finish())),
            ("passages", Arc::new(passages.finish())),
            ("passage_texts", Arc::new(passage_texts.finish())),
        ];
        let mut fields = schema_of(RowKind::Repeated).fields().to_vec();
        for (name, array) in more {
            fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
            arrays.push(array);
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(|error| table::unfit(&error))
    }
}

/// Returns the places in the lists of a row. Empty if these are null.
fn places(read: Read<'_>, row: usize) -> Result<Places, Error> {
    let (starts, ends) = (read.list("starts", row)?, read.list("ends", row)?);
    let (firsts, shares) = (read.list("firsts", row)?, read.list("host_shares", row)?);
    let (Some(starts), Some(ends), Some(firsts), Some(shares)) = (starts, ends, firsts, shares) else {
        return Ok(Vec::new());
    };
    let wrong = || Error::usage("the lists of places do not fit together").with_option("column");
    let starts = starts.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
    let ends = ends.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
    let firsts = table::Bytes::of(&firsts).ok_or_else(wrong)?;
    let shares = shares.as_primitive_opt::<Float64Type>().ok_or_else(wrong)?;
    if [ends.len(), firsts.len(), shares.len()]
        .iter()
        .any(|other| *other != starts.len())
    {
        return Err(wrong());
    }
    let place = |at: usize| {
        // Negative numbers, which no step returns, become an empty place.
        let bytes = |byte: i64| usize::try_from(byte).unwrap_or(0);
        let first = firsts.value(at).map(<[u8]>::to_vec);
        let place = PlaceInText {
            range: bytes(starts.value(at))..bytes(ends.value(at)),
            is_first: first.is_some(),
            // Sites are counted for a report, which a join of rows does not make.
            is_of_site: false,
            host_share: shares.value(at),
        };
        (place, first)
    };
    Ok((0..starts.len()).map(place).collect())
}

/// Units gathered into a batch.
#[derive(Default)]
struct Units {
    positions: Int64Builder,
    hosts: StringBuilder,
    counts: Int64Builder,
    units: BinaryBuilder,
    starts: ListBuilder<Int64Builder>,
    ends: ListBuilder<Int64Builder>,
    errors: StringBuilder,
}

impl Units {
    /// Adds a unit of a document with its places.
    fn add(
        &mut self,
        (position, host, count): (i64, Option<&str>, usize),
        hash: u128,
        ranges: &[&Range<usize>],
    ) {
        self.positions.append_value(position);
        self.hosts.append_option(host);
        self.counts.append_value(count as i64);
        self.units.append_value(hash.to_be_bytes());
        self.starts
            .append_value(ranges.iter().map(|range| Some(range.start as i64)));
        self.ends
            .append_value(ranges.iter().map(|range| Some(range.end as i64)));
        self.errors.append_null();
    }

    /// Adds the row of a document.
    fn add_document(&mut self, position: i64, host: Option<&str>, error: Option<&str>) {
        self.positions.append_value(position);
        self.hosts.append_option(host);
        self.counts.append_null();
        self.units.append_null();
        self.starts.append_null();
        self.ends.append_null();
        self.errors.append_option(error);
    }

    fn finish(mut self) -> Result<RecordBatch, Error> {
        let longs = DataType::new_list(DataType::Int64, true);
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("position", DataType::Int64, Arc::new(self.positions.finish())),
            ("host", DataType::Utf8, Arc::new(self.hosts.finish())),
            ("units", DataType::Int64, Arc::new(self.counts.finish())),
            ("unit", DataType::Binary, Arc::new(self.units.finish())),
            ("starts", longs.clone(), Arc::new(self.starts.finish())),
            ("ends", longs, Arc::new(self.ends.finish())),
            ("error", DataType::Utf8, Arc::new(self.errors.finish())),
        ];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::builder::Float64Builder;
    use arrow_array::{Int64Array, StringArray};
    use dehusk_normalize::Profile;

    use super::*;
    use crate::settings::{PassageUnit, Settings};

    fn search(repeat: &str) -> PassageSearch {
        let settings = Settings {
            repeat: repeat.parse().ok(),
            ..Settings::default()
        };
        let making = Making::of(&settings, PassageUnit::Line, Profile::near()).unwrap();
        PassageSearch::new(making)
    }

    #[test]
    fn equal_lines_of_two_documents_have_one_unit() {
        let texts = ["Wool is dear.\nCome in!\nwool IS dear", "come in"];
        let urls = [Some("https://A.example/1"), None];
        let batch = table::batch(vec![
            (
                "position",
                DataType::Int64,
                Arc::new(Int64Array::from(vec![7, 9])) as ArrayRef,
            ),
            ("url", DataType::Utf8, Arc::new(StringArray::from(urls.to_vec()))),
            (
                "text",
                DataType::Utf8,
                Arc::new(StringArray::from(texts.to_vec())),
            ),
        ])
        .unwrap();
        let units = search("keep").units(&batch).unwrap();
        let read = Read(&units);
        let hashes = read.bytes("unit").unwrap();
        let of_units = (0..units.num_rows()).filter(|row| hashes.value(*row).is_some());
        let rows: Vec<_> = of_units
            .map(|row| {
                let starts = read.list("starts", row).unwrap().unwrap();
                let starts = starts.as_primitive::<Int64Type>().values().to_vec();
                (
                    read.longs("position").unwrap().value(row),
                    hashes.value(row).unwrap(),
                    starts,
                )
            })
            .collect();
        assert_eq!(rows.len(), 3, "each unit of a document has a row");
        let of = |starts: &[i64], position| {
            rows.iter()
                .find(|row| row.0 == position && row.2 == starts)
                .unwrap()
        };
        assert_eq!(of(&[14], 7).1, of(&[0], 9).1);
        assert_ne!(of(&[0, 23], 7).1, of(&[14], 7).1);
        let hosts = read.texts("host").unwrap();
        assert_eq!(
            (hosts.value(0), hosts.value(1), hosts.value(3)),
            (Some("a.example"), Some("a.example"), None)
        );
        assert_eq!((units.num_rows(), read.longs("units").unwrap().value(1)), (5, 3));
    }

    #[test]
    fn texts_lose_their_later_places_and_name_their_first_ones() {
        let text = "Come in!\nWool is dear.\nCome in!";
        let list = |values: &[i64]| {
            let mut list = ListBuilder::new(Int64Builder::new());
            list.append_value(values.iter().copied().map(Some));
            Arc::new(list.finish()) as ArrayRef
        };
        let mut firsts = ListBuilder::new(BinaryBuilder::new());
        firsts.values().append_value([1; 16]);
        firsts.values().append_null();
        firsts.append(true);
        let mut shares = ListBuilder::new(Float64Builder::new());
        shares.append_value([Some(0.0), Some(0.0)]);
        let longs = DataType::new_list(DataType::Int64, true);
        let columns = |starts: ArrayRef| {
            table::batch(vec![
                (
                    "id",
                    DataType::Utf8,
                    Arc::new(StringArray::from(vec!["a"])) as ArrayRef,
                ),
                ("text", DataType::Utf8, Arc::new(StringArray::from(vec![text]))),
                ("starts", longs.clone(), starts),
                ("ends", longs.clone(), list(&[8, 31])),
                (
                    "firsts",
                    DataType::new_list(DataType::Binary, true),
                    Arc::new(firsts.finish_cloned()),
                ),
                (
                    "host_shares",
                    DataType::new_list(DataType::Float64, true),
                    Arc::new(shares.finish_cloned()),
                ),
            ])
            .unwrap()
        };
        let treated = search("first").treated(&columns(list(&[0, 23]))).unwrap();
        let read = Read(&treated);
        assert_eq!(
            read.texts("rest").unwrap().value(0),
            Some("Come in!\nWool is dear.")
        );
        assert_eq!(read.texts("reason").unwrap().value(0), Some("cut"));
        let first = read.list("passage_texts", 0).unwrap().unwrap();
        assert_eq!(
            first.as_string::<i32>().iter().collect::<Vec<_>>(),
            [Some("Come in!")]
        );
        let wrong = search("first").treated(&columns(list(&[0])));
        assert!(wrong.unwrap_err().to_string().contains("do not fit together"));
    }
}
