use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use dehusk_extract::Options;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row as Record};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::columns::{Column, EXTRA, Type, columns};
use super::*;
use crate::exec::background::Background;
use crate::kernel::extract::Extractor;
use crate::record::{
    ClusterRow, ContainedRow, Content, Extra, ItemMatchRow, ItemRow, MatchRow, NormalizedRow, OccurrenceRow,
    PageRecord, PairRow, PassageRow, Reason, Rejected, RepeatedRow, Repetition, Sentence, SignatureRow,
    Warning,
};
use crate::write::row_format::{FileHeader, RowEncoder};

mod nulls;

/// The Parquet file of `lines`.
fn file_of(kind: RowKind, lines: &EncodedRows, threads: usize) -> Bytes {
    let header: FileHeader = [
        ("version".to_owned(), json!("9.1")),
        ("threshold".to_owned(), json!(0.5)),
    ]
    .into_iter()
    .collect();
    let background = Background::new(threads);
    let contents = Contents {
        kind,
        single: false,
        header: Some(&header),
        background: &background,
        carried: None,
        all_columns: true,
    };
    let (mut out, mut writer) = (Vec::new(), Parquet.writer(&contents));
    writer.begin(&mut out).unwrap();
    // The split into batches makes no difference.
    let half = lines.count() as usize / 2;
    for part in [0..half, half..lines.count() as usize] {
        writer.rows(&lines.part(part), &mut out).unwrap();
    }
    writer.end(&mut out).unwrap();
    out.into()
}

fn lines(rows: &[Value]) -> EncodedRows {
    let mut lines = EncodedRows::default();
    for row in rows {
        OfLines::Same.add(row.to_string().as_bytes(), &mut lines);
    }
    lines
}

/// The rows of a file as JSON, without null values.
fn read(file: &Bytes, columns: &[Column]) -> Vec<Value> {
    let reader = SerializedFileReader::new(file.clone()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| object(&row.unwrap(), columns)).collect()
}

fn object(row: &Record, columns: &[Column]) -> Value {
    let mut object = Map::new();
    for (column, (name, field)) in columns.iter().zip(row.get_column_iter()) {
        assert_eq!(column.name, name);
        let value = value(field, column.of);
        if !value.is_null() {
            object.insert(name.clone(), value);
        }
    }
    object.into()
}

