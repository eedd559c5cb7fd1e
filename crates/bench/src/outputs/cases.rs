//! The table of cases: commands as the work tree spells them. `@` marks inputs.

use std::collections::{BTreeMap, BTreeSet};

use crate::result::Result;

/// Commands that run in sequence in a folder of their own.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) commands: Vec<String>,
}

/// Options for all parts of the result of a page.
const ALL_PARTS: &str =
    "--markdown --html --content --blocks --tables field --comments field --links --images";

/// Sets of options for extraction, other than `--extractor`.
const EXTRACTIONS: &[(&str, &str)] = &[
    ("plain", ""),
    ("fast", "--fast"),
    ("precision", "--precision"),
    ("recall", "--recall"),
    ("tables-omit", "--tables omit --markdown --content"),
    ("comments-omit", "--comments omit --markdown"),
    ("comments-field", "--comments field"),
    ("tables-field", "--tables field"),
    ("markdown", "--markdown"),
    ("markdown-links", "--markdown --links"),
    ("markdown-images", "--markdown --images"),
    ("depth", "--max-depth 16"),
    ("bytes", "--max-bytes 20000"),
    ("one-thread", "--threads 1"),
    ("four-threads", "--threads 4"),
];

/// Cases of a page, of small collections, and of commands that use each other's output. The name of a case
/// is followed by its commands, indented.
const FIXED: &str = "\
extract-page
  extract @page
  extract @page --output-format text
  extract @page --output-format markdown --links --images
  extract @page --output-format html
  extract @page --output-format json --url https://docs.example/guide/install.html
  extract @page --output-format jsonl -o page.jsonl
  extract @page --markdown
  extract @page --html
  extract @page --content
  extract @page --blocks
  extract - --url https://docs.example/ < @page
  extract --input-format jsonl --output-format jsonl --threads 1 - < @second
  extract --input-format jsonl - < @list
extract-forum
  extract @thread --comments field --markdown --blocks
  extract @thread --comments omit
explain
  explain @page -o page.html
  explain @page --extractor readability --url https://docs.example/guide/install.html -o readability.html
  explain @page --fast --comments omit -o fast.html
run-crawl
  run @crawl --out out
  run @list --out list --tsv --markdown --blocks
run-crawl-one-thread
  run @crawl --out out --threads 1
run-crawl-memory
  run @list --out out --memory 64MiB --threads 4
run-crawl-policies
  run @list --out out --on-exact demote --on-near keep --short-docs near --keep longest
run-crawl-tf-idf
  run @list --out out --signature supershingles --cluster star --keep cleanest
run-crawl-simhash
  run @list --out out --signature simhash --extractor readability --tables omit
run-pages
  run @pages --out out --tables field --comments field
run-pages-memory
  run @pages --out out --memory 64MiB --threads 4 --markdown
site-crawl
  site learn @list --out t
  site show t
  site check @list --templates t
  site export t --out rules
  site check @list --rules rules
  extract @list --templates t -o by-templates.jsonl
  extract @list --rules rules --blocks -o by-rules.jsonl
  run @list --templates t --rules rules --out out
site-labelled
  site learn @sites --out t
  site show t
  site check @sites --templates t
  site export t --out rules
  site check @sites --rules rules
  extract @sites --templates t --blocks -o by-templates.jsonl
  extract @sites --rules rules -o by-rules.jsonl
  site learn @list --out t
site-readability
  site learn @sites --out t --extractor readability --threads 1
rules
  extract @list --rules @rules
  site check @list --rules @rules
index
  index add a @first
  index stats a
  index query a @second
  index add a @second --threads 4
  index query a @documents --threads 1
  index remove a d00001-0 d00003-0 d00004-2
  index stats a
  index compact a
  index query a @first
  index add b @second
  index add c @first
  index merge c b
  index stats c
  index query c @documents
  dedup @second --against c --out out
index-narrow
  index add a @first --signature minhash:width=64 --threshold 0.6
  index query a @second
  index stats a
