//! Products: two things of a page that are harmless alone, a long attribute and many words say, must stay a sum for every way a page
//! can go. Instructions are counted in a page of two lengths; memory and the longest output in a long page, in a process for each.

use std::fs;
use std::hint::black_box;
use std::process::Command;

use clap::Args;
use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::site::{Sample, Template, methods};
use dehusk_pipeline::extract::{
    OPENERS, Options, Overrides, Page, REPEATED, extract, extract_with, label, longest_form, product,
};
use dehusk_pipeline::record::{Content, PageRecord};
use dehusk_pipeline::verbs::explain::explain_page;

use super::callgrind::{Work, count, counted};
use crate::result::Result;

/// Lengths of the pages whose instructions are compared, in bytes: about so many.
const SIZES: [usize; 2] = [4_000, 32_000];
/// The same of a second look at products that seem steep. What limits bound (the depth of elements, the list of open fonts) still grows
/// between the short lengths, and no longer between these.
const LONGER: [usize; 2] = [100_000, 800_000];
/// Length of the page whose memory is measured.
const LONG: usize = 1_000_000;
/// Largest exponent of instructions over bytes.
const STEEPEST: f64 = 1.1;
/// Most memory for each byte of a page, and for any page.
const MEMORY: (u64, u64) = (40, 64 << 20);
/// Most output for each byte of a page, and for any page.
const OUTPUT: (usize, usize) = (4, 1 << 20);

/// Which products are measured.
#[derive(Args)]
pub(super) struct Products {
    /// Instead: measure products of all pairs of things that a page may have much of, for every output form, extractor, method for
    /// sites and form of rules (needs valgrind for instructions)
    #[arg(long, conflicts_with_all = ["growth", "parsers", "json"])]
    pub(super) products: bool,
    /// Take every Nth of the products
    #[arg(long, default_value_t = 1, value_name = "N", requires = "products", value_parser = clap::value_parser!(u32).range(1..))]
    nth: u32,
    /// Only these, by product and way, at longer lengths
    #[arg(long, hide = true, value_delimiter = ',')]
    again: Vec<usize>,
    /// What one process measures: the number of a product and that of a way
    #[arg(long, hide = true, num_args = 2)]
    pub(super) memory_of: Vec<usize>,
}

