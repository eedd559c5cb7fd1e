use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMillisecondArray, UInt8Array,
};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::*;
use crate::read::chunk::{Captures, Digests};
use crate::record::Content;

fn write(dir: &Path, columns: Vec<(&str, ArrayRef)>, properties: WriterProperties) -> PathBuf {
    let path = dir.join("a.parquet");
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = fs::File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

fn source(path: &Path, columns: &str) -> Arc<Source> {
    Arc::new(Source {
        columns: columns.parse().unwrap_or_default(),
        ..Source::of_file(path.to_owned(), &Parquet)
    })
}

const BOUNDS: Bounds = Bounds {
    page_bytes: 1 << 20,
    ahead: false,
    unread: false,
    exact: false,
    captures: Captures {
        digests: Digests::Warn,
        texts: false,
    },
};

/// Formats pages as `offset id url content extra`, rejections as `offset !reason message`.
fn pages(path: &Path, columns: &str) -> Vec<String> {
    let mut chunks = Parquet.open(&source(path, columns), &BOUNDS);
    let mut told = Vec::new();
    while let Some(chunk) = chunks.next() {
        if let Body::Rejected(rejection) = &chunk.body {
            told.push(format!("!{} {}", rejection.reason.name(), rejection.message));
        }
        Parquet.pages(&chunk, &mut |place, found| {
            let offset = place.offset;
            assert_eq!(place.line, Some(offset + 1));
            told.push(match found {
                Found::Record(page) => {
                    let content = match &page.content {
                        Content::Text(text) => text.to_string(),
                        Content::Bytes(bytes) => format!("{bytes:?}"),
                        Content::File { name, .. } => format!("file {name}"),
                    };
                    let (id, url) = (page.id.unwrap_or_default(), page.url.unwrap_or_default());
                    let extra = serde_json::to_string(&page.extra).unwrap();
                    format!("{offset} {id} {url} {content} {extra}")
                }
                Found::Rejected(rejection) => {
                    format!("{offset} !{} {}", rejection.reason.name(), rejection.message)
                }
                Found::Skipped(why) => format!("{offset} -{why}"),
            });
        });
    }
    told
}

fn texts<const N: usize>(texts: [Option<&str>; N]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

#[test]
fn texts_are_read_in_every_form_that_columns_have() {
    let dir = tempfile::tempdir().unwrap();
    let html = ["<p>a", "<p>б"];
    let forms: [(&str, ArrayRef); 6] = [
        ("html", Arc::new(StringArray::from_iter_values(html))),
        ("html", Arc::new(LargeStringArray::from_iter_values(html))),
        ("html", Arc::new(StringViewArray::from_iter_values(html))),
        (
            "html",
            Arc::new(html.into_iter().collect::<DictionaryArray<Int32Type>>()),
        ),
        ("html", Arc::new(BinaryArray::from_iter_values(html))),
        ("html", Arc::new(LargeBinaryArray::from_iter_values(html))),
    ];
    for (name, column) in forms {
        let is_binary = column.data_type().is_binary();
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::LZ4_RAW,
        ] {
            let properties = WriterProperties::builder().set_compression(compression).build();
            let ids = texts([Some("x"), None]);
            let path = write(
                dir.path(),
                vec![("id", ids), (name, Arc::clone(&column))],
                properties,
            );
            let content = |html: &str| {
                if is_binary {
                    format!("{:?}", html.as_bytes())
                } else {
                    html.to_owned()
                }
            };
            let expected = [
                format!("0 x  {} {{}}", content(html[0])),
                format!("1   {} {{}}", content(html[1])),
            ];
            assert_eq!(pages(&path, ""), expected, "{:?}", column.data_type());
        }
    }
}

#[test]
fn other_columns_are_further_fields() {
    let mut list = ListBuilder::new(Int32Builder::new());
    list.append_value([Some(1), None]);
    list.append_value([]);
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    map.keys().append_value("k");
    map.values().append_value(7);
    map.append(true).unwrap();
    map.append(false).unwrap();
    let member = |name: &str, of| Arc::new(Field::new(name, of, true));
    let structs = StructArray::from(vec![
        (
            member("a", DataType::UInt8),
            Arc::new(UInt8Array::from(vec![Some(1), None])) as ArrayRef,
        ),
        (member("b", DataType::Utf8), texts([None, Some("\"\n")])),
    ]);
    let stamps = TimestampMillisecondArray::from(vec![Some(1_700_000_000_123), None]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("html", texts([Some("x"), Some("y")])),
        ("list", Arc::new(list.finish())),
        ("map", Arc::new(map.finish())),
        ("struct", Arc::new(structs)),
        ("zoned", Arc::new(stamps.clone().with_timezone("UTC"))),
        ("local", Arc::new(stamps)),
        (
            "day",
            Arc::new(Date32Array::from(vec![Some(19_000), Some(i32::MAX)])),
        ),
        ("float", Arc::new(Float32Array::from(vec![0.1, f32::NAN]))),
        ("real", Arc::new(Float64Array::from(vec![Some(2.0), None]))),
        (
            "money",
            Arc::new(
                Decimal128Array::from(vec![-1250, 3])
                    .with_precision_and_scale(9, 2)
                    .unwrap(),
            ),
        ),
        (
            "bytes",
            Arc::new(BinaryArray::from_iter_values([b"ok".as_slice(), b"\xff"])),
        ),
        ("n", Arc::new(Int64Array::from(vec![i64::MIN, i64::MAX]))),
    ];
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), columns, WriterProperties::default());
    let expected = [
        "0   x {\"list\":[1,null],\"map\":{\"k\":7},\"struct\":{\"a\":1},\"zoned\":\"2023-11-14T22:13:20.123Z\",\
         \"local\":\"2023-11-14T22:13:20.123\",\"day\":\"2022-01-08\",\"float\":0.1,\"real\":2.0,\"money\":-12.50,\
         \"bytes\":\"ok\",\"n\":-9223372036854775808}",
        "1   y {\"list\":[],\"struct\":{\"b\":\"\\\"\\n\"},\"money\":0.03,\"bytes\":\"/w==\",\
         \"n\":9223372036854775807}",
    ];
    assert_eq!(pages(&path, ""), expected);
}