index-supershingles
  index add a @first --signature supershingles
  index query a @second
stats
  sign @first --signature tf-idf --save-stats stats -o first
  sign @second --signature tf-idf --stats stats -o second
  dedup @documents --signature tf-ridf --save-stats saved --out out
sign-tsv
  sign @documents --output-format tsv
  sign @documents --seed 7 --shingle 3 --threads 4 -o out
dedup-plain
  dedup @documents --out out --tsv
  dedup @documents --out one --threads 1
dedup-memory
  dedup @documents --out out --memory 64MiB --threads 4
dedup-memory-tf-idf
  dedup @documents --out out --memory 64MiB --signature tf-idf
dedup-memory-shingles
  dedup @documents --out out --memory 64MiB --signature shingles
dedup-memory-simhash
  dedup @documents --out out --memory 64MiB --signature simhash
dedup-characters
  dedup @documents --out out --unit char --shingle 8 --profile spaceless
dedup-options
  dedup @documents --out out --min-tokens 5 --short-docs near --seed 9 --threshold 0.6
dedup-policies
  dedup @documents --out out --on-exact keep --on-near demote --terms stemmed
dedup-exact
  dedup @documents --out out --signature md5 --profile exact
dedup-records
  dedup @records --out out --unit char --shingle 3 --threshold 0.5 --min-tokens 0 --tsv
normalize-texts
  normalize @english --output-format text
  normalize @russian --tokens --offsets --stem --stop-words
  normalize @russian --sentences
  normalize @english --tokens --stem --language en
  normalize --input-format jsonl - --tokens < @first
  normalize @documents --numbers mask --tokens -o masked.jsonl
  normalize @documents --numbers drop --stem --stop-words --tokens --threads 4
  normalize @documents --sentences
laboratory
  generate mutations @english @russian --documents 60 --out mutations
  compare mutations/corpus.jsonl --truth mutations/truth.jsonl --no-costs --bootstrap 20 --report-title few --out compared
laboratory-crawl
  compare @list --truth @list --no-costs --bootstrap 20 --threshold 0.6 --out compared
laboratory-texts
  generate mutations @texts --documents 300 --out mutations
  generate records @names --records 300 --clusters 40 --class ME --out records
  generate romip @texts --pages 150 --out romip
  extract romip/pages.xml -o romip.jsonl
  run romip/pages.xml --input-format romip --out out
  dedup records/corpus.jsonl --out kept --unit char --shingle 3 --min-tokens 0
";

/// Strategies with non-default parameters, as (family, strategy).
const VARIANTS: &[(&str, &str)] = &[
    ("signatures", "minhash:family=universal,width=64"),
    ("signatures", "minhash:family=one-permutation"),
    ("signatures", "simhash:weight=tf-idf"),
    ("signatures", "tf-idf:formula=okapi,terms=4"),
    ("extractors", "density:tree=numwords"),
    ("candidates", "lsh:bands=16,rows=8"),
    ("clusterings", "components:max_size=30"),
    ("clusterings", "center:by=average"),
    ("clusterings", "star:overlap=false"),
    ("clusterings", "merge-center:by=average"),
    ("site extractors", "infholder:form=progressive"),
    ("site extractors", "infholder:form=frequency,hash=hash64"),
    ("site extractors", "style-inbreeding:option=dom"),
    ("site extractors", "style-inbreeding:option=size"),
];

