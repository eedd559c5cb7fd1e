//! Pages that an index of archives lists: chosen by conditions, one of each address, fetched from where they lie.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::sources::response;
use crate::support::{dehusk, folder, json, rows, text};
use crate::warc::gzip;

/// A capture: archive, offset, length, address and time.
struct Row {
    file: &'static str,
    offset: usize,
    length: usize,
    number: u64,
    time: String,
}

/// Writes two archives of five pages each, and returns where they lie. Pages 3 and 4 of the first are 0 and 1 of the second, captured later.
fn archives(dir: &Path) -> Vec<Row> {
    let mut found = Vec::new();
    for (file, numbers, year) in [("in/b.warc.gz", 0..5, 2023), ("in/a.warc.gz", 3..8, 2024)] {
        let mut archive = Vec::new();
        for number in numbers {
            let member = gzip(&response(number));
            found.push(Row {
                file,
                offset: archive.len(),
                length: member.len(),
                number,
                time: format!("{year}050102030{number}"),
            });
            archive.extend(member);
        }
        let path = dir.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, archive).expect("a file");
    }
    found
}

fn cdxj(row: &Row) -> String {
    let object = json!({
        "url": format!("http://a.example/{}", row.number), "mime": "text/html", "status": "200",
        "length": row.length.to_string(), "offset": row.offset.to_string(), "filename": row.file,
        "languages": if row.number.is_multiple_of(2) { "rus" } else { "eng" },
    });
    format!("example,a)/{} {} {object}\n", row.number, row.time)
}

fn csv(rows: &[Row]) -> String {
    let mut table =
        "url,warc_filename,warc_record_offset,warc_record_length,fetch_time,fetch_status\n".to_owned();
    for row in rows {
        let Row {
            file,
            offset,
            length,
            number,
            time,
        } = row;
        writeln!(
            table,
            "http://a.example/{number},\"{file}\",{offset},{length},{time},200"
        )
        .expect("a string");
    }
    table
}

/// Addresses, sources and offsets of documents.
fn places(documents: &[Value]) -> Vec<(String, String, u64)> {
    let place = |row: &Value| {
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        (
            text("url"),
            text("source"),
            row["offset"].as_u64().expect("an offset"),
        )
    };
    documents.iter().map(place).collect()
}

