//! Overrides for pages of known sites: hand-written rules, then templates, take precedence over the page-level extractor.

use std::fmt::Debug;

use crate::analysis::metadata::PageFields;
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::all_text::AllText;
#[cfg(feature = "rules")]
use crate::rules::apply::{NoText, RuleOutcome, apply, remove_nodes};
#[cfg(feature = "rules")]
use crate::rules::set::RuleSet;
use crate::site::apply::{TemplateUse, relabel};
use crate::site::fields::best_known;
use crate::site::template::Template;
#[cfg(feature = "rules")]
use crate::warning::{Warning, WarningKind};

/// Characters that count as one step of the budget when an extractor reads them.
const TEXT_STEP: usize = 16;

/// Hand-written rules and templates for a page's site.
///
/// The main text comes from the first rule for the page's address that finds text, else from the template that fits best, else from the
/// page-level extractor.
///
/// ```
/// use dehusk_extract::site::{Sample, Template};
/// use dehusk_extract::{Options, Overrides, Page, extract_with};
///
/// let options = Options::default();
/// let pages = ["The river rose overnight.", "Three ships came in today.", "The mill burns."]
///     .map(|text| format!("<p class=story>{text}<p class=end>Write to us, we read all letters."));
/// let samples: Vec<Sample> = pages.iter().map(|html| Sample::new(&Page::decoded(html), &options)).collect();
/// let template = Template::learn(&samples.iter().collect::<Vec<_>>());
/// let templates = [&template];
/// let overrides = Overrides::default().with_templates(&templates);
/// let got = extract_with(&Page::decoded(&pages[0]), &options, &overrides);
/// assert!(got.text.contains("The river rose overnight."));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    #[cfg(feature = "rules")]
    rules: Option<&'a RuleSet>,
    templates: Templates<'a>,
}

/// Source of the templates for a page's site.
#[derive(Clone, Copy, Debug)]
enum Templates<'a> {
    /// A fixed list.
    These(&'a [&'a Template]),
    /// Looked up by the address of the page.
    ByAddress(&'a dyn SiteTemplates),
}

impl Default for Templates<'_> {
    fn default() -> Self {
        Templates::These(&[])
    }
}

/// Templates of many sites, looked up by address.
pub trait SiteTemplates: Debug + Sync {
    /// Templates for pages at the address `url`; empty if the site is unknown.
    fn for_url(&self, url: &str) -> Vec<&Template>;
}

impl<'a> Overrides<'a> {
    /// Sets the rules; those for the page's address are looked up. Default: no rules.
    #[cfg(feature = "rules")]
    pub fn with_rules(self, rules: Option<&'a RuleSet>) -> Self {
        Overrides { rules, ..self }
    }

    /// Sets the templates of the page's site. Default: no templates.
    pub fn with_templates(mut self, templates: &'a [&'a Template]) -> Self {
        self.templates = Templates::These(templates);
        self
    }

    /// Sets templates of many sites; those for the page's address are looked up. Default: no templates.
    pub fn with_site_templates(mut self, templates: &'a dyn SiteTemplates) -> Self {
        self.templates = Templates::ByAddress(templates);
        self
    }

    /// Labels the blocks of a page. Also returns the fields of its metadata that rules and templates give.
    /// Sets `used` if a template is applied.
    pub(crate) fn label(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: Option<&mut Option<TemplateUse<'a>>>,
    ) -> (Labels, PageFields) {
        let mut applied = None;
        let (labels, mut fields) = self.label_by_rule(view, extractor, &mut applied);
        // Without an applied template, the best known one still gives fields: a rule may have given the text,
        // or the template is unsure of the text only.
        let template = match &applied {
            Some(applied) => Some(applied.template),
            None => best_known(view, &labels, &self.templates_for(view.url)),
        };
        if let Some(template) = template {
            template.add_fields(view, &mut fields);
        }
        if let Some(used) = used {
            *used = applied;
        }
        (labels, fields)
    }

    /// Templates of the page's site. Empty if they are looked up by address and the page has none.
    fn templates_for(&self, url: Option<&str>) -> Vec<&'a Template> {
        match self.templates {
            Templates::These(templates) => templates.to_vec(),
            Templates::ByAddress(sites) => url.map_or_else(Vec::new, |url| sites.for_url(url)),
        }
    }

    #[cfg(not(feature = "rules"))]
    fn label_by_rule(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: &mut Option<TemplateUse<'a>>,
    ) -> (Labels, PageFields) {
        (
            self.label_by_template(view, extractor, used),
            PageFields::default(),
        )
    }

    #[cfg(feature = "rules")]
    fn label_by_rule(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: &mut Option<TemplateUse<'a>>,
    ) -> (Labels, PageFields) {
        let found = self.rules.zip(view.url).map(|(rules, url)| rules.find_all(url));
        let mut warnings = Vec::new();
        for rule in found.into_iter().flatten() {
            let outcome = apply(view, rule);
            let (kind, why) = match &outcome.text {
                Ok(_) | Err(NoText::NotAsked) => {
                    // This rule fits the page, so warnings about rules tried before it are dropped.
                    return self.outcome(view, extractor, outcome, used);
                }
                Err(NoText::NothingFound) => (WarningKind::RuleSilent, "found nothing"),
                Err(NoText::Stopped(why)) => (WarningKind::RuleLimit, why.as_str()),
            };
            warnings.push(Warning::new(kind, format!("the rule at {} {why}", rule.place())));
        }
        let mut labels = self.label_by_template(view, extractor, used);
        for warning in &mut warnings {
            warning
                .message
                .push_str(&format!("; `{}` answered", labels.method));
        }
        labels.warnings.extend(warnings);
        (labels, PageFields::default())
    }

    /// Labels by a rule. If the rule does not select the main text, labels by the templates and removes the rule's removed nodes.
    #[cfg(feature = "rules")]
    fn outcome(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        outcome: RuleOutcome,
        used: &mut Option<TemplateUse<'a>>,
    ) -> (Labels, PageFields) {
        let RuleOutcome {
            fields,
            removed,
            text,
        } = outcome;
        let labels = text.unwrap_or_else(|_| {
            let mut labels = self.label_by_template(view, extractor, used);
            remove_nodes(view, removed, &mut labels);
            labels
        });
        (labels, fields)
    }

    /// Labels by the best template that fits, otherwise by the extractor.
    fn label_by_template(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: &mut Option<TemplateUse<'a>>,
    ) -> Labels {
        // If the budget is spent, everything is kept; the warning about it comes from the budget.
        let steps = view.dom.len() + view.table.chars() / TEXT_STEP;
        let labels = match view.budget.charge("finding the main text", steps) {
            true => extractor.label(view),
            false => AllText.label(view),
        };
        relabel(view, labels, &self.templates_for(view.url), used)
    }
}