/// What is done with a page.
enum Way {
    /// All forms of the output.
    Forms,
    /// The report that shows the page.
    Explain,
    Extractor(&'static str),
    /// Rules of this form for main text.
    Rules(&'static str, &'static str),
    /// A template that was learnt from three such pages.
    Template,
    SiteMethod(&'static str),
}

/// All ways, in order.
fn ways() -> Vec<Way> {
    let extractors = label::ALL
        .iter()
        .map(|extractor| Way::Extractor(extractor.name()));
    let rules = [
        ("css", "{ css = \"div p, td > a[href]\" }"),
        ("xpath", "{ xpath = \"//p | //td//a[@href]\" }"),
        (
            "xpath functions",
            "{ xpath = \"//p[contains(concat(' ', @class, ' '), ' a ') or string-length(.) > 9]\" }",
        ),
    ];
    let methods = methods::ALL.iter().map(|method| Way::SiteMethod(method.name()));
    [Way::Forms, Way::Explain, Way::Template]
        .into_iter()
        .chain(extractors)
        .chain(rules.map(|(name, rule)| Way::Rules(name, rule)))
        .chain(methods)
        .collect()
}

impl Way {
    fn name(&self) -> String {
        match self {
            Way::Forms => "all forms".to_owned(),
            Way::Explain => "explain".to_owned(),
            Way::Template => "a template".to_owned(),
            Way::Extractor(name) => (*name).to_owned(),
            Way::Rules(name, _) => format!("rules: {name}"),
            Way::SiteMethod(name) => format!("sites: {name}"),
        }
    }

    /// How many pages are held at once.
    fn pages(&self) -> u64 {
        match self {
            Way::Template | Way::SiteMethod(_) => 3,
            _ => 1,
        }
    }

    /// Does it with a page; the longest output in bytes. `prepared` is what [`Way::prepare`] made.
    fn go(&self, source: &str, prepared: &Prepared) -> usize {
        let page = Page::decoded(source).with_url(Some("https://a.example/x"));
        let options = &prepared.options;
        match self {
            Way::Forms | Way::Extractor(_) => longest_form(&extract(&page, options)),
            Way::Explain => {
                let record = PageRecord::new(Content::Text(source.into()));
                explain_page(&record, options).map_or(0, |html| html.len())
            }
            Way::Rules(..) => {
                let overrides = Overrides::default().with_rules(prepared.rules.as_ref());
                longest_form(&extract_with(&page, options, &overrides))
            }
            Way::Template => {
                let samples: Vec<Sample> = siblings(source)
                    .iter()
                    .map(|page| sample(page, options))
                    .collect();
                let template = Template::learn(&samples.iter().collect::<Vec<_>>());
                let templates = [&template];
                longest_form(&extract_with(
                    &page,
                    options,
                    &Overrides::default().with_templates(&templates),
                ))
            }
            Way::SiteMethod(name) => {
                let siblings = siblings(source);
                let pages: Vec<Page<'_>> = siblings.iter().map(|page| Page::decoded(page)).collect();
                let method = methods::ALL.iter().find(|method| method.name() == *name);
                let texts = method
                    .map(|method| method.texts(&pages, options))
                    .unwrap_or_default();
                texts.iter().map(String::len).max().unwrap_or(0)
            }
        }
    }

    /// What is made before the measurement, with everything that is read on first use.
    fn prepare(&self) -> Result<Prepared> {
        let method = if let Way::Extractor(name) = self {
            name
        } else {
            "default"
        };
        let mut options = Options::default().with_extractor(method)?;
        if let Way::Forms = self {
            options = options
                .with_markdown(true)
                .with_links(true)
                .with_images(true)
                .with_html(true);
            options = options
                .with_content(true)
                .with_tables(true)
                .with_blocks(true)
                .with_comments(true);
        }
        let rules = match self {
            Way::Rules(_, rule) => {
                let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{rule}]\n");
                Some(RuleSet::read([("rules.toml", text.as_str())])?)
            }
            _ => None,
        };
        let prepared = Prepared { options, rules };
        black_box(self.go("<p class=x>First words.", &prepared));
        Ok(prepared)
    }
}

struct Prepared {
    options: Options,
    rules: Option<RuleSet>,
}

/// Three pages that differ in one paragraph.
fn siblings(source: &str) -> [String; 3] {
    ["One river rose.", "Two towns were built.", "Three ships came in."]
        .map(|text| format!("<p>{text}</p>{source}"))
}

fn sample(source: &str, options: &Options) -> Sample {
    Sample::new(&Page::decoded(source), options)
}

/// Number of all products.
fn all() -> usize {
    OPENERS.len() * REPEATED.len()
}

fn name(number: usize) -> String {
    let (opener, repeated) = (
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
    );
    format!("{}, then {}", opener.0, repeated.0)
}

fn page(number: usize, bytes: usize) -> String {
    product(
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
        bytes,
    )
}

/// Does what is counted: every product at each length, in every way; or some of them again. Called inside valgrind.
pub(super) fn work(products: &Products) -> Result<()> {
    let ways = ways();
    if products.again.is_empty() {
        for way in ways {
            let prepared = way.prepare()?;
            for number in (0..all()).step_by(products.nth as usize) {
                count_sizes(&way, &prepared, number, SIZES);
            }
        }
    }
    for pair in products.again.chunks_exact(2) {
        let way = ways_at(pair[1])?;
        count_sizes(&way, &way.prepare()?, pair[0] % all(), LONGER);
    }
    Ok(())
}

fn count_sizes(way: &Way, prepared: &Prepared, number: usize, sizes: [usize; 2]) {
    for size in sizes {
        let source = page(number, size);
        counted(|| way.go(&source, prepared));
    }
}

fn ways_at(number: usize) -> Result<Way> {
    Ok(ways().into_iter().nth(number).ok_or("there is no such way")?)
}

/// Prints the memory that a way takes for a long product, in bytes, and its longest output.
pub(super) fn memory_of(number: usize, way: usize) -> Result<()> {
    let way = ways_at(way)?;
    let (prepared, source) = (way.prepare()?, page(number % all(), LONG));
    let before = peak()?;
    let longest = way.go(&source, &prepared);
    println!("{} {} {longest}", source.len(), peak()?.saturating_sub(before));
    Ok(())
}

/// Most memory that this process has held, in bytes.
fn peak() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    Ok(kilobytes.ok_or("the system does not tell the memory of a process")? << 10)
}

/// The largest of many figures, and where it was.
#[derive(Default)]
struct Largest(f64, String);

impl Largest {
    fn see(&mut self, figure: f64, place: &str) {
        if figure > self.0 {
            *self = Largest(figure, place.to_owned());
        }
    }
}