#[test]
fn columns_have_other_names_if_told() {
    let dir = tempfile::tempdir().unwrap();
    let columns = vec![
        ("html", texts([Some("not this")])),
        ("content", texts([Some("<p>this")])),
        ("link", texts([Some("http://a.example/")])),
        ("n", Arc::new(Int64Array::from(vec![5])) as ArrayRef),
    ];
    let path = write(dir.path(), columns, WriterProperties::default());
    let told = pages(&path, "html=content,url=link,id=link");
    assert_eq!(told, ["0 http://a.example/ http://a.example/ <p>this {\"n\":5}"]);
    let check = |columns: &str, documents| {
        Parquet
            .check(Some(&path), documents, &columns.parse().unwrap_or_default())
            .map_err(|error| error.to_string())
    };
    assert_eq!(check("", false), Ok(()));
    assert_eq!(check("text=content", true), Ok(()));
    let error = check("", true).unwrap_err();
    assert!(
        error.ends_with("has no column `text`; its columns: html, content, link, n"),
        "{error}"
    );
    let error = check("html=body", false).unwrap_err();
    assert!(error.contains("has no column `body`; its columns: "), "{error}");
    assert!(Parquet.check(None, false, &Columns::default()).is_err());
}

/// Creates a file of `count` pages in row groups of 50.
fn many(dir: &Path, count: usize) -> PathBuf {
    let ids: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    let html = (0..count).map(|number| format!("<p>{}", number * 7919).repeat(number * 31 % 200));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(StringArray::from_iter_values(&ids))),
        ("html", Arc::new(StringArray::from_iter_values(html))),
    ];
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(50))
        .set_dictionary_enabled(false)
        .build();
    write(dir, columns, properties)
}

#[test]
fn rows_come_in_the_order_of_the_file_in_parts() {
    let dir = tempfile::tempdir().unwrap();
    let path = many(dir.path(), 330);
    let chunks = {
        let mut chunks = Parquet.open(&source(&path, ""), &BOUNDS);
        std::iter::from_fn(move || chunks.next()).count()
    };
    assert!(chunks > 7, "{chunks}");
    let told = pages(&path, "");
    assert_eq!(told.len(), 330);
    for (number, told) in told.iter().enumerate() {
        assert!(told.starts_with(&format!("{number} {number} ")), "{told}");
    }
}

#[test]
fn a_damaged_row_group_costs_itself_and_a_damaged_footer_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = many(dir.path(), 330);
    let whole = fs::read(&path).unwrap();
    // Damages the second row group. The footer at the end of the file stays intact.
    let metadata = parquet::file::metadata::ParquetMetaDataReader::new()
        .parse_and_finish(&bytes::Bytes::from(whole.clone()))
        .unwrap();
    let columns = metadata.row_group(1).columns();
    let (start, _) = columns[0].byte_range();
    let (last, length) = columns[1].byte_range();
    let mut broken = whole.clone();
    broken[start as usize..(last + length) as usize].fill(0xff);
    fs::write(&path, &broken).unwrap();
    let told = pages(&path, "");
    assert_eq!(told.len(), 330);
    for (number, told) in told.iter().enumerate() {
        let lost = (50..100).contains(&number);
        assert_eq!(
            told.starts_with(&format!("{number} !bad-archive row group 1: ")),
            lost,
            "{told}"
        );
    }
    for broken in [&whole[..whole.len() - 1], &whole[..100], b"PAR1", b""] {
        fs::write(&path, broken).unwrap();
        let told = pages(&path, "");
        assert!(
            told.len() == 1 && told[0].starts_with("!bad-archive no Parquet file: "),
            "{told:?}"
        );
    }
}

#[test]
fn changed_bytes_cost_no_more_than_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = many(dir.path(), 120);
    let whole = fs::read(&path).unwrap();
    let mut noise = 7_u64;
    for _ in 0..60 {
        let mut broken = whole.clone();
        for _ in 0..4 {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (noise >> 33) as usize % broken.len();
            broken[at] = (noise >> 20) as u8;
        }
        fs::write(&path, &broken).unwrap();
        let told = pages(&path, "");
        assert!(
            told.len() == 120 || told.len() == 1 || told.len() <= 130,
            "{}",
            told.len()
        );
    }
}
