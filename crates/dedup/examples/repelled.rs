//! Writes the hyperplanes of `simhash-repelled`: `cargo run --release --example repelled > crates/dedup/data/repelled-64x42.txt`

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for vector in dedup::repel(64, 42) {
        let numbers: Vec<String> = vector.iter().map(|x| format!("{x:.9}")).collect();
        writeln!(out, "{}", numbers.join(" "))?;
    }
    Ok(())
}