fn value(field: &Field, of: Type) -> Value {
    match (field, of) {
        (Field::Null, _) => Value::Null,
        (Field::Str(text), Type::Json) => serde_json::from_str(text).unwrap(),
        (Field::Str(text), Type::Text) => json!(text),
        (Field::Bool(value), Type::Bool) => json!(value),
        (Field::Long(value), Type::Integer) => json!(value),
        (Field::Double(value), Type::Real) => json!(value),
        (Field::Date(days), Type::Date) => {
            let date = jiff::civil::date(1970, 1, 1) + jiff::Span::new().days(*days);
            json!(date.to_string())
        }
        (Field::Group(row), Type::Struct(members)) => object(row, members),
        (Field::ListInternal(list), Type::List(of)) => {
            list.elements().iter().map(|item| value(item, *of)).collect()
        }
        (Field::MapInternal(map), Type::Map(of)) => {
            let key = |key: &Field| match key {
                Field::Str(key) => key.clone(),
                other => panic!("{other:?}"),
            };
            let entries = map.entries().iter();
            entries
                .map(|(name, item)| (key(name), value(item, *of)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => panic!("{other:?}"),
    }
}

fn without_nulls(value: Value) -> Value {
    nulls::without_nulls(value, &Value::Number)
}

/// Collects the paths of all members of a type: `blocks.kind`.
fn members_of(of: Type, path: &str, to: &mut BTreeSet<String>) {
    match of {
        Type::List(of) => members_of(*of, path, to),
        Type::Struct(members) => {
            for member in members {
                let path = format!("{path}.{}", member.name);
                members_of(member.of, &path, to);
                to.insert(path);
            }
        }
        _ => {}
    }
}

/// Collects the paths of all members of a value.
fn members_in(of: Type, value: &Value, path: &str, to: &mut BTreeSet<String>) {
    match (of, value) {
        (Type::List(of), Value::Array(items)) => {
            items.iter().for_each(|item| members_in(*of, item, path, to));
        }
        (Type::Struct(members), Value::Object(values)) => {
            for (name, value) in values {
                let path = format!("{path}.{name}");
                if let Some(member) = members.iter().find(|member| member.name == name) {
                    members_in(member.of, value, &path, to);
                }
                to.insert(path);
            }
        }
        _ => {}
    }
}

const PAGE: &str = "<html lang=en><head><title>Rivers</title><meta name=author content=Ann>\
    <meta property=article:published_time content=2024-03-05><meta property=article:modified_time content=1969-12-31>\
    <meta property=og:image content=http://a.example/i.png><meta property=article:tag content=water>\
    <meta property=og:type content=article><script type=application/ld+json>{\"@type\":\"Person\",\"name\":\"Ann\"}</script><link rel=canonical href=http://a.example/r></head><body><article>\
    <h1>Rivers</h1><p>Rivers rose overnight and fell again in the morning, as they do in every spring of the year.</p>\
    <table><caption>Levels</caption><tr><th colspan=2 rowspan=2>River<td>Level<ul><li>high<li>low</ul></tr>\
    <tr><td>1</tr><tr><td>a<td>b<td>2</tr></table>\
    <p>The bridges were closed for the night, and the schools stayed closed on the day after it, too.</p></article>\
    <section id=comments class=comments><div class=comment itemscope itemtype=http://schema.org/Comment>\
    <span itemprop=author>Bob</span><time itemprop=dateCreated datetime=2024-03-06>March</time>\
    <div itemprop=text>I saw it from the bridge.</div>\
    <div class=comment itemscope itemtype=http://schema.org/Comment><span itemprop=author>Eve</span>\
    <div itemprop=text>So did I.</div></div></div></section></body></html>";

/// Calls `visit` with a row of each kind in which every field has a value.
fn full_rows(visit: &mut dyn FnMut(Row<'_>)) {
    let mut page = PageRecord::new(Content::Text(PAGE.into()));
    (page.id, page.url) = (Some("a".into()), Some("http://a.example/r?x=1".into()));
    page.popularity = Some(1e300);
    let extra = serde_json::value::to_raw_value(&json!({"deep": [1, "two", null]})).unwrap();
    page.extra = Extra(vec![("more".into(), std::borrow::Cow::Owned(extra))]);
    let options = Options::default().with_markdown(true).with_html(true);
    let options = options.with_content(true).with_tables(true);
    let options = options
        .with_comments(true)
        .with_blocks(true)
        .with_structured(true);
    let mut document = Extractor::new(options).with_timings(true).extract(&page).unwrap();
    document.url_source = Some(crate::record::UrlSource::Canonical);
    for comment in document.comments.iter_mut().flatten() {
        comment.first = comment.reply_to.is_none();
    }
    document.site_name = Some("Site".to_owned());
    document.source = Some("crawl/a.warc.gz".to_owned());
    (document.offset, document.plain_offset) = (Some(700), Some(9_000));
    document.description = Some("Описание".to_owned());
    document.categories = vec!["Rivers".to_owned()];
    document.publisher = Some("Publisher".to_owned());
    document.licence = Some("CC BY 4.0".to_owned());
    document.warnings.push(Warning {
        code: "depth-limit",
        message: "deep".to_owned(),
    });
    visit(Row::Document(&document));
    visit(Row::Normalized(&NormalizedRow {
        id: "a",
        text: Some("one two"),
        tokens: Some(vec!["one".into(), "two".into()]),
        offsets: Some(vec![(0, 3), (4, 7)]),
        sentences: Some(vec![Sentence {
            start: 0,
            end: 7,
            text: "one two",
        }]),
    }));
    visit(Row::Signature(&SignatureRow {
        id: "a",
        signature: "00ff",
    }));
    visit(Row::Pair(&PairRow {
        a: "a".into(),
        b: "b".into(),
        // Numbers that a careless parser gets wrong in the last place.
        similarity: 1.909_737_333_180_022_2e-144,
        estimate: Some(0.9),
        method: "containment".into(),
        contained: Some("b".into()),
        link: Some(4),
    }));
    visit(Row::Decision(&ClusterRow {
        id: "a".into(),
        cluster: "a".into(),
        representative: "b".into(),
        similarity: Some(0.875),
        cluster_size: 3,
        kept: false,
        reason: "near-duplicate".into(),
    }));
    visit(Row::Match(&MatchRow {
        a: "a",
        b: "b",
        similarity: 1.0,
        estimate: Some(0.5),
        shared_shingles: Some(17),
        method: "containment",
        contained: Some("a"),
    }));
    visit(Row::Passage(&PassageRow {
        known: Some(3),
        id: "00ff00ff00ff00ff",
        unit: "tokens",
        text: "all of it",
        tokens: 3,
        places: 7,
        documents: 4,
        hosts: 2,
        scope: "hosts",
        document: "a",
        start: 5,
        end: 14,
        within: Some("1111111111111111"),
    }));
    visit(Row::Occurrence(&OccurrenceRow {
        document: "a",
        start: 5,
        end: 14,
        passage: "00ff00ff00ff00ff",
    }));
    visit(Row::Contained(&ContainedRow {
        document: "a",
        within: "b",
        tokens: 95,
        share: 0.95,
    }));
    visit(Row::Repeated(&RepeatedRow {
        id: "a",
        chars: 90,
        repeated_share: 0.1,
        repetition: Repetition {
            duplicate_lines: 0.2,
            duplicate_10_grams: 0.3,
            ..Repetition::default()
        },
        repeated: &[(5, 14)],
        cut: &[(5, 14), (20, 30)],
        kept: true,
        reason: "cut",
    }));
    visit(Row::ItemMatch(&ItemMatchRow {
        document: "a",
        item: "q7",
        field: "question",
        start: 5,
        end: 14,
        tokens: 13,
        share: 0.65,
    }));
    visit(Row::Item(&ItemRow {
        id: "q7",
        field: "question",
        tokens: 20,
        documents: 2,
        searched: true,
    }));
    visit(Row::Rejected(&Rejected {
        input: "-".to_owned(),
        offset: 1 << 40,
        plain_offset: Some(1 << 41),
        record: Some("<urn:x:1>".to_owned()),
        id: "line 1".to_owned(),
        url: Some("http://a.example/".to_owned()),
        reason: Reason::BadJson,
        message: "no JSON".to_owned(),
    }));
}

#[test]
fn columns_are_the_fields_of_json_rows_and_hold_what_they_hold() {
    let mut kinds = Vec::new();
    full_rows(&mut |row| {
        let kind = row.kind();
        let columns = columns(kind);
        let json = serde_json::to_value(row).unwrap();
        let (mut ours, mut theirs) = (BTreeSet::new(), BTreeSet::new());
        for column in columns {
            ours.insert(column.name.to_owned());
            members_of(column.of, column.name, &mut ours);
            members_in(column.of, &json[column.name], column.name, &mut theirs);
        }
        theirs.extend(json.as_object().unwrap().keys().cloned());
        if kind == RowKind::Document {
            // The counts of represented documents, and what is repeated of a document, are added to a line later.
            let later = [
                "cluster_size",
                "copies",
                "repeated_share",
                "repetition",
                "repeated",
                "cut",
            ];
            for column in columns.iter().filter(|column| later.contains(&column.name)) {
                theirs.insert(column.name.to_owned());
                members_of(column.of, column.name, &mut theirs);
            }
        }
        assert_eq!(ours, theirs, "{kind:?}");

        let rows = RowEncoder::one(row, &Parquet);
        assert_eq!(read(&file_of(kind, &rows, 1), columns), [without_nulls(json)]);
        kinds.push(kind);
    });
    assert_eq!(kinds.len(), Parquet.kinds().len());
    assert!(Parquet.kinds().iter().all(|kind| kinds.contains(kind)));
}

#[test]
fn what_has_no_column_goes_to_extra_and_nothing_is_lost() {
    let rows = [
        json!({"id": 7, "text": "t", "date": 2024, "title": null, "rank": [1, 2], "modified": "March 2024"}),
        json!({"id": "a", "text": "t", "extra": {"x": 1}, "tags": ["a", 2], "kept_chars": 3}),
        json!({"id": "b", "text": "\u{0}", "extra": "none", "warnings": [{"code": "c", "place": 1}], "more": {}}),
        json!({"id": "c", "modified": "2024-03-05T10:00:00", "comments": [{"date": "0001-01-01T10:00", "text": "x"}]}),
    ];
    let expected = [
        json!({"id": "7", "text": "t", "date": "2024", "modified": "March 2024", "extra": {"rank": [1, 2]}}),
        json!({"id": "a", "text": "t", "kept_chars": 3, "extra": {"x": 1, "tags": ["a", 2]}}),
        json!({"id": "b", "text": "\u{0}", "extra": {"extra": "none", "warnings": [{"code": "c", "place": 1}], "more": {}}}),
        json!({"id": "c", "modified": "2024-03-05T10:00:00", "extra": {"comments": [{"date": "0001-01-01T10:00", "text": "x"}]}}),
    ];
    let file = file_of(RowKind::Document, &lines(&rows), 1);
    assert_eq!(read(&file, columns(RowKind::Document)), expected);
    // Numbers that no column can hold. Lines are valid UTF-8 and JSON: lines of the user were repaired when they were read.
    let mut odd = EncodedRows::default();
    OfLines::Same.add(
        b"{\"id\":\"d\\ufffd\",\"text\":\"\\ufffd\",\"n\":\"\\u0000\",\"confidence\":1e999}",
        &mut odd,
    );
    let file = file_of(RowKind::Document, &odd, 1);
    let reader = SerializedFileReader::new(file).unwrap();
    let row = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
    let texts: BTreeMap<String, String> = row
        .get_column_iter()
        .filter(|(_, field)| !matches!(field, Field::Null))
        .map(|(name, field)| (name.clone(), field.to_string()))
        .collect();
    assert_eq!(texts["text"], "\"\u{fffd}\"");
    assert!(
        texts["id"].starts_with("\"d\u{fffd}")
            && texts["extra"].contains("\\u0000")
            && texts["extra"].contains("1e999"),
        "{texts:?}"
    );
    // A field of our own rows without a column is a defect and reported as an error.
    let mut writer = Parquet.writer(&Contents {
        kind: RowKind::Pair,
        single: false,
        header: None,
        background: &Background::new(1),
        carried: None,
        all_columns: true,
    });
    let mut out = Vec::new();
    writer.begin(&mut out).unwrap();
    writer
        .rows(&lines(&[json!({"a": "x", "weight": 1})]), &mut out)
        .unwrap();
    let told = writer.end(&mut out).unwrap_err().to_string();
    assert!(
        told.contains("a row has a field `weight`, which has no column"),
        "{told}"
    );
}

#[test]
fn row_groups_are_cut_by_bytes_and_threads_change_nothing() {
    let text = "a long text ".repeat(ROW_GROUP / 2 / 12);
    let rows: Vec<Value> = (0..5)
        .map(|n| json!({"id": n.to_string(), "text": &text}))
        .collect();
    let rows = lines(&rows);
    let file = file_of(RowKind::Document, &rows, 1);
    assert!(file == file_of(RowKind::Document, &rows, 4));
    let reader = SerializedFileReader::new(file).unwrap();
    let groups = reader.metadata().row_groups();
    assert_eq!(
        groups.iter().map(|group| group.num_rows()).collect::<Vec<_>>(),
        [2, 2, 1]
    );
    for column in groups.iter().flat_map(|group| group.columns()) {
        assert!(column.column_index_offset().is_some() && column.offset_index_offset().is_some());
        assert!(matches!(column.compression(), Compression::ZSTD(_)));
        assert!(column.statistics().is_some());
    }
    let told = reader.metadata().file_metadata();
    assert!(told.created_by().unwrap().starts_with("dehusk version "));
    let told = told.key_value_metadata().unwrap().iter();
    let told: Vec<_> = told
        .map(|told| (told.key.as_str(), told.value.as_deref()))
        .collect();
    assert_eq!(
        told,
        [("dehusk.threshold", Some("0.5")), ("dehusk.version", Some("9.1"))]
    );
}

#[test]
fn a_file_without_rows_has_its_columns() {
    let file = file_of(RowKind::Pair, &EncodedRows::default(), 1);
    let reader = SerializedFileReader::new(file.clone()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    assert_eq!(schema.num_columns(), columns(RowKind::Pair).len());
    assert!(read(&file, columns(RowKind::Pair)).is_empty());
}

/// Values of every type, valid and invalid.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<u64>().prop_map(|value| json!(value)),
        any::<i32>().prop_map(|value| json!(f64::from(value) / 8.0)),
        "[a-zé\u{0}\"]{0,5}".prop_map(|value| json!(value)),
        "[0-9]{4}-[01][0-9]-[0-3][0-9]".prop_map(|value| json!(value)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let name =
            prop::sample::select(&["text", "rows", "cells", "date", "code", "kept", "scores", "x"][..]);
        let members = prop::collection::vec((name, inner.clone()), 0..4);
        let object = |members: Vec<(&str, Value)>| -> Value {
            let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
            members.collect::<Map<_, _>>().into()
        };
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(object),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_document_keeps_every_value(
        rows in prop::collection::vec(prop::collection::btree_map(0..40_usize, any_value(), 0..8), 1..4),
    ) {
        let columns = columns(RowKind::Document);
        let name = |place: usize| columns.get(place).map_or("unknown", |column| column.name).to_owned();
        let rows: Vec<Map<String, Value>> = rows
            .into_iter()
            .map(|row| row.into_iter().map(|(place, value)| (name(place), value)).collect())
            .collect();
        let values: Vec<Value> = rows.iter().cloned().map(Value::from).collect();
        let found = read(&file_of(RowKind::Document, &lines(&values), 1), columns);
        for (row, found) in rows.iter().zip(&found) {
            for (name, value) in row.iter().filter(|(name, value)| *name != EXTRA && !value.is_null()) {
                let in_column = without_nulls(found[name].clone());
                let same = in_column == without_nulls(value.clone())
                    || in_column == json!(value.to_string())
                    || value.as_f64().is_some_and(|value| found[name].as_f64() == Some(value));
                prop_assert!(same || found[EXTRA][name] == *value, "{name}: {value} in {found}");
            }
        }
    }
}
