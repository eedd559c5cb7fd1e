//! Documents of the user's tables keep their columns with their types.

use std::fs::File;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Decimal128Array, DictionaryArray, Float64Array, Int64Array, RecordBatch,
    StringArray, TimestampMicrosecondArray,
};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{BrotliLevel, Compression};
use parquet::file::properties::WriterProperties;

use super::*;
use crate::write::format::Parquet;

fn prose(seed: usize) -> String {
    (0..60)
        .map(|n| format!("w{} ", (seed + 1) * 7919 % 97 * 1000 + n * (seed + 3)))
        .collect()
}

/// A table of four documents. The last is a copy of the first.
fn table(ids: ArrayRef) -> RecordBatch {
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("p"), None]);
    list.append_value([None::<&str>; 0]);
    list.append_null();
    list.append_value([Some("q")]);
    let mut map = MapBuilder::new(None, Int32Builder::new(), StringBuilder::new());
    for key in 0..4 {
        map.keys().append_value(key);
        map.values().append_option((key != 1).then_some("v"));
        map.append(key != 2).unwrap();
    }
    let texts: Vec<String> = [0, 1, 2, 0].into_iter().map(prose).collect();
    let stamps =
        TimestampMicrosecondArray::from(vec![Some(1_700_000_000_123_456), None, Some(i64::MAX), Some(0)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("labels", Arc::new(list.finish())),
        ("text", Arc::new(StringArray::from_iter_values(&texts))),
        ("id", ids),
        ("when", Arc::new(stamps.with_timezone("Europe/Berlin"))),
        (
            "score",
            Arc::new(Float64Array::from(vec![
                Some(0.5),
                Some(f64::NAN),
                None,
                Some(1.0),
            ])),
        ),
        (
            "price",
            Arc::new(
                Decimal128Array::from(vec![Some(-1250), None, Some(3), Some(0)])
                    .with_precision_and_scale(20, 2)
                    .unwrap(),
            ),
        ),
        (
            "raw",
            Arc::new(BinaryArray::from_iter_values([
                &b"text"[..],
                b"\xff\x00",
                b"",
                b"x",
            ])),
        ),
        (
            "kind",
            Arc::new(
                ["a", "b", "a", "b"]
                    .into_iter()
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
        ),
        ("by_number", Arc::new(map.finish())),
        (
            "extra",
            Arc::new(StringArray::from(vec![Some("mine"), None, Some("{}"), None])),
        ),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// The documents of a table that `dedup` keeps, and the outcome.
fn kept(batch: &RecordBatch, change: impl FnOnce(&mut Settings)) -> (RecordBatch, Outcome) {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in.parquet"), dir.path().join("out"));
    let compression = Compression::BROTLI(BrotliLevel::default());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer =
        ArrowWriter::try_new(File::create(&input).unwrap(), batch.schema(), Some(properties)).unwrap();
    // Two row groups.
    for part in [batch.slice(0, 2), batch.slice(2, batch.num_rows() - 2)] {
        writer.write(&part).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    let (inputs, cancel) = ([input.display().to_string()], Cancel::new());
    let mut settings = Settings::default();
    change(&mut settings);
    let formats = FolderFormats {
        format: &Parquet,
        tsv: false,
    };
    let outcome = dedup(&Job::new(&inputs, &settings, &cancel), &out, formats).unwrap();
    let file = File::open(out.join("kept.parquet")).unwrap();
    let mut reader = ParquetRecordBatchReaderBuilder::try_new(file)
        .unwrap()
        .build()
        .unwrap();
    (reader.next().unwrap().unwrap(), outcome)
}

fn names(batch: &RecordBatch) -> Vec<String> {
    batch
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect()
}

#[test]
fn columns_come_through_with_their_types_and_values() {
    let given = table(Arc::new(Int64Array::from(vec![7, -1, 9, 10])));
    let (found, _) = kept(&given, |_| ());
    let counts = ["cluster_size", "copies"].map(str::to_owned);
    assert_eq!(names(&found), [names(&given), counts.to_vec()].concat());
    assert_eq!(found.num_rows(), 3);
    for (column, (given, found)) in given.columns().iter().zip(found.columns()).enumerate() {
        assert_eq!(
            format!("{:?}", given.slice(0, 3)),
            format!("{found:?}"),
            "column {column}"
        );
    }
}

#[test]
fn ids_of_other_types_stay_and_ours_stand_beside_them() {
    let given = table(Arc::new(Int64Array::from(vec![Some(7), None, Some(7), Some(8)])));
    let (found, outcome) = kept(&given, |_| ());
    let ids = found.column_by_name("id").unwrap().as_primitive::<Int64Type>();
    assert_eq!(ids.iter().collect::<Vec<_>>(), [Some(7), None, Some(7)]);
    let ours = found.column_by_name("document_id").unwrap().as_string::<i32>();
    assert!(
        ours.is_null(0) && ours.value(1) == "2" && ours.value(2) != "7",
        "{ours:?}"
    );
    assert_eq!(outcome.summary.repeated_ids, 1);
    let texts = table(Arc::new(StringArray::from(vec!["a", "a", "b", "c"])));
    let (found, _) = kept(&texts, |_| ());
    assert_eq!(found.column_by_name("id").unwrap().data_type(), &DataType::Utf8);
    assert!(found.column_by_name("document_id").is_none());
}

#[test]
fn columns_of_ours_that_hold_nothing_are_there_if_asked_for() {
    let given = table(Arc::new(Int64Array::from(vec![7, -1, 9, 10])));
    let (found, _) = kept(&given, |settings| settings.all_columns = Some(true));
    for name in ["markdown", "document_id", "other_fields", "url"] {
        assert_eq!(found.column_by_name(name).unwrap().null_count(), 3, "{name}");
    }
    let ours = found.column_by_name("extra").unwrap();
    assert_eq!(ours.as_string::<i32>().value(0), "mine");
}
