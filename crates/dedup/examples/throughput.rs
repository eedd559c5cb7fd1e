//! Measures the chain from JSON Lines to pairs and clusters: reading, signing, joining, clustering; and what a document
//! costs. Lines are `{"id": "...", "text": "..."}` with the tokens of the text separated by spaces.
//!
//! ```text
//! cargo run --release --example throughput -- CORPUS.jsonl [--pairs FILE] [--clusters FILE] [--threads N] [--reread MEBIBYTES]
//!     [--threshold T] [--width WORDS | --chars CHARACTERS] [--unverified]
//!     [--signature NAME[:parameter=value,...]] [--candidates NAME[:...]] [--similarity NAME[:...]] [--clustering NAME[:...]]
//! ```
//!
//! The last line is JSON with the phase times in seconds. Reading includes parsing; times of single phases carry the
//! cost of two clock readings per document, about 50 ns. Methods that need the statistics of the collection get them in a
//! pass of their own. It cannot show what extraction and normalization cost.

use std::borrow::Cow;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dehusk_dedup::{
    Batch, Deduper, DescriptiveWordsBuilder, Family, Joined, Options, Screen, Shingler, StatisticsBuilder,
    Tokens, candidates, cluster, sign, verify,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Name and parameters in `NAME:parameter=value,...`.
fn strategy(text: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    (
        name,
        parameters
            .split(',')
            .filter_map(|parameter| parameter.split_once('='))
            .collect(),
    )
}

/// Calls `visit` with every record of a file.
fn read(
    path: &str,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
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

/// Verifies candidate pairs, reading documents again in waves of so many bytes.
#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn verify(screen: Screen, corpus: &str, max_bytes: u64) -> Result<Joined, Box<dyn Error>> {
    let mut suspects = screen.suspects(u64::MAX)?;
    let mut waves = 0;
    while let Some(mut wave) = suspects.wave(max_bytes) {
        let mut reader = wave.reader();
        let mut document = 0;
        let mut tokens = Tokens::new();
        read(corpus, |record| {
            if wave.needs(document) {
                tokens.clear();
                tokens.push_joined(&record.text);
                reader.add(document, &tokens);
            }
            document += 1;
            Ok(())
        })?;
        wave.append(reader)?;
        suspects.verify(&wave)?;
        waves += 1;
    }
    println!("{waves} waves");
    Ok(suspects.finish())
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
            "--signature" => {
                let text = value()?;
                let (name, parameters) = strategy(&text);
                let mut method = <dyn sign::Method>::named(name)?;
                for (parameter, value) in parameters {
                    method = method.set(parameter, value)?;
                }
                options = options.with_signature(method);
            }
            "--candidates" => {
                let text = value()?;
                let (name, parameters) = strategy(&text);
                let mut candidates = <dyn candidates::Candidates>::named(name)?;
                for (parameter, value) in parameters {
                    candidates = candidates.set(parameter, value)?;
                }
                options = options.with_candidates(candidates);
            }
            "--similarity" => {
                let text = value()?;
                let (name, parameters) = strategy(&text);
                let mut similarity = <dyn verify::Similarity>::named(name)?;
                for (parameter, value) in parameters {
                    similarity = similarity.set(parameter, value)?;
                }
                options = options.with_similarity(similarity);
            }
            "--clustering" => {
                let text = value()?;
                let (name, parameters) = strategy(&text);
                let mut clustering = <dyn cluster::Clustering>::named(name)?;
                for (parameter, value) in parameters {
                    clustering = clustering.set(parameter, value)?;
                }
                options = options.with_clustering(clustering);
            }
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
    // Documents go in by batches, as from several threads.
    let (mut deduper, mut screen) = match reread {
        None => (Some(Deduper::new(options)?), None),
        Some(_) => (None, Some(Screen::new(options)?)),
    };
    let new_batch = |deduper: &Option<Deduper>, screen: &Option<Screen>| {
        deduper
            .as_ref()
            .map(Deduper::batch)
            .or(screen.as_ref().map(Screen::batch))
            .ok_or("no collection")
    };
    let mut batch = new_batch(&deduper, &screen)?;
    let append =
        |deduper: &mut Option<Deduper>, screen: &mut Option<Screen>, batch: Batch| match (deduper, screen) {
            (Some(deduper), _) => deduper.append(batch).map_err(dehusk_dedup::AppendError::TooMany),
            (_, Some(screen)) => screen.append(batch),
            _ => Ok(0),
        };
    read(&corpus, |record| {
        let before = Instant::now();
        batch.add_joined(&record.text);
        if batch.len() == BATCH {
            let full = std::mem::replace(&mut batch, new_batch(&deduper, &screen)?);
            append(&mut deduper, &mut screen, full)?;
        }
        signing += before.elapsed();
        ids.push(record.id.into_owned());
        Ok(())
    })?;
    append(&mut deduper, &mut screen, batch)?;
    let reading = before.elapsed() - signing;

    let before = Instant::now();
    let joined = match (deduper, screen) {
        (Some(deduper), _) => deduper.join(),
        (_, Some(screen)) => verify(screen, &corpus, reread.unwrap_or(u64::MAX))?,
        _ => return Err("no collection".into()),
    };
    let joining = before.elapsed();
    let before = Instant::now();
    let outcome = joined.cluster(&());
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