/// Returns all cases, for the strategies that both builds know.
pub(super) fn table(names: &BTreeMap<String, Vec<String>>) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in FIXED.lines() {
        // A line without indentation begins a case.
        match (line.strip_prefix("  "), cases.last_mut()) {
            (Some(command), Some(case)) => case.commands.push(command.to_owned()),
            _ => cases.push(Case {
                name: line.to_owned(),
                commands: Vec::new(),
            }),
        }
    }
    let mut add = |name: &str, lines: &[&str]| {
        cases.push(Case {
            // The name becomes that of a folder, so the characters of parameters are replaced.
            name: name.replace([':', '=', ','], "-"),
            commands: lines.iter().map(|line| (*line).to_owned()).collect(),
        });
    };
    for (name, flags) in EXTRACTIONS {
        // With short time limits the output could depend on time.
        let line = format!("extract @pages --timeout-ms 600000 {flags} -o out.jsonl");
        let list = format!("extract @list {flags} -o list.jsonl");
        add(&format!("extract-labelled-{name}"), &[&line]);
        add(&format!("extract-crawl-{name}"), &[&list]);
    }
    for name in of(names, "extractors")? {
        let flags = format!("--extractor {name} {ALL_PARTS} --timeout-ms 600000");
        add(
            &format!("extract-labelled-{name}"),
            &[&format!("extract @pages {flags} -o out.jsonl")],
        );
        add(
            &format!("extract-crawl-{name}"),
            &[&format!("extract @crawl {flags} -o out.jsonl")],
        );
    }
    for name in of(names, "site extractors")? {
        add(
            &format!("learn-labelled-{name}"),
            &[&format!("site learn @sites --extractor {name} --out t")],
        );
        add(
            &format!("learn-crawl-{name}"),
            &[&format!("site learn @list --extractor {name} --out t")],
        );
    }
    for name in of(names, "profiles")? {
        let lines = [
            format!("normalize @documents --profile {name} -o text.jsonl"),
            format!("normalize @documents --profile {name} --tokens --offsets -o tokens.jsonl"),
        ];
        add(&format!("normalize-{name}"), &[&lines[0], &lines[1]]);
    }
    for name in of(names, "signatures")? {
        let lines = [
            format!("sign @documents --signature {name} -o signatures.jsonl"),
            format!("dedup @documents --signature {name} --out out"),
        ];
        add(&format!("signature-{name}"), &[&lines[0], &lines[1]]);
    }
    for (family, flag) in [("candidates", "--candidates"), ("similarities", "--similarity")] {
        for name in of(names, family)? {
            let Some(signature) = signature_for(&name) else {
                continue;
            };
            let line = format!("dedup @documents {flag} {name} --signature {signature} --out out");
            add(&format!("{family}-{name}"), &[&line]);
        }
    }
    for name in of(names, "clusterings")? {
        // A lower threshold than the default gives larger clusters, in which clusterings differ.
        let line = format!("dedup @documents --cluster {name} --threshold 0.6 --out out");
        add(&format!("clustering-{name}"), &[&line]);
    }
    for name in of(names, "keepers")? {
        // This keeper requires the name of a field.
        let keeper = if name == "field" {
            "field:id".to_owned()
        } else {
            name.clone()
        };
        add(
            &format!("keeper-{name}"),
            &[&format!("dedup @documents --keep {keeper} --out out")],
        );
    }
    // Each case has a folder with its name, so names must be distinct.
    let mut seen = BTreeSet::new();
    match cases.iter().find(|case| !seen.insert(case.name.as_str())) {
        Some(twice) => Err(format!("two cases are named `{}`", twice.name).into()),
        None => Ok(cases),
    }
}

/// Returns a signature method that a candidate method or a similarity can read.
fn signature_for(name: &str) -> Option<&'static str> {
    Some(match name {
        "exact-key" => "supershingles",
        "broder" | "exact-join" => "shingles",
        "hamming" => "simhash",
        _ => "minhash",
    })
}

/// Returns the names of a family's strategies, followed by the variants of [`VARIANTS`].
fn of(names: &BTreeMap<String, Vec<String>>, family: &str) -> Result<Vec<String>> {
    let known = names
        .get(family)
        .ok_or_else(|| format!("`dehusk methods` has no table `{family}`"))?;
    let variants = VARIANTS
        .iter()
        .filter(|(of, _)| *of == family)
        .map(|(_, variant)| (*variant).to_owned());
    Ok(known.iter().cloned().chain(variants).collect())
}
