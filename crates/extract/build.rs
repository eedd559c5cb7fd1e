//! Compiles the models in `data/`, which are texts that people can read and compare, to tables that the program reads at once; and the
//! question which characters are letters or digits.

use std::error::Error;
use std::fs;
use std::path::Path;

/// The files of the crate that read models, with what they need of it.
#[path = "src/label"]
mod label {
    #[path = "model"]
    pub(crate) mod model {
        #[allow(dead_code, unreachable_pub)]
        #[path = "line_tokens.rs"]
        pub(crate) mod line_tokens;
        #[allow(dead_code, unreachable_pub)]
        #[path = "tree_file.rs"]
        pub(crate) mod tree_file;
        #[allow(dead_code, unreachable_pub)]
        #[path = "word_file.rs"]
        pub(crate) mod word_file;
    }
}

/// What the crate answers from tables for the sake of speed; its tests hold them against these definitions.
mod analysis {
    pub(crate) mod blocks {
        pub(crate) mod words {
            pub(crate) fn is_alphanumeric(c: char) -> bool {
                c.is_alphanumeric()
            }
        }
    }

    pub(crate) mod word_lists {
        pub(crate) fn each_lower_case(c: char, visit: impl FnMut(char)) {
            c.to_lowercase().for_each(visit);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/label/model");
    let out = std::env::var("OUT_DIR")?;
    let read = |name: &str| fs::read_to_string(Path::new("data").join(name));
    let write = |name: &str, bytes: Vec<u8>| fs::write(Path::new(&out).join(name), bytes);
    for model in ["lines", "refinement", "sites"] {
        let file = format!("{model}.model");
        let trees = label::model::tree_file::TreeFile::parse(&read(&file)?);
        let trees = trees.map_err(|why| format!("data/{file}: {why}"))?;
        write(&format!("{model}.trees"), trees.to_bytes())?;
    }
    let words = label::model::word_file::parse(&read("words.model")?);
    let words = words.map_err(|why| format!("data/words.model: {why}"))?;
    let table = label::model::word_file::to_bytes(&words);
    write(
        "words.table",
        table.ok_or("data/words.model: more words than places, or more than 255 different odds")?,
    )?;
    write("alphanumeric.table", alphanumeric())?;
    Ok(())
}

/// One bit for each character of the first two planes of Unicode: whether it is a letter or a digit.
fn alphanumeric() -> Vec<u8> {
    let bit = |code| u8::from(char::from_u32(code).is_some_and(char::is_alphanumeric));
    let byte = |first: u32| (0..8).fold(0, |bits, i| bits | bit(first + i) << i);
    (0..0x2_0000).step_by(8).map(byte).collect()
}
