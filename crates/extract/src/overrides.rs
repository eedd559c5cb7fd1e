//! Overrides for pages of known sites: rules by hand, then templates, come before the page-level extractor.

use std::fmt::Debug;

use crate::analysis::metadata::FieldOverrides;
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::all_text::AllText;
#[cfg(feature = "rules")]
use crate::rules::apply::{NoText, RuleOutcome, apply, remove_nodes};
#[cfg(feature = "rules")]
use crate::rules::set::RuleSet;
use crate::site::apply::{TemplateUse, relabel};
use crate::site::template::Template;
#[cfg(feature = "rules")]
use crate::warning::{Warning, WarningKind};

/// Characters that an extractor reads in a step.
const TEXT_STEP: usize = 16;

/// Rules by hand and templates of a page's site. The main text is given by the first of the rules for the page's address that finds
/// text, else by the template that fits best, else by the page-level extractor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    #[cfg(feature = "rules")]
    rules: Option<&'a RuleSet>,
    templates: Templates<'a>,
}

/// Where the templates of a page's site are.
#[derive(Clone, Copy, Debug)]
enum Templates<'a> {
    /// These.
    These(&'a [&'a Template]),
    /// Those for the address of the page.
    ByAddress(&'a dyn SiteTemplates),
}

impl Default for Templates<'_> {
    fn default() -> Self {
        Templates::These(&[])
    }
}

/// Templates of many sites.
pub trait SiteTemplates: Debug + Sync {
    /// Those for pages of this address.
    fn for_url(&self, url: &str) -> Vec<&Template>;
}

impl<'a> Overrides<'a> {
    /// Sets rules of any sites; those for the page's address are looked up. None unless set.
    #[cfg(feature = "rules")]
    pub fn with_rules(self, rules: Option<&'a RuleSet>) -> Self {
        Overrides { rules, ..self }
    }

    /// Sets templates of the page's site. None unless set.
    pub fn with_templates(mut self, templates: &'a [&'a Template]) -> Self {
        self.templates = Templates::These(templates);
        self
    }

    /// Sets templates of any sites; those for the page's address are looked up. None unless set.
    pub fn with_site_templates(mut self, templates: &'a dyn SiteTemplates) -> Self {
        self.templates = Templates::ByAddress(templates);
        self
    }

    /// Labels the blocks of a page, and returns fields that replace the page's own. `used` is set to the template that is applied.
    #[cfg(not(feature = "rules"))]
    pub(crate) fn label(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: Option<&mut Option<TemplateUse<'a>>>,
    ) -> (Labels, FieldOverrides) {
        (
            self.label_by_template(view, extractor, used),
            FieldOverrides::default(),
        )
    }

    /// Labels the blocks of a page, and returns fields that replace the page's own. `used` is set to the template that is applied.
    #[cfg(feature = "rules")]
    pub(crate) fn label(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: Option<&mut Option<TemplateUse<'a>>>,
    ) -> (Labels, FieldOverrides) {
        let found = self.rules.zip(view.url).map(|(rules, url)| rules.find_all(url));
        let mut warnings = Vec::new();
        for rule in found.into_iter().flatten() {
            let outcome = apply(view, rule);
            let (kind, why) = match &outcome.text {
                Ok(_) | Err(NoText::NotAsked) => {
                    // This rule fits the page, so warnings of rules that were tried before are dropped.
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
        (labels, FieldOverrides::default())
    }

    /// The labels of a rule; if it gives no main text, those of the templates without what the rule removes.
    #[cfg(feature = "rules")]
    fn outcome(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        outcome: RuleOutcome,
        used: Option<&mut Option<TemplateUse<'a>>>,
    ) -> (Labels, FieldOverrides) {
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

    fn label_by_template(
        &self,
        view: &PageView<'_>,
        extractor: &dyn Extractor,
        used: Option<&mut Option<TemplateUse<'a>>>,
    ) -> Labels {
        // One that may not begin any more keeps all there is: the warning that tells so comes from the budget.
        let steps = view.dom.len() + view.table.chars() / TEXT_STEP;
        let labels = match view.budget.charge("finding the main text", steps) {
            true => extractor.label(view),
            false => AllText.label(view),
        };
        match self.templates {
            Templates::These(templates) => relabel(view, labels, templates, used),
            Templates::ByAddress(sites) => {
                let templates = view.url.map_or_else(Vec::new, |url| sites.for_url(url));
                relabel(view, labels, &templates, used)
            }
        }
    }
}