/// Measures the products; fails if one is steeper, or takes more memory or output than it may.
pub(super) fn run(products: &Products) -> Result<()> {
    let (ways, numbers) = (ways(), (0..all()).step_by(products.nth as usize));
    let mut failed = Vec::new();
    let (mut memory, mut output) = (Largest::default(), Largest::default());
    for (w, way) in ways.iter().enumerate() {
        for number in numbers.clone() {
            let place = format!("{}: {}", way.name(), name(number));
            let numbers = ["--memory-of", &number.to_string(), &w.to_string()].map(str::to_owned);
            let ran = Command::new(std::env::current_exe()?)
                // What is given back is not to be counted: the C library of Linux keeps it, in pieces that fit nothing.
                .env("MALLOC_MMAP_THRESHOLD_", "131072")
                .arg("bench")
                .args(numbers)
                .output()?;
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            let figures: Vec<u64> = text
                .split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect();
            let &[bytes, taken, written] = figures.as_slice() else {
                failed.push(format!("{place}: {}", ran.status));
                continue;
            };
            // Of a group of pages, all are held.
            let bytes = bytes * way.pages();
            memory.see(taken as f64 / bytes as f64, &place);
            output.see(written as f64 / bytes as f64, &place);
            if taken > MEMORY.0 * bytes + MEMORY.1 {
                failed.push(format!("{place}: {taken} bytes of memory for {bytes}"));
            }
            if written > (OUTPUT.0 as u64 * bytes) + OUTPUT.1 as u64 {
                failed.push(format!("{place}: {written} bytes of output for {bytes}"));
            }
        }
        eprintln!("{}: memory and output measured", way.name());
    }
    let tried = ways.len() * numbers.len();
    println!("{tried} products of {} ways: pages of {LONG} bytes", ways.len());
    println!(
        "most memory: {:.1} bytes for a byte of the page, {}",
        memory.0, memory.1
    );
    println!(
        "longest output: {:.2} bytes for a byte of the page, {}",
        output.0, output.1
    );

    match exponents(&ways, &numbers.collect::<Vec<_>>(), products.nth)? {
        Ok(found) => {
            let mut steepest = Largest::default();
            for (way, number, exponent) in found {
                let place = format!("{}: {}", ways[way].name(), name(number));
                steepest.see(exponent, &place);
                if exponent > STEEPEST {
                    failed.push(format!("{place}: instructions n^{exponent:.2}"));
                }
            }
            println!("steepest: n^{:.2}, {}", steepest.0, steepest.1);
        }
        Err(why) => eprintln!("SKIPPED: instructions were not counted: {why}"),
    }
    match failed.as_slice() {
        [] => Ok(()),
        failed => Err(format!(
            "{} products are more than sums:\n{}",
            failed.len(),
            failed.join("\n")
        )
        .into()),
    }
}

/// Way, product, and the exponent of its instructions.
type Exponent = (usize, usize, f64);

/// The exponents of products; of those that seem too steep, at longer lengths.
fn exponents(
    ways: &[Way],
    numbers: &[usize],
    nth: u32,
) -> Result<std::result::Result<Vec<Exponent>, String>> {
    let places: Vec<(usize, usize)> = (0..ways.len())
        .flat_map(|way| numbers.iter().map(move |number| (way, *number)))
        .collect();
    let measure = |places: &[(usize, usize)], sizes: [usize; 2], arguments: &[&str]| {
        let counted = count(Work::Products, arguments, places.len() * sizes.len())?;
        let exponent = |((way, number), counts): (&(usize, usize), &[u64])| {
            let bytes = sizes.map(|size| page(*number, size).len() as f64);
            let exponent = (counts[1] as f64 / counts[0] as f64).ln() / (bytes[1] / bytes[0]).ln();
            (*way, *number, exponent)
        };
        let found = counted.map(|(counts, _)| {
            places
                .iter()
                .zip(counts.chunks(sizes.len()))
                .map(exponent)
                .collect()
        });
        Ok::<std::result::Result<Vec<Exponent>, String>, Box<dyn std::error::Error>>(found)
    };
    let first = match measure(&places, SIZES, &["--products", "--nth", &nth.to_string()])? {
        Ok(first) => first,
        Err(why) => return Ok(Err(why)),
    };
    let (mut out, steep): (Vec<Exponent>, Vec<Exponent>) = first
        .into_iter()
        .partition(|(.., exponent)| *exponent <= STEEPEST);
    if !steep.is_empty() {
        println!(
            "{} seem steep and are measured again at {} and {} bytes",
            steep.len(),
            LONGER[0],
            LONGER[1]
        );
        let again: Vec<(usize, usize)> = steep.iter().map(|(way, number, _)| (*way, *number)).collect();
        let list: Vec<String> = again
            .iter()
            .flat_map(|(way, number)| [number.to_string(), way.to_string()])
            .collect();
        match measure(&again, LONGER, &["--products", "--again", &list.join(",")])? {
            Ok(found) => out.extend(found),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(out))
}
