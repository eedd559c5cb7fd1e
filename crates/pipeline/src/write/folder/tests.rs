use super::*;
use crate::error::ErrorKind;
use crate::write::file::PARTIAL;

fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn write(folder: &OutFolder, name: &str, content: &str) -> Finished {
    let mut file = folder.file(name).unwrap();
    file.write(content.as_bytes()).unwrap();
    file.finish().unwrap()
}

#[test]
fn files_appear_together() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a/b");
    let folder = OutFolder::open(&out, "run", &Cancel::new()).unwrap();
    let files = vec![
        write(&folder, SUMMARY, "{}"),
        write(&folder, "pairs.jsonl", "1\n"),
    ];
    let spool = write(&folder, "spool", "x\n");
    assert!(
        names(&out)
            .iter()
            .all(|name| name == MARKER || name.ends_with(PARTIAL)),
        "{:?}",
        names(&out)
    );
    folder.commit(files).unwrap();
    drop(spool);
    assert_eq!(names(&out), [MARKER, "pairs.jsonl", SUMMARY]);
}

#[test]
fn a_run_that_fails_leaves_nothing_and_the_next_may_begin() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let folder = OutFolder::open(&out, "run", &Cancel::new()).unwrap();
    drop((write(&folder, "pairs.jsonl", "1\n"), folder));
    assert_eq!(names(&out), [MARKER]);
    fs::write(out.join(".pairs.jsonl.Ab12Cd.dehusk-partial"), "left by a kill").unwrap();
    fs::write(out.join("notes.partial"), "of somebody else").unwrap();
    drop(OutFolder::open(&out, "run", &Cancel::new()).unwrap());
    assert_eq!(names(&out), [MARKER, "notes.partial"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_lock_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(dir.path().join("diary"), "dear diary").unwrap();
    std::os::unix::fs::symlink("../diary", out.join(MARKER)).unwrap();
    let error = OutFolder::open(&out, "run", &Cancel::new()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Output);
    assert_eq!(
        fs::read_to_string(dir.path().join("diary")).unwrap(),
        "dear diary"
    );
}

#[test]
fn folders_of_others_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.txt"), "").unwrap();
    let error = OutFolder::open(dir.path(), "run", &Cancel::new()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("it holds `thesis.txt`"), "{error}");
    assert_eq!(names(dir.path()), ["thesis.txt"]);
    let error = OutFolder::open(&dir.path().join("thesis.txt"), "run", &Cancel::new())
        .err()
        .unwrap();
    assert!(error.to_string().contains("is a file"), "{error}");
    let error = OutFolder::open(&dir.path().join("thesis.txt/x"), "run", &Cancel::new())
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::Output);
}

#[test]
fn a_summary_of_somebody_else_does_not_make_a_folder_ours() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(SUMMARY), r#"{"total": 5}"#).unwrap();
    assert!(OutFolder::open(dir.path(), "run", &Cancel::new()).is_err());
}

#[test]
fn the_second_writer_is_told_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let first = OutFolder::open(dir.path(), "run", &Cancel::new()).unwrap();
    let error = OutFolder::open(dir.path(), "dedup", &Cancel::new())
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::Output);
    let owner = format!("by `dehusk run`, process {}", std::process::id());
    assert!(error.to_string().contains(&owner), "{error}");
    drop(first);
    assert!(OutFolder::open(dir.path(), "run", &Cancel::new()).is_ok());
}

/// Commits files of these names, with a summary that lists them.
fn commit(out: &Path, files: &[&str]) {
    try_commit(out, files).unwrap();
}

fn try_commit(out: &Path, files: &[&str]) -> Result<(), Error> {
    let folder = OutFolder::open(out, "run", &Cancel::new()).unwrap();
    let mut written: Vec<Finished> = files.iter().map(|name| write(&folder, name, "1\n")).collect();
    let listed: serde_json::Map<_, _> = files
        .iter()
        .map(|name| ((*name).to_owned(), serde_json::json!({"rows": 1, "bytes": 2})))
        .collect();
    let summary = serde_json::json!({
        "tool": TOOL, "version": "1", "format_version": 1, "verb": "run", "files": listed,
    });
    written.push(write(&folder, SUMMARY, &summary.to_string()));
    folder.commit(written)
}

#[cfg(feature = "failing-disk")]
#[test]
fn a_run_that_fails_among_its_names_leaves_nothing_to_one_that_has_others() {
    use crate::exec::disk::faults::{Disk, Fault};

    for operation in ["rename", "remove", "sync-folder"] {
        for number in 1..=5 {
            let dir = tempfile::tempdir().unwrap();
            let out = dir.path().join("out");
            commit(&out, &["pairs.jsonl", "pairs.tsv"]);
            let disk = Disk::below(&out, Fault::parse(&format!("{operation}:{number}:broken")));
            let failed = try_commit(&out, &["kept.parquet", "pairs.parquet"]);
            let struck = disk.struck().is_some();
            drop(disk);
            assert_eq!(failed.is_err(), struck, "{operation} {number}");
            commit(&out, &["pairs.csv"]);
            assert_eq!(
                names(&out),
                [MARKER, "pairs.csv", SUMMARY],
                "{operation} {number}"
            );
        }
    }
}

#[test]
fn files_of_an_earlier_run_go_and_foreign_ones_stay() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    commit(&out, &["pairs.jsonl", "pairs.tsv"]);
    fs::write(out.join("notes.txt"), "of somebody else").unwrap();
    commit(&out, &["pairs.jsonl"]);
    assert_eq!(names(&out), [MARKER, "notes.txt", "pairs.jsonl", SUMMARY]);
}

#[test]
fn a_summary_removes_nothing_outside_of_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    commit(&out, &["pairs.jsonl"]);
    fs::write(dir.path().join("diary"), "dear diary").unwrap();
    fs::create_dir(dir.path().join("far")).unwrap();
    fs::write(dir.path().join("far/a.toml"), "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../far", out.join("templates")).unwrap();
    let summary = serde_json::json!({
        "tool": TOOL, "version": "1", "format_version": 1, "verb": "run",
        "files": {"../diary": {"rows": 1, "bytes": 2}, "..": {"rows": 1, "bytes": 2}, "templates/a.toml": {"rows": 1, "bytes": 2},
            "templates/../../diary": {"rows": 1, "bytes": 2}, MARKER: {"rows": 0, "bytes": 0}},
    });
    fs::write(out.join(SUMMARY), summary.to_string()).unwrap();
    commit(&out, &["pairs.jsonl"]);
    assert_eq!(names(dir.path()), ["diary", "far", "out"]);
    assert_eq!(names(&dir.path().join("far")), ["a.toml"]);
    let left: Vec<String> = names(&out)
        .into_iter()
        .filter(|name| name != "templates")
        .collect();
    assert_eq!(left, [MARKER, "pairs.jsonl", SUMMARY]);
}

#[test]
fn a_folder_of_templates_is_not_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    drop(create_locked(dir.path(), "site learn").unwrap_or_else(|e| panic!("{e}")));
    fs::write(dir.path().join("example.org-1.toml"), "").unwrap();
    let error = OutFolder::open(dir.path(), "run", &Cancel::new()).err().unwrap();
    assert!(
        error.to_string().contains("it holds `example.org-1.toml`"),
        "{error}"
    );
    assert!(create_locked(dir.path(), "site learn").is_ok());
}