#[test]
fn every_kind_of_index_gives_the_newest_page_of_each_address() {
    let dir = folder(&[]);
    let at = |name: &str| dir.path().join(name);
    let found = archives(dir.path());
    let lines: String = found.iter().map(cdxj).collect();
    fs::write(at("index.cdxj"), &lines).expect("a file");
    fs::write(at("packed.cdxj.gz"), gzip(lines.as_bytes())).expect("a file");
    fs::write(at("table.csv"), csv(&found)).expect("a file");
    let objects: String = lines
        .lines()
        .map(|line| line[line.find('{').expect("an object")..].to_owned() + "\n")
        .collect();
    fs::write(at("objects.jsonl"), &objects).expect("a file");
    // Blocks of three lines.
    fs::create_dir(at("zipnum")).expect("a folder");
    let (mut shard, mut list) = (Vec::new(), String::new());
    let mut sorted: Vec<&str> = lines.lines().collect();
    sorted.sort_unstable();
    for block in sorted.chunks(3) {
        let member = gzip((block.join("\n") + "\n").as_bytes());
        let head: Vec<&str> = block[0].splitn(3, ' ').take(2).collect();
        writeln!(
            list,
            "{}\tcdx-00000.gz\t{}\t{}\t1",
            head.join(" "),
            shard.len(),
            member.len()
        )
        .expect("a string");
        shard.extend(member);
    }
    fs::write(at("zipnum/cdx-00000.gz"), shard).expect("a file");
    fs::write(at("zipnum/cluster.idx"), list).expect("a file");

    let base = text(dir.path());
    let mut expected = Vec::new();
    for (index, more) in [
        ("index.cdxj", &[][..]),
        ("packed.cdxj.gz", &[]),
        ("table.csv", &[]),
        ("zipnum", &["--base", &base]),
        ("zipnum/cluster.idx", &["--base", &base]),
    ] {
        let out = at("out.jsonl");
        let (index_path, out_name) = (text(&at(index)), text(&out));
        let ran = dehusk([&["extract", "--index", &index_path, "--out", &out_name], more].concat()).exits(0);
        ran.says(&["10", "2 of the address of a newer one", "8 of 2 archives"]);
        let documents = rows(&out);
        assert_eq!(documents.len(), 8, "{index}");
        let places = places(&documents);
        assert!(places.iter().all(|(_, source, _)| source.ends_with(".warc.gz")));
        // Archives come by name, and of two captures the newer one stays.
        let newer = places
            .iter()
            .filter(|(_, source, _)| source.ends_with("a.warc.gz"))
            .count();
        assert!(
            newer == 5 && places[0].1.ends_with("a.warc.gz"),
            "{index}: {places:?}"
        );
        if expected.is_empty() {
            expected = places;
        } else {
            assert_eq!(places, expected, "{index}");
        }
    }
    // JSON Lines without times: the last place of an address stays.
    let index_path = text(&at("objects.jsonl"));
    let ran = dehusk(["extract", "--index", &index_path]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 8);
    // The record at a place is the one that reading the whole archive gives.
    let whole = dehusk(["extract", &text(&at("in/a.warc.gz"))]).exits(0);
    let texts = |lines: &str| -> Vec<Value> {
        let row = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        lines.lines().map(|line| row(line)["text"].clone()).collect()
    };
    let of_index = dehusk([
        "extract",
        "--index",
        &text(&at("index.cdxj")),
        "--where",
        "timestamp >= '2024'",
    ])
    .exits(0);
    assert_eq!(texts(&of_index.stdout), texts(&whole.stdout));
}

#[test]
fn conditions_choose_rows_before_anything_is_read() {
    let dir = folder(&[]);
    let found = archives(dir.path());
    let lines: String = found.iter().map(cdxj).collect();
    let index = dir.path().join("index.cdxj");
    fs::write(&index, lines).expect("a file");
    let (index, run) = (text(&index), |arguments: &[&str]| dehusk(arguments));
    for (condition, count) in [
        ("languages = 'rus' and status = 200 and url like '%.example/%'", 4),
        ("content_languages = 'rus'", 4),
        ("url in ('http://a.example/1', 'http://a.example/7')", 2),
        ("not (status = 200)", 0),
        ("timestamp < '2024-01-01'", 5),
        ("urlkey = 'example,a)/2' or mime is null", 1),
    ] {
        let ran = run(&["extract", "--index", &index, "--where", condition]);
        assert_eq!(ran.stdout.lines().count(), count, "{condition}: {}", ran.stderr);
    }
    for (condition, told) in [
        (
            "langs = 'rus'",
            "no row of the index has a column `langs`; its columns are urlkey, timestamp, ",
        ),
        ("status = ", "character 10"),
        ("status = 200 or", "a column is expected"),
    ] {
        run(&["extract", "--index", &index, "--where", condition])
            .exits(2)
            .says(&[told, "where"]);
    }
    run(&["extract", &index, "--where", "status = 200"])
        .exits(2)
        .says(&["--index"]);
    run(&["extract", "--index", "-"])
        .exits(2)
        .says(&["standard input"]);
    run(&["extract", "--index", &text(dir.path())]).exits(0);
    run(&["extract", "--index", &text(&dir.path().join("in"))])
        .exits(2)
        .says(&["holds no index"]);
    run(&["extract", "--index", &text(&dir.path().join("in/a.warc.gz"))])
        .exits(2)
        .says(&["no index of captures"]);
    run(&["extract", &index, "--base", "s3://bucket/"])
        .exits(2)
        .says(&["base", "the address of a folder"]);
}

