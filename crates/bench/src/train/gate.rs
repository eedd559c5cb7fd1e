//! Tests of the shipped models against the floors. A model whose scores were measured with other labels, or
//! whose features differ from those of the current program, counts as not measured.

use std::collections::BTreeMap;
use std::fs;

use dehusk_pipeline::dedup::content_hash;
use dehusk_pipeline::extract::training;

use crate::eval::floors::{self, HeldOut};
use crate::result::Result;
use crate::root::{files, root};

/// A set's entry in the head of a model.
#[derive(PartialEq, Debug)]
struct Stated {
    digest: String,
    f1: f64,
}

/// Reads the lines `# - SET: ABOUT (LICENCE); DIGEST; F1` in the head of a model.
fn stated(model: &str) -> Result<BTreeMap<String, Stated>> {
    let path = root().join("crates/extract/data").join(model);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut out = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# - ")) {
        // From the end, since the description may contain `; `.
        let fields: Vec<&str> = line.rsplitn(3, "; ").collect();
        let [f1, digest, about] = fields[..] else {
            return Err(format!("{}: not a line about a set: {line:?}", path.display()).into());
        };
        let set = about.split(':').next().unwrap_or(about);
        let of_set = Stated {
            digest: digest.to_owned(),
            f1: f1.parse()?,
        };
        out.insert(set.to_owned(), of_set);
    }
    Ok(out)
}

/// Returns a hash of the features of all lines of the fixture pages, rounded to three decimals. It changes
/// if features or lines change.
fn features() -> Result<String> {
    let folder = root().join("fixtures/crawl");
    let mut all = String::new();
    for file in files(&folder)? {
        if !file.ends_with(".html") {
            continue;
        }
        let bytes = fs::read(folder.join(&file))?;
        let lines = training::page_lines(&String::from_utf8_lossy(&bytes), None);
        // The names of the features are the same for all pages, so they are hashed once.
        if all.is_empty() {
            all.push_str(&lines.features.names.join(" "));
        }
        for value in lines.features.rows {
            // Rounded, so that the last digits of floating-point functions do not change the hash.
            let thousandths = (f64::from(value) * 1000.0).round();
            all.push_str(&format!(" {thousandths}"));
        }
        // Chained: each page's features are hashed together with the hash of the pages before.
        all = format!("{:032x}", content_hash(&all));
    }
    Ok(all)
}

#[test]
fn the_models_were_judged_by_the_labels_of_the_floors_and_reach_them() {
    let first = stated("lines.model").unwrap();
    assert!(first.len() >= 10, "{first:?}");
    for model in ["words.model", "refinement.model"] {
        assert_eq!(
            stated(model).unwrap(),
            first,
            "{model} was not grown with lines.model"
        );
    }
    for (set, floor) in floors::read().unwrap().held_out {
        let HeldOut { digest, lcs, .. } = floor;
        // Sets that are used only for scoring are not in the head.
        let Some(stated) = first.get(&set) else { continue };
        assert_eq!(stated.digest, digest, "{set}: judged by other labels");
        assert!(stated.f1 >= lcs, "{set}: {} is below the floor {lcs}", stated.f1);
    }
}

#[test]
fn the_models_were_grown_with_the_features_of_the_program() {
    let (now, grown) = (features().unwrap(), floors::read().unwrap().features);
    assert_eq!(
        now, grown,
        "features or lines have changed since the models were grown: run `cargo xtask train`, then set `features` of tests/floors.toml"
    );
}
