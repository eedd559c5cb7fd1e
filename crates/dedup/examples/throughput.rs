//! Measures the chain from JSON Lines to pairs and clusters: reading, signing, joining and clustering.
//! Lines are `{"id": "...", "text": "..."}` with the tokens of the text separated by spaces.
//!
//! ```text
//! cargo run --release --example throughput -- CORPUS.jsonl [--pairs FILE] [--clusters FILE] [--threads N] [--reread MEBIBYTES]
//!     [--threshold T] [--width WORDS | --chars CHARACTERS] [--unverified]
//!     [--signature NAME[:parameter=value,...]] [--candidates NAME[:...]] [--similarity NAME[:...]] [--clustering NAME[:...]]
//! ```
//!
//! The last line of the output is JSON with the times of the phases in seconds. Reading includes parsing.
//! The clock is read twice per document, which adds about 50 ns to the time of signing. Methods that need
//! the statistics of the collection get them in a pass of their own. Extraction and normalization are not
//! part of the chain.

use std::borrow::Cow;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dehusk_dedup::{
    CandidatePairs, Deduper, DescriptiveWordsBuilder, Family, Options, Shingler, StatisticsBuilder, Tokens,
    VerifiedPairs, candidates, cluster, sign, verify as similarities,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Calls `visit` with every record of a file.
fn read(
    path: &str,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        // A record borrows from the line, so it must be dropped before the line is cleared.
        visit(serde_json::from_str(&line)?)?;
        line.clear();
    }
    Ok(())
}

/// Calls `visit` with the tokens of every document of a file.
fn read_tokens(path: &str, mut visit: impl FnMut(&Tokens)) -> Result<(), Box<dyn Error>> {
    let mut tokens = Tokens::new();
    read(path, |record| {
        tokens.clear();
        tokens.push_joined(&record.text);
        visit(&tokens);
        Ok(())
    })
}

/// Documents in a batch.
const BATCH: usize = 1000;

/// Verifies candidate pairs, and reads documents again for batches of at most `max_bytes` bytes.
#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn verify(
    mut candidates: CandidatePairs,
    corpus: &str,
    max_bytes: u64,
) -> Result<VerifiedPairs, Box<dyn Error>> {
    let mut batches = 0;
    while let Some(mut batch) = candidates.next_batch(max_bytes) {
        let mut features = batch.features();
        // Documents are numbered in the order of the file, as when they were added.
        let mut document = 0;
        let mut tokens = Tokens::new();
        read(corpus, |record| {
            if batch.needs(document) {
                tokens.clear();
                tokens.push_joined(&record.text);
                features.add(document, &tokens, &tokens);
            }
            document += 1;
            Ok(())
        })?;
        batch.append(features)?;
        candidates.verify(&batch)?;
        batches += 1;
    }
    println!("{batches} batches were read again");
    Ok(candidates.finish()?)
}

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut corpus = None;
    let (mut pairs_file, mut clusters_file) = (None, None);
    let mut options = Options::default()
        .with_shingler(Shingler::words(3))
        .with_threshold(0.7)
        .with_min_tokens(1);
    let mut threads = 1;
    let mut reread = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--pairs" => pairs_file = Some(value()?),
            "--clusters" => clusters_file = Some(value()?),
            "--reread" => reread = Some(value()?.parse::<u64>()? << 20),
            "--threads" => threads = value()?.parse()?,
            "--threshold" => options = options.with_threshold(value()?.parse()?),
            "--width" => options = options.with_shingler(Shingler::words(value()?.parse()?)),
            "--chars" => {
                options = options.with_shingler(Shingler::chars(value()?.parse()?).with_padding(true));
            }
            "--unverified" => options = options.with_verification(false),
            "--signature" => options = options.with_signature(<dyn sign::Method>::parse(&value()?)?),
            "--candidates" => {
                options = options.with_candidates(<dyn candidates::Candidates>::parse(&value()?)?);
            }
            "--similarity" => {
                options = options.with_similarity(<dyn similarities::Similarity>::parse(&value()?)?);
            }
            "--clustering" => options = options.with_clustering(<dyn cluster::Clustering>::parse(&value()?)?),
            _ => corpus = Some(argument),
        }
    }
    let corpus = corpus.ok_or("give a corpus")?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;

    let start = Instant::now();
    if options.signature().needs_statistics() || options.similarity().needs_statistics() {
        let mut builder = StatisticsBuilder::new();
        read_tokens(&corpus, |tokens| builder.add(tokens))?;
        let statistics = builder.build();
        // Descriptive words are chosen in a second pass, because the choice begins with the words of middle
        // frequency.
        if options.signature().needs_descriptive_words() {
            let mut builder = DescriptiveWordsBuilder::new(&statistics);
            read_tokens(&corpus, |tokens| builder.add(tokens))?;
            options = options.with_descriptive_words(Arc::new(builder.build()));
        }
        options = options.with_statistics(Arc::new(statistics));
    }
    let counting = start.elapsed();

    let mut ids: Vec<String> = Vec::new();
    let before = Instant::now();
    let mut signing = Duration::ZERO;
    // Documents are added in batches, as programs with several threads do.
    let mut deduper = Deduper::new(options)?;
    if reread.is_some() {
        // Without a budget no document's features stay in memory, so all members of candidate pairs are
        // read again.
        deduper = deduper.with_feature_budget(0);
    }
    let maker = deduper.batch_maker();
    let mut batch = maker.batch();
    read(&corpus, |record| {
        // The name shadows the outer start: this clock covers one document, that of reading covers all.
        let before = Instant::now();
        batch.add_joined(&record.text);
        if batch.len() == BATCH {
            deduper.append(std::mem::replace(&mut batch, maker.batch()))?;
        }
        signing += before.elapsed();
        ids.push(record.id.into_owned());
        Ok(())
    })?;
    deduper.append(batch)?;
    // Signing happens between the reads, so its time is taken out.
    let reading = before.elapsed() - signing;

    let before = Instant::now();
    let pairs = verify(deduper.candidates(u64::MAX)?, &corpus, reread.unwrap_or(u64::MAX))?;
    let joining = before.elapsed();
    let before = Instant::now();
    let outcome = pairs.cluster(&());
    let clustering = before.elapsed();

    let before = Instant::now();
    if let Some(path) = &pairs_file {
        let mut file = BufWriter::new(File::create(path)?);
        for pair in outcome.all_pairs() {
            writeln!(file, "{}\t{}", ids[pair.a as usize], ids[pair.b as usize])?;
        }
        file.flush()?;
    }
    if let Some(path) = &clusters_file {
        let mut file = BufWriter::new(File::create(path)?);
        for decision in &outcome.decisions {
            writeln!(
                file,
                "{}\t{}",
                ids[decision.document as usize], ids[decision.cluster as usize]
            )?;
        }
        file.flush()?;
    }
    let writing = before.elapsed();
    let total = start.elapsed();
    println!("{:?}", outcome.counts);
    println!(
        "{} clusters, {:.0} documents per second of wall time",
        outcome.clusters.len(),
        ids.len() as f64 / total.as_secs_f64()
    );
    println!(
        "{}",
        serde_json::json!({
            "kind": if pairs_file.is_some() { "pairs" } else { "clusters" },
            "total_s": total.as_secs_f64(), "count_s": counting.as_secs_f64(), "read_s": reading.as_secs_f64(),
            "sign_s": signing.as_secs_f64(), "join_s": joining.as_secs_f64(),
            "cluster_s": clustering.as_secs_f64(), "write_s": writing.as_secs_f64(),
        })
    );
    Ok(())
}
