//! The ways in which a page can be processed.

use std::hint::black_box;

use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::site::{Sample, Template, methods};
use dehusk_pipeline::extract::{Options, Overrides, Page, extract, extract_with, label, longest_form};
use dehusk_pipeline::record::{Content, PageRecord};
use dehusk_pipeline::verbs::explain::explain_page;

use crate::result::Result;

/// A way to process a page.
pub(super) enum Way {
    /// All forms of the output.
    Forms,
    /// The report of the page's extraction.
    Explain,
    Extractor(&'static str),
    /// Rules for main text: a name, and an expression.
    Rules(&'static str, &'static str),
    /// A template that is learnt from three such pages.
    Template,
    SiteMethod(&'static str),
}

/// Returns all ways, in order.
pub(super) fn all() -> Vec<Way> {
    let extractors = label::ALL
        .iter()
        .map(|extractor| Way::Extractor(extractor.name()));
    let rules = [
        ("css", "{ css = \"div p, td > a[href]\" }"),
        (
            "css attributes",
            "{ css = \".comment b, [class~=sidebar] i, [style*=blue] p:empty\" }",
        ),
        ("xpath", "{ xpath = \"//p | //td//a[@href]\" }"),
        ("xpath attributes", "{ xpath = \"//a/@href | //@class\" }"),
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
    pub(super) fn name(&self) -> String {
        match self {
            Way::Forms => "all forms".to_owned(),
            Way::Explain => "explain".to_owned(),
            Way::Template => "a template".to_owned(),
            Way::Extractor(name) => (*name).to_owned(),
            Way::Rules(name, _) => format!("rules: {name}"),
            Way::SiteMethod(name) => format!("sites: {name}"),
        }
    }

    /// Returns the number of pages that are in memory together.
    pub(super) fn pages(&self) -> u64 {
        match self {
            Way::Template | Way::SiteMethod(_) => 3,
            _ => 1,
        }
    }

    /// Processes a page, and returns the length of the longest output in bytes. `prepared` is the result of
    /// [`Way::prepare`].
    pub(super) fn go(&self, source: &str, prepared: &Prepared) -> usize {
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
                // The page and its siblings have the same structure, which is what a template is learnt
                // from.
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

    /// Prepares options and rules before the measurement, and loads all data that are loaded on first use.
    pub(super) fn prepare(&self) -> Result<Prepared> {
        let method = if let Way::Extractor(name) = self {
            name
        } else {
            "default"
        };
        let mut options = Options::default().with_extractor(method)?;
        // Every form of output is requested, since any of them could be the long one.
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
        // Loads what is loaded on first use.
        black_box(self.go("<p class=x>First words.", &prepared));
        Ok(prepared)
    }
}

/// The prepared options and rules of a way.
pub(super) struct Prepared {
    options: Options,
    rules: Option<RuleSet>,
}

/// Returns three pages that differ in one paragraph.
fn siblings(source: &str) -> [String; 3] {
    ["One river rose.", "Two towns were built.", "Three ships came in."]
        .map(|text| format!("<p>{text}</p>{source}"))
}

/// Returns the sample of a page, as templates are learnt from it.
fn sample(source: &str, options: &Options) -> Sample {
    Sample::new(&Page::decoded(source), options)
}
