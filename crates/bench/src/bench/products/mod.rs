//! Products: pages with two properties that are harmless alone, such as a long attribute and many words.
//! Their cost must be the sum of both, not the product, in every way that a page can be processed. Memory
//! and longest output are measured on a long page ([`memory`]), instructions on pages of two lengths
//! ([`growth`]).

mod growth;
mod memory;
mod pages;
mod ways;

use clap::Args;

use self::growth::{LONGER, SIZES};
use self::memory::{LONG, Taken};
use self::ways::Way;
use crate::result::Result;

/// Largest accepted exponent of instructions over bytes.
const STEEPEST: f64 = 1.1;
/// Largest accepted memory: bytes per byte of page, plus bytes for any page.
const MEMORY: (u64, u64) = (40, 64 << 20);
/// Largest accepted output: bytes per byte of page, plus bytes for any page.
const OUTPUT: (u64, u64) = (4, 1 << 20);

/// Which products are measured
#[derive(Args)]
pub(super) struct Products {
    /// Instead: measure products of all pairs of properties of a page, for every output form, extractor, method for
    /// sites and form of rules (needs valgrind for instructions)
    #[arg(long, conflicts_with_all = ["growth", "parsers", "json"])]
    pub(super) products: bool,
    /// Use every Nth product
    #[arg(long, default_value_t = 1, value_name = "N", requires = "products", value_parser = clap::value_parser!(u32).range(1..))]
    nth: u32,
    /// Leave out the first N products: with `--nth 3`, three runs with `--skip 0`, `1` and `2` cover all products
    #[arg(long, default_value_t = 0, value_name = "N", requires = "products")]
    skip: usize,
    /// Measure only these ways, by the names at the beginning of a run's lines, for example to complete a stopped run
    /// or to share the work between cores
    #[arg(long = "way", value_name = "NAME", requires = "products")]
    ways: Vec<String>,
    /// Measure only these products, by number, at larger lengths
    #[arg(long, hide = true, value_delimiter = ',')]
    again: Vec<usize>,
    /// What one process measures: the number of a product and the number of a way
    #[arg(long, hide = true, num_args = 2)]
    pub(super) memory_of: Vec<usize>,
}

impl Products {
    /// Returns the chosen ways with their numbers in the list of all ways.
    fn chosen(&self) -> Result<Vec<(usize, Way)>> {
        let all = ways::all();
        for name in &self.ways {
            if !all.iter().any(|way| way.name() == *name) {
                let known: Vec<String> = all.iter().map(Way::name).collect();
                return Err(format!("no way `{name}`; known: {}", known.join(", ")).into());
            }
        }
        let asked = |way: &Way| self.ways.is_empty() || self.ways.contains(&way.name());
        Ok(all
            .into_iter()
            .enumerate()
            .filter(|(_, way)| asked(way))
            .collect())
    }

    /// Returns the numbers of the chosen products.
    fn numbers(&self) -> Vec<usize> {
        (self.skip..pages::all()).step_by(self.nth as usize).collect()
    }
}

/// Does the counted work. Called inside valgrind.
pub(super) fn work(products: &Products) -> Result<()> {
    for (_, way) in products.chosen()? {
        // `--again` has the products that seemed steep; see `see_instructions`.
        match products.again.as_slice() {
            [] => growth::work(&way, &products.numbers(), SIZES)?,
            again => growth::work(&way, again, LONGER)?,
        }
    }
    Ok(())
}

/// Prints memory and longest output of a long product in one way, in bytes.
pub(super) fn memory_of(number: usize, way: usize) -> Result<()> {
    let way = ways::all().into_iter().nth(way).ok_or("there is no such way")?;
    memory::print(number % pages::all(), &way)
}

/// The largest of several figures, and its place.
#[derive(Clone, Default)]
struct Largest(f64, String);

impl Largest {
    fn see(&mut self, other: Largest) {
        if other.0 > self.0 {
            *self = other;
        }
    }
}

/// The largest measured figures, and all failures.
#[derive(Default)]
struct Worst {
    memory: Largest,
    output: Largest,
    exponent: Largest,
    failed: Vec<String>,
}

impl Worst {
    /// Records a failure, and prints it immediately because a complete run takes hours.
    fn fail(&mut self, what: String) {
        eprintln!("FAIL {what}");
        self.failed.push(what);
    }

    fn see_taken(&mut self, place: &str, taken: &Taken) {
        let (pages, of_page) = (taken.pages, |bytes: u64| {
            Largest(bytes as f64 / taken.pages as f64, place.to_owned())
        });
        self.memory.see(of_page(taken.memory));
        self.output.see(of_page(taken.output));
        // The constant part allows for tables that do not depend on the page.
        if taken.memory > MEMORY.0 * pages + MEMORY.1 {
            self.fail(format!("{place}: {} bytes of memory for {pages}", taken.memory));
        }
        if taken.output > OUTPUT.0 * pages + OUTPUT.1 {
            self.fail(format!("{place}: {} bytes of output for {pages}", taken.output));
        }
    }

