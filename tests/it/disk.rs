//! A disk that fails under the program: exit codes and messages. `crates/pipeline/tests/failing_disk.rs` fails every operation.

use std::path::Path;

use crate::support::{Ran, command, contents, folder, page, prose, text};

/// Runs the program on a disk with this fault.
fn failing(fault: &str, arguments: &[&str]) -> Ran {
    let mut command = command();
    command.env("DEHUSK_FAILING_DISK", fault).args(arguments);
    command.output().expect("the binary starts").into()
}

fn pages() -> (tempfile::TempDir, String, String) {
    let dir = folder(&[
        ("in/a.html", &page("A", &prose(1, 60))),
        ("in/b.html", &page("B", &prose(2, 60))),
    ]);
    let path = |name: &str| text(&dir.path().join(name));
    let (input, out) = (path("in"), path("out"));
    (dir, input, out)
}

#[test]
fn a_full_disk_is_code_1_and_names_file_and_remedy() {
    let (dir, input, out) = pages();
    failing("write:2:full", &["run", &input, "-o", &out])
        .exits(1)
        .says(&[&out, "make room and run the same command again"]);
    assert_eq!(
        contents(Path::new(&out)).keys().collect::<Vec<_>>(),
        [".dehusk-lock"]
    );
    let file = text(&dir.path().join("x.jsonl"));
    for operation in ["create", "write", "sync", "rename"] {
        failing(&format!("{operation}:1:full"), &["extract", &input, "-o", &file])
            .exits(1)
            .says(&[&format!("cannot write `{file}`"), "make room"]);
        assert!(!Path::new(&file).exists());
    }
    failing("any:1000000:full", &["run", &input, "-o", &out]).exits(0);
}

#[test]
fn a_read_only_place_is_code_4_and_names_the_folder() {
    let (_dir, input, out) = pages();
    for number in [1, 2, 5] {
        failing(&format!("any:{number}:read-only"), &["run", &input, "-o", &out])
            .exits(4)
            .says(&[&out, "folder"]);
    }
}

#[test]
fn a_fault_that_is_none_is_told() {
    let (_dir, input, out) = pages();
    failing("write:soon", &["run", &input, "-o", &out]).says(&["`write:soon` is no fault"]);
}
