//! Templates of sites: a file is read or rejected, and a template that was read can be applied, extended,
//! written and exported as rules.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::site::{Origin, Sample, Template, to_rules};
use dehusk_pipeline::extract::{Options, Overrides, Page, extract_with};

use crate::edits;
use crate::page::page;

const TEXTS: &[&str] = &[
    "One river rose overnight, after three days of rain.",
    "Two towns were built, and one of them burnt down.",
    "Three ships came in today, with salt and letters.",
    "Four roads were closed, since the snow came early.",
];

/// Returns a page of the site that templates are learnt from.
fn html(number: usize) -> String {
    format!(
        "<title>Page {number}</title><nav><a href=/>Home</a><a href=/n>News</a></nav><div id=main class='box c{number}'><h1>Page {number}</h1>\
         <p>{}</p><div class=post><b>Ann</b><p>Post {number} a</p></div><div class=post><b>Bo</b><p>Post {number} b</p></div>\
         <p class=tail>Tell others <a href=/s>here</a></p></div><div class=end>The end</div>",
        TEXTS[number % TEXTS.len()]
    )
}

/// The pages that templates are learnt from.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let sample = |number| Sample::new(&Page::decoded(&html(number)), &Options::default());
    (0..4).map(sample).collect()
});

/// Learns a template from three of the pages.
fn learnt() -> Template {
    let mut template = Template::learn(&SAMPLES.iter().take(3).collect::<Vec<_>>());
    template.origin = Origin {
        site: "http://a.example/".to_owned(),
        layout: 1,
        method: "default".to_owned(),
        ..template.origin
    };
    template
}

/// A learnt template as a file, to be edited.
static FILE: LazyLock<String> = LazyLock::new(|| learnt().to_toml());

/// Checks a template. If the first byte of the input is 1, the rest is edits of the file of a learnt
/// template. If it is 2, the rest is pages to learn from. Otherwise the input is a file.
pub(super) fn check(input: &[u8]) {
    match input.split_first() {
        Some((1, changes)) => {
            let mut file = FILE.clone().into_bytes();
            // Edits end when the input is used up, which is not an error.
            let _ = edits::apply(&mut file, &mut Unstructured::new(changes));
            check_file(&String::from_utf8_lossy(&file));
        }
        Some((2, pages)) => check_learning(pages),
        _ => check_file(&String::from_utf8_lossy(input)),
    }
}

/// Reads a file, and checks the template if there is one.
fn check_file(text: &str) {
    match Template::from_toml(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(template) => {
            written(&template);
            used(template);
        }
    }
}

/// Panics if a template that is written and read back differs.
fn written(template: &Template) {
    let file = template.to_toml();
    let again = Template::from_toml(&file).unwrap_or_else(|error| panic!("{error}\n{file}"));
    assert_eq!(again.to_toml(), file);
    assert_eq!(shape(&again), shape(template));
    // The exported rules must be readable, unless a path is too long for a selector.
    let rules = to_rules(&[template]);
    if let Err(error) = RuleSet::read([("rules.toml", rules.as_str())]) {
        assert!(error.to_string().contains("longer than"), "{error}\n{rules}");
    }
}

/// Returns the parts of a template without sums, which are rounded in the file.
fn shape(template: &Template) -> Vec<(String, &'static str, [bool; 2], [u32; 2])> {
    let parts = template.parts().into_iter();
    parts
        .map(|part| {
            let marks = [part.kept, part.container];
            (part.path, part.reason, marks, [part.pages, part.elements])
        })
        .collect()
}

/// Applies and extends a template, and checks the results.
fn used(mut template: Template) {
    let new = html(3);
    let page = Page::decoded(&new).with_url(Some("http://a.example/3"));
    let options = Options::default().with_blocks(true).with_visible_nodes(true);
    let templates = [&template];
    let got = extract_with(&page, &options, &Overrides::default().with_templates(&templates));
    assert!((0.0..=1.0).contains(&got.confidence), "{}", got.confidence);
    for sample in &*SAMPLES {
        // A verdict for each line of the page, even if the template knows none of its parts.
        assert_eq!(template.kept(sample).len(), sample.page_level().len());
    }
    assert_eq!(template.counterparts(&template).len(), template.parts().len());
    template.add(&SAMPLES.iter().collect::<Vec<_>>());
    let _ = template.to_toml();
}

/// Learns from three pages, made of each half and of the whole of the input, and checks the template.
fn check_learning(input: &[u8]) {
    let (first, second) = input.split_at(input.len() / 2);
    let pages = [page(first), page(second), page(input)];
    let samples: Vec<Sample> = pages
        .iter()
        .map(|page| {
            Sample::new(
                &Page::new(page).with_url(Some("http://a.example/")),
                &Options::default(),
            )
        })
        .collect();
    let mut template = Template::learn(&samples.iter().collect::<Vec<_>>());
    template.origin.site = "http://a.example/".to_owned();
    written(&template);
    for sample in &samples {
        assert_eq!(template.kept(sample).len(), sample.page_level().len());
    }
}
