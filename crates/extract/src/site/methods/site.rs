//! `site`: templates, learned from the pages and applied to them.

use super::method::SiteMethod;
use crate::options::Options;
use crate::page::Page;
use crate::site::apply::NAME;
use crate::site::sample::Sample;
use crate::site::template::Template;

/// Learns a template from the pages and applies it to them. The extractor of the options labels the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site;

impl SiteMethod for Site {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "containers of what varies from page to page, less parts that evidence speaks against; kept as templates"
    }

    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String> {
        let samples: Vec<_> = pages.iter().map(|page| Sample::new(page, options)).collect();
        let template = Template::learn(&samples.iter().collect::<Vec<_>>());
        let of = |page| template.kept(page);
        samples.iter().map(|page| page.text_of(&of(page))).collect()
    }
}