#[test]
fn rows_that_cannot_be_fetched_are_rejected_and_counted() {
    let dir = folder(&[("index.csv", "")]);
    archives(dir.path());
    let index = dir.path().join("index.csv");
    let length = fs::metadata(dir.path().join("in/a.warc.gz"))
        .expect("a file")
        .len();
    let table = format!(
        "filename,offset,length,url,status,mime\n\
         in/a.warc.gz,0,{length},http://a.example/long,200,text/html\n\
         in/a.warc.gz,3,100,http://a.example/within,200,text/html\n\
         in/a.warc.gz,{length},100,http://a.example/after,200,text/html\n\
         in/none.warc.gz,0,100,http://a.example/none,200,text/html\n\
         ../secret.warc.gz,0,100,http://a.example/up,200,text/html\n\
         /etc/passwd,0,100,http://a.example/root,200,text/html\n\
         in/a.warc.gz,x,100,http://a.example/offset,200,text/html\n\
         in/a.warc.gz,0,,http://a.example/length,200,text/html\n\
         ,0,100,http://a.example/file,200,text/html\n\
         \"in/a.warc.gz,0\n\
         in/a.warc.gz,0,100,http://a.example/moved,301,text/html\n\
         in/a.warc.gz,0,100,http://a.example/gone,404,text/html\n\
         in/a.warc.gz,0,100,http://a.example/i.png,200,image/png\n\
         in/a.warc.gz,0,100,http://a.example/again,-,warc/revisit\n\
         in/a.warc.gz,0,{length},http://a.example/repeated,200,text/html\n\
         in/a.warc.gz,18446744073709551000,100,http://a.example/far,200,text/html\n\
         in/a.warc.gz,18446744073709551200,100,http://a.example/further,200,text/html\n"
    );
    fs::write(&index, table).expect("a file");
    let out = dir.path().join("out");
    let ran = dehusk(["run", "--index", &text(&index), "--out", &text(&out)]).exits(3);
    ran.says(&["bad-index", "path-not-allowed", "unreadable", "truncated"]);
    let summary = json(&out.join("summary.json"));
    let counts = &summary["index"];
    assert_eq!(counts["rows"], 17, "{counts}");
    assert_eq!(
        counts["no_pages"],
        json!({"http-error": 1, "http-redirect": 1, "not-html": 1, "revisit": 1})
    );
    assert_eq!(
        (&counts["rejected"], &counts["repeated"]),
        (&json!(6), &json!(1)),
        "{counts}"
    );
    assert_eq!(counts["captures"], 6);
    let reasons = &summary["counts"]["dropped"];
    assert_eq!(
        (
            &reasons["bad-index"],
            &reasons["path-not-allowed"],
            &reasons["unreadable"],
            &reasons["truncated"]
        ),
        (&json!(4), &json!(2), &json!(3), &json!(1)),
        "{reasons}"
    );
    let quarantine = rows(&out.join("quarantine.jsonl"));
    let of_row = quarantine
        .iter()
        .find(|row| row["reason"] == "path-not-allowed")
        .expect("a row");
    assert!(
        of_row["message"]
            .as_str()
            .expect("a text")
            .starts_with("row 6 of the index: "),
        "{of_row}"
    );
    assert_eq!(rows(&out.join("documents.jsonl")).len(), 1);
}

#[test]
fn runs_over_an_index_do_not_depend_on_threads_and_are_resumed() {
    let dir = folder(&[]);
    let found = archives(dir.path());
    let index = dir.path().join("index.cdxj");
    fs::write(&index, found.iter().map(cdxj).collect::<String>()).expect("a file");
    let out = |name: &str| text(&dir.path().join(name));
    let index = text(&index);
    let run =
        |name: &str, more: &[&str]| dehusk([&["run", "--index", &index, "--out", &out(name)], more].concat());
    run("one", &["-j", "1"]).exits(0);
    run("three", &["-j", "3"]).exits(0);
    let files = |name: &str| crate::support::contents(&dir.path().join(name));
    assert!(files("one") == files("three"));
    assert_eq!(rows(&dir.path().join("one/documents.jsonl")).len(), 8);
    run("one", &["--resume"]).exits(0).says(&["nothing to do"]);
    run("one", &["--resume", "--where", "status = 200"])
        .exits(2)
        .says(&["begun with something else"]);
}