    fn see_exponent(&mut self, place: &str, exponent: f64) {
        self.exponent.see(Largest(exponent, place.to_owned()));
        if exponent > STEEPEST {
            self.fail(format!("{place}: instructions n^{exponent:.2}"));
        }
    }

    fn add(&mut self, other: Worst) {
        self.memory.see(other.memory);
        self.output.see(other.output);
        self.exponent.see(other.exponent);
        self.failed.extend(other.failed);
    }
}

/// Measures the products, one way after another. Fails if a product grows too fast or takes too much memory or output.
pub(super) fn run(products: &Products) -> Result<()> {
    let (chosen, numbers) = (products.chosen()?, products.numbers());
    println!(
        "{} products of {} ways; bytes for a byte of {LONG}, instructions at {SIZES:?} bytes",
        chosen.len() * numbers.len(),
        chosen.len()
    );
    println!(
        "{:24} {:>7} {:>7} {:>12}",
        "way", "memory", "output", "instructions"
    );
    let (mut all, mut skipped) = (Worst::default(), None);
    for (way_number, way) in &chosen {
        let mut worst = Worst::default();
        // A process of its own for each product, since the peak of memory never falls.
        for &number in &numbers {
            let place = place(way, number);
            match memory::measure(number, way, *way_number)? {
                Ok(taken) => worst.see_taken(&place, &taken),
                Err(how) => worst.fail(format!("{place}: {how}")),
            }
        }
        // Without valgrind, memory and output are still measured; the reason is reported once at the end.
        if skipped.is_none() {
            skipped = see_instructions(products, way, &numbers, &mut worst)?.err();
        }
        let exponent = match skipped {
            None => format!("n^{:.2}", worst.exponent.0),
            Some(_) => "not counted".to_owned(),
        };
        let (memory, output) = (worst.memory.0, worst.output.0);
        println!("{:24} {memory:>7.1} {output:>7.2} {exponent:>12}", way.name());
        all.add(worst);
    }
    println!("most memory: {:.1}, {}", all.memory.0, all.memory.1);
    println!("longest output: {:.2}, {}", all.output.0, all.output.1);
    match skipped {
        None => println!("steepest: n^{:.2}, {}", all.exponent.0, all.exponent.1),
        Some(why) => eprintln!("SKIPPED: instructions were not counted: {why}"),
    }
    if all.failed.is_empty() {
        return Ok(());
    }
    let (number, list) = (all.failed.len(), all.failed.join("\n"));
    Err(format!("{number} products are more than sums:\n{list}").into())
}

/// Returns the names of a way and a product, for messages.
fn place(way: &Way, number: usize) -> String {
    format!("{}: {}", way.name(), pages::name(number))
}

/// Counts the instructions of products in one way, and again at larger lengths for products that seem steep. `Err`
/// inside `Ok` holds the reason why nothing was counted.
fn see_instructions(
    products: &Products,
    way: &Way,
    numbers: &[usize],
    worst: &mut Worst,
) -> Result<std::result::Result<(), String>> {
    let (name, nth, skip) = (way.name(), products.nth.to_string(), products.skip.to_string());
    // The process in valgrind selects its work by these arguments. It must select the same products in the
    // same order.
    let arguments = ["--products", "--way", &name, "--nth", &nth, "--skip", &skip];
    let exponents = match growth::exponents(numbers, SIZES, &arguments)? {
        Ok(exponents) => exponents,
        Err(why) => return Ok(Err(why)),
    };
    let mut steep = Vec::new();
    // Two short lengths are cheap but mistake bounded work for growth. So only the steep products are
    // measured on long pages.
    for (&number, exponent) in numbers.iter().zip(exponents) {
        if exponent > STEEPEST {
            steep.push(number);
        } else {
            worst.see_exponent(&place(way, number), exponent);
        }
    }
    if steep.is_empty() {
        return Ok(Ok(()));
    }
    eprintln!(
        "{name}: {} seem steep and are counted again at {LONGER:?} bytes",
        steep.len()
    );
    let list: Vec<String> = steep.iter().map(usize::to_string).collect();
    let list = list.join(",");
    let arguments = ["--products", "--way", &name, "--again", &list];
    let exponents = growth::exponents(&steep, LONGER, &arguments)?;
    Ok(exponents.map(|exponents| {
        for (&number, exponent) in steep.iter().zip(exponents) {
            worst.see_exponent(&place(way, number), exponent);
        }
    }))
}
