//! Products: two things of a page that are harmless alone, a long attribute and many words say, must stay a sum for every way a page
//! can go. Memory and the longest output are measured in a long page ([`memory`]), instructions in a page of two lengths ([`growth`]).

mod growth;
mod memory;
mod pages;
mod ways;

use clap::Args;

use self::growth::{LONGER, SIZES};
use self::memory::{LONG, Taken};
use self::ways::Way;
use crate::result::Result;

/// Largest exponent of instructions over bytes.
const STEEPEST: f64 = 1.1;
/// Most memory for each byte of a page, and for any page.
const MEMORY: (u64, u64) = (40, 64 << 20);
/// Most output for each byte of a page, and for any page.
const OUTPUT: (u64, u64) = (4, 1 << 20);

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
    /// Leave out the first N products: with `--nth 3`, `--skip 0`, `1` and `2` are three runs that have all between them
    #[arg(long, default_value_t = 0, value_name = "N", requires = "products")]
    skip: usize,
    /// Only these ways, by the names that the lines of a run begin with: what a stopped run has not printed yet, or its share on another
    /// core
    #[arg(long = "way", value_name = "NAME", requires = "products")]
    ways: Vec<String>,
    /// Only these products, by number, at longer lengths
    #[arg(long, hide = true, value_delimiter = ',')]
    again: Vec<usize>,
    /// What one process measures: the number of a product and that of a way
    #[arg(long, hide = true, num_args = 2)]
    pub(super) memory_of: Vec<usize>,
}

impl Products {
    /// The ways that are asked for, with their numbers.
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

    /// Numbers of the products.
    fn numbers(&self) -> Vec<usize> {
        (self.skip..pages::all()).step_by(self.nth as usize).collect()
    }
}

/// Does what is counted. Called inside valgrind.
pub(super) fn work(products: &Products) -> Result<()> {
    for (_, way) in products.chosen()? {
        match products.again.as_slice() {
            [] => growth::work(&way, &products.numbers(), SIZES)?,
            again => growth::work(&way, again, LONGER)?,
        }
    }
    Ok(())
}

/// Prints the memory that a way takes for a long product, in bytes, and its longest output.
pub(super) fn memory_of(number: usize, way: usize) -> Result<()> {
    let way = ways::all().into_iter().nth(way).ok_or("there is no such way")?;
    memory::print(number % pages::all(), &way)
}

/// The largest of many figures, and where it was.
#[derive(Clone, Default)]
struct Largest(f64, String);

impl Largest {
    fn see(&mut self, other: Largest) {
        if other.0 > self.0 {
            *self = other;
        }
    }
}

/// The worst of what was measured.
#[derive(Default)]
struct Worst {
    memory: Largest,
    output: Largest,
    exponent: Largest,
    failed: Vec<String>,
}

impl Worst {
    /// Tells of a product that is more than a sum at once: the whole takes hours.
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

/// Measures the products, one way after the other; fails if one is steeper, or takes more memory or output than it may.
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
        for &number in &numbers {
            let place = place(way, number);
            match memory::measure(number, way, *way_number)? {
                Ok(taken) => worst.see_taken(&place, &taken),
                Err(how) => worst.fail(format!("{place}: {how}")),
            }
        }
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

fn place(way: &Way, number: usize) -> String {
    format!("{}: {}", way.name(), pages::name(number))
}

/// Counts the instructions of products on a way; those that seem steep again, at longer lengths. `Err` inside `Ok` says why nothing
/// was counted.
fn see_instructions(
    products: &Products,
    way: &Way,
    numbers: &[usize],
    worst: &mut Worst,
) -> Result<std::result::Result<(), String>> {
    let (name, nth, skip) = (way.name(), products.nth.to_string(), products.skip.to_string());
    let arguments = ["--products", "--way", &name, "--nth", &nth, "--skip", &skip];
    let exponents = match growth::exponents(numbers, SIZES, &arguments)? {
        Ok(exponents) => exponents,
        Err(why) => return Ok(Err(why)),
    };
    let mut steep = Vec::new();
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