/// Writes an index with the columns and types of the columnar index of Common Crawl.
#[cfg(feature = "parquet")]
fn table(found: &[Row], to: &Path) {
    use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message index {
        REQUIRED BYTE_ARRAY url_surtkey (UTF8); REQUIRED BYTE_ARRAY url (UTF8); REQUIRED INT64 fetch_time (TIMESTAMP_MILLIS);
        REQUIRED INT32 fetch_status; REQUIRED BYTE_ARRAY warc_filename (UTF8); REQUIRED INT32 warc_record_offset;
        REQUIRED INT32 warc_record_length; }";
    let schema = std::sync::Arc::new(parse_message_type(schema).expect("a schema"));
    let file = fs::File::create(to).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, WriterProperties::builder().build().into())
        .expect("a writer");
    for rows in found.chunks(5) {
        let mut group = writer.next_row_group().expect("a group");
        let texts = |of: &dyn Fn(&Row) -> String| -> Vec<ByteArray> {
            rows.iter().map(|row| ByteArray::from(of(row).as_str())).collect()
        };
        let millis = |row: &Row| {
            if row.time.starts_with("2024") {
                1_714_528_980_000
            } else {
                1_682_906_580_000
            }
        };
        let mut column = 0;
        while let Some(mut to) = group.next_column().expect("a column") {
            match column {
                0 => drop(to.typed::<ByteArrayType>().write_batch(
                    &texts(&|row| format!("example,a)/{}", row.number)),
                    None,
                    None,
                )),
                1 => drop(to.typed::<ByteArrayType>().write_batch(
                    &texts(&|row| format!("http://a.example/{}", row.number)),
                    None,
                    None,
                )),
                2 => drop(to.typed::<Int64Type>().write_batch(
                    &rows.iter().map(millis).collect::<Vec<i64>>(),
                    None,
                    None,
                )),
                3 => drop(to.typed::<Int32Type>().write_batch(&[200; 5], None, None)),
                4 => drop(to.typed::<ByteArrayType>().write_batch(
                    &texts(&|row| row.file.to_owned()),
                    None,
                    None,
                )),
                5 => drop(to.typed::<Int32Type>().write_batch(
                    &rows.iter().map(|row| row.offset as i32).collect::<Vec<i32>>(),
                    None,
                    None,
                )),
                _ => drop(to.typed::<Int32Type>().write_batch(
                    &rows.iter().map(|row| row.length as i32).collect::<Vec<i32>>(),
                    None,
                    None,
                )),
            }
            to.close().expect("a column");
            column += 1;
        }
        group.close().expect("a group");
    }
    writer.close().expect("a file");
}

#[cfg(feature = "parquet")]
#[test]
fn columns_of_parquet_are_an_index() {
    let dir = folder(&[]);
    let found = archives(dir.path());
    let at = |name: &str| text(&dir.path().join(name));
    table(&found, &dir.path().join("index.parquet"));
    let ran = dehusk([
        "extract",
        "--index",
        &at("index.parquet"),
        "--where",
        "url_surtkey like 'example,a)/%' and fetch_time >= '2024-05'",
    ])
    .exits(0);
    assert_eq!(ran.stdout.lines().count(), 5, "{}", ran.stderr);
    let none = dehusk([
        "extract",
        "--index",
        &at("index.parquet"),
        "--where",
        "url_surtkey = 'com,b)/'",
    ]);
    none.says(&["rows of the index:    0"]);
    dehusk([
        "extract",
        "--index",
        &at("index.parquet"),
        "--where",
        "langs = 'x'",
    ])
    .exits(2)
    .says(&["`langs`", "url_surtkey"]);
}
