use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float64Array, Int32Array, LargeStringArray, RecordBatch, StringArray,
};
use dehusk_dedup::CompiledOptions;

use super::{extract, sign};
use crate::exec::cancel::Cancel;
use crate::kernel::{Extractor, Signer};
use crate::record::{Document, PageRecord, Rejection};
use crate::settings::Settings;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

fn documents(batch: &RecordBatch, columns: &str, threads: usize) -> Result<RecordBatch, String> {
    let extractor = Extractor::new(Settings::default().extraction());
    let fragile = |page: &PageRecord<'_>| -> Result<Document, Rejection> {
        let document = extractor.extract(page)?;
        assert!(!document.text.contains("boom"), "no boom please");
        Ok(document)
    };
    let columns = match columns {
        "" => crate::format::Columns::default(),
        columns => columns.parse().unwrap(),
    };
    extract(batch, &columns, threads, &Cancel::new(), 1 << 20, &fragile).map_err(|error| error.to_string())
}

fn text<'b>(batch: &'b RecordBatch, column: &str, row: usize) -> Option<&'b str> {
    let array = batch.column_by_name(column).unwrap().as_string::<i32>();
    array.is_valid(row).then(|| array.value(row))
}

#[test]
fn a_row_for_each_row_whatever_becomes_of_it() {
    let pages = ["<p>The first page", "<p>boom", "", "<p>The last page"];
    let html: LargeStringArray = pages
        .iter()
        .map(|page| Some(*page).filter(|p| !p.is_empty()))
        .collect();
    let input = batch(vec![
        ("body", Arc::new(html)),
        ("id", Arc::new(Int32Array::from(vec![7, 8, 9, 10]))),
        ("shelf", Arc::new(Float64Array::from(vec![0.5; 4]))),
    ]);
    for threads in [1, 3] {
        let got = documents(&input, "html=body", threads).unwrap();
        assert_eq!(got.num_rows(), 4);
        assert_eq!(
            (text(&got, "id", 0), text(&got, "text", 0)),
            (Some("7"), Some("The first page\n"))
        );
        assert_eq!(text(&got, "extra", 3), Some(r#"{"shelf":0.5}"#));
        let errors = got.column_by_name("error").unwrap().as_struct();
        let reasons = errors.column(0).as_string::<i32>();
        let wrong: Vec<_> = (0..4)
            .map(|row| errors.is_valid(row).then(|| reasons.value(row)))
            .collect();
        assert_eq!(wrong, [None, Some("panic"), Some("missing-content"), None]);
        assert_eq!((text(&got, "id", 1), text(&got, "text", 1)), (Some("8"), None));
    }
}

#[test]
fn bytes_are_decoded_by_what_is_known_of_them() {
    let koi8 = b"<p>\xF2\xC5\xCB\xC1 \xD0\xCF\xC4\xCE\xD1\xCC\xC1\xD3\xD8".as_slice();
    let input = batch(vec![
        ("html", Arc::new(BinaryArray::from(vec![koi8]))),
        ("charset", Arc::new(StringArray::from(vec!["koi8-r"]))),
    ]);
    let got = documents(&input, "", 1).unwrap();
    assert_eq!(text(&got, "text", 0), Some("Река поднялась\n"));
}

#[test]
fn missing_columns_are_named() {
    let input = batch(vec![("page", Arc::new(StringArray::from(vec!["<p>x"])))]);
    let error = documents(&input, "", 1).unwrap_err();
    assert!(
        error.contains("no column `html`") && error.contains("columns: page"),
        "{error}"
    );
    let error = documents(&input, "html=body", 1).unwrap_err();
    assert!(error.contains("no column `body`; columns: page"), "{error}");
    let numbers = batch(vec![("html", Arc::new(Int32Array::from(vec![1])))]);
    let error = documents(&numbers, "", 1).unwrap_err();
    assert!(
        error.contains("the column `html` is of the type Int32"),
        "{error}"
    );
}

#[test]
fn signatures_of_a_batch_are_those_of_its_texts() {
    let settings = Settings::default();
    let compiled = Arc::new(CompiledOptions::new(settings.duplicates().unwrap()).unwrap());
    let signer = || Signer::new(&settings, Arc::clone(&compiled)).unwrap();
    let long = "the river rose overnight and the old bridge was closed to carts so that the milkman had to walk to the mill";
    let input = batch(vec![
        (
            "text",
            Arc::new(StringArray::from(vec![Some(long), None, Some("short")])),
        ),
        ("url", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
    ]);
    let columns = crate::format::Columns::default();
    let got = sign(&input, &columns, 2, &Cancel::new(), &signer).unwrap();
    let expected = signer().sign(long);
    let keys = got.column_by_name("keys").unwrap().as_list::<i32>().value(0);
    let keys = keys
        .as_primitive::<arrow_array::types::Int64Type>()
        .values()
        .to_vec();
    let keys: Vec<u64> = keys.into_iter().map(i64::cast_unsigned).collect();
    assert_eq!(keys, expected.keys);
    let content = got.column_by_name("content").unwrap().as_fixed_size_binary();
    assert_eq!(content.value(0), expected.content.to_be_bytes());
    let kinds: Vec<_> = (0..3).map(|row| text(&got, "kind", row)).collect();
    assert_eq!(kinds, [Some("full"), None, Some("short")]);
    assert_eq!(
        (text(&got, "id", 1), text(&got, "error", 1)),
        (Some("b"), Some("missing-content"))
    );
}
