//! Measures the chain from JSON Lines to pairs on one thread: reading, signing, joining, clustering; and what a document
//! costs. Lines are `{"id": "...", "text": "..."}` with the tokens of the text separated by spaces.
//!
//! `cargo run --release --example throughput -- CORPUS.jsonl [PAIRS.tsv] [--threshold T] [--width SHINGLE]
//! [--family universal|one-permutation|fast-sketch] [--values N] [--bands B --rows R] [--threads N] [--clustering NAME]`
//!
//! The last line is JSON with the phase times in seconds. Reading includes parsing; times of single phases carry the
//! cost of two clock readings per document, about 50 ns. It cannot show what extraction and normalization cost.

use std::borrow::Cow;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dedup::signature::MinHash;
use dedup::{Deduper, Options, Shingler, candidate, cluster, signature};
use serde::Deserialize;

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    let mut options = Options::default()
        .with_shingler(Shingler::words(3))
        .with_threshold(0.7);
    let mut minhash: Arc<dyn signature::Method> = Arc::new(MinHash::DEFAULT);
    let mut lsh: Arc<dyn candidate::Candidates> = Arc::new(candidate::Lsh::DEFAULT);
    let mut threads = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--threshold" => options = options.with_threshold(value()?.parse()?),
            "--width" => options = options.with_shingler(Shingler::words(value()?.parse()?)),
            "--family" => minhash = minhash.set("family", &value()?)?,
            "--values" => minhash = minhash.set("width", &value()?)?,
            "--bands" => lsh = lsh.set("bands", &value()?)?,
            "--rows" => lsh = lsh.set("rows", &value()?)?,
            "--clustering" => options = options.with_clustering(cluster::named(&value()?)?),
            "--threads" => threads = value()?.parse()?,
            _ => files.push(argument),
        }
    }
    let [corpus, rest @ ..] = files.as_slice() else {
        return Err("give a corpus".into());
    };
    let options = options
        .with_signature(minhash)
        .with_candidates(lsh)
        .with_min_tokens(1);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;

    let mut deduper = Deduper::new(options)?;
    let mut ids: Vec<String> = Vec::new();
    let mut reader = BufReader::with_capacity(1 << 20, File::open(corpus)?);
    let mut line = String::new();
    let start = Instant::now();
    let mut signing = Duration::ZERO;
    while reader.read_line(&mut line)? > 0 {
        let record: Record = serde_json::from_str(&line)?;
        let before = Instant::now();
        deduper.add_joined(&record.text)?;
        signing += before.elapsed();
        ids.push(record.id.into_owned());
        line.clear();
    }
    let reading = start.elapsed() - signing;

    let before = Instant::now();
    let joined = deduper.join();
    let joining = before.elapsed();
    let before = Instant::now();
    let outcome = joined.cluster(&());
    let clustering = before.elapsed();

    let before = Instant::now();
    let mut pairs = 0_u64;
    if let Some(path) = rest.first() {
        let mut file = BufWriter::new(File::create(path)?);
        for pair in outcome.all_pairs() {
            writeln!(file, "{}\t{}", ids[pair.a as usize], ids[pair.b as usize])?;
            pairs += 1;
        }
        file.flush()?;
    }
    let writing = before.elapsed();
    let total = start.elapsed();
    println!("{:#?}", outcome.counts);
    println!("clusters: {}", outcome.clusters.len());
    let documents = ids.len() as f64;
    println!(
        "{:.0} documents per second of wall time",
        documents / total.as_secs_f64()
    );
    println!(
        "{}",
        serde_json::json!({
            "kind": "pairs", "total_s": total.as_secs_f64(), "read_s": reading.as_secs_f64(),
            "sign_s": signing.as_secs_f64(), "join_s": joining.as_secs_f64(),
            "cluster_s": clustering.as_secs_f64(), "write_s": writing.as_secs_f64(), "pairs": pairs,
        })
    );
    Ok(())
}
