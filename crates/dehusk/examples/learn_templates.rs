//! A template is learnt from a few pages of one site, in memory, and applied to its other pages.
//!
//! A page alone does not show what is boilerplate: a sentence about cookies reads like any other sentence.
//! Three pages of one layout do, since boilerplate repeats at the same place. A [`Sample`] is what learning
//! needs of a page; its source can be dropped. A [`Template`] states what it learnt of each part of the
//! layout, and abstains where it is unsure.
//!
//! Over files, `dehusk run --learn-sites` groups pages by site and layout, learns in a first pass, and
//! stores templates.
//!
//! `cargo run -p dehusk --example learn_templates`

use std::error::Error;
use std::io::{self, Write};

use dehusk::extract::site::{Sample, Template};
use dehusk::extract::{Options, Overrides, Page, extract, extract_with};

/// Returns a page of one site. Its last line could belong to the text, and is the same on every page.
fn page(text: &str) -> String {
    format!(
        "<nav><a href=/>Home</a></nav><div class=box><p>{text}</p></div><div class=end>The end of it</div>"
    )
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let options = Options::default();
    let known = [
        "The river rose overnight after three days of rain, and the lower town was closed by noon.",
        "Two towns were built on the hill above the old weir, as the council had planned for years.",
        "Three ships came in today with timber from the north, and two more are waiting outside.",
        "The baker on the corner closes his shop in May, and nobody knows who will bake the bread.",
    ]
    .map(page);
    let samples: Vec<Sample> = known
        .iter()
        .map(|html| Sample::new(&Page::decoded(html), &options))
        .collect();
    // Learning needs the samples only, so the pages could have been dropped by now.
    let template = Template::learn(&samples.iter().collect::<Vec<_>>());
    writeln!(out, "learnt from {} pages", template.pages())?;
    for part in template.parts().iter().filter(|part| !part.example.is_empty()) {
        let verdict = if part.kept { "keep" } else { "drop" };
        writeln!(out, "  {verdict}  {}  {:.30}", part.path, part.example)?;
    }

    let new = page("Four roads were closed.");
    let alone = extract(&Page::decoded(&new), &options);
    writeln!(
        out,
        "without the template, by `{}`:\n{}",
        alone.method, alone.text
    )?;
    let templates = [&template];
    let overrides = Overrides::default().with_templates(&templates);
    let found = extract_with(&Page::decoded(&new), &options, &overrides);
    writeln!(out, "with it, by `{}`:\n{}", found.method, found.text)?;

    // More pages may be added later, without the earlier ones.
    let mut template = template;
    template.add(&[&Sample::new(&Page::decoded(&new), &options)]);
    writeln!(out, "now learnt from {} pages", template.pages())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
