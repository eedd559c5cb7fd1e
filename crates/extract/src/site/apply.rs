//! Applying templates: whether one fits a page, and which lines it keeps.

use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use crate::warning::{Warning, WarningKind};

use super::learn::decide::{Decision, OUTSIDE};
use super::learn::roles::Assigned;
use super::sample::Sample;
use super::template::Template;

/// Name of the method in records.
pub const NAME: &str = "site";

/// Least pages a template must have been learnt from to fire. On a single page nothing repeats.
const MIN_PAGES: u32 = 2;
/// Least share of a page's words that must be in known parts for its layout to count as known.
const LEAST_KNOWN: f64 = 0.5;
/// Confidence of a page whose template fires: the F1 on held-out sites, rounded down.
const CONFIDENCE: f64 = 0.95;

/// How well a template fits a page.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TemplateFit {
    /// Share of the page's words that are in known parts, 0 to 1.
    pub known: f64,
    /// Share of the page's words that the template keeps, 0 to 1.
    pub kept: f64,
    /// Number of words that the template keeps; of scripts without spaces, characters.
    pub kept_tokens: u64,
    /// Whether its verdicts override the page-level ones.
    pub fires: bool,
}

/// A line that a template removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RemovedLine {
    /// The part of the template that holds it: a number in [`Template::parts`].
    pub part: usize,
    /// Words; of scripts without spaces, characters.
    pub words: u32,
    /// Why: the reason of the part if that is removed, else that of the line.
    pub reason: &'static str,
}

/// The template that was applied to a page, and what it removed.
#[derive(Clone, Debug)]
pub struct TemplateUse<'t> {
    /// The template.
    pub template: &'t Template,
    /// The visible lines of known parts that it removed.
    pub removed: Vec<RemovedLine>,
}

/// The match of a template with a page.
struct TemplateMatch {
    fit: TemplateFit,
    /// The role of each element.
    assigned: Vec<Assigned>,
    /// The decision about each line.
    decisions: Vec<Decision>,
}

impl Template {
    /// How the template fits a page.
    pub fn fit(&self, page: &Sample) -> TemplateFit {
        self.match_page(page).fit
    }

    /// The labels of a page that is analyzed already: `labels` are the page-level ones. `None` where the template does not fire.
    pub fn label(&self, view: &PageView<'_>, labels: &Labels) -> Option<Labels> {
        let page = Sample::without_texts(view, labels);
        let found = self.match_page(&page);
        found.fit.fires.then(|| found.labels(&page, labels.clone()))
    }

    /// Which blocks of a page are main text: the template's verdict where it fires, else the page-level one.
    pub fn kept(&self, page: &Sample) -> Vec<bool> {
        let TemplateMatch { fit, decisions, .. } = self.match_page(page);
        if !fit.fires {
            return page.page_level();
        }
        let mut out = vec![false; page.blocks()];
        for (line, decision) in page.lines.iter().zip(decisions) {
            for block in line.blocks.clone() {
                out[block as usize] = decision.kept && !line.hidden;
            }
        }
        out
    }

    fn match_page(&self, page: &Sample) -> TemplateMatch {
        let assigned = self.roles.assign(page);
        let unknown = Decision {
            reason: OUTSIDE,
            ..Decision::default()
        };
        let decisions: Vec<Decision> = page
            .lines
            .iter()
            .map(|line| {
                let role = assigned[line.element as usize].role;
                role.map_or(unknown, |r| self.decisions[r as usize])
            })
            .collect();
        let [mut all, mut known, mut kept] = [0; 3];
        for (line, decision) in page.lines.iter().zip(&decisions).filter(|(l, _)| !l.hidden) {
            let when = |is: bool| if is { line.tokens } else { 0 };
            all += line.tokens;
            known += when(assigned[line.element as usize].exact);
            kept += when(decision.kept);
        }
        let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        let known = share(known, all);
        let fires = !self.abstains && self.pages() >= MIN_PAGES && known >= LEAST_KNOWN && kept > 0;
        let fit = TemplateFit {
            known,
            kept: share(kept, all),
            kept_tokens: kept.into(),
            fires,
        };
        TemplateMatch {
            fit,
            assigned,
            decisions,
        }
    }
}

impl TemplateMatch {
    /// The visible lines of known parts that are removed.
    fn removed(&self, page: &Sample) -> Vec<RemovedLine> {
        let lines = page.lines.iter().zip(&self.decisions);
        lines
            .filter(|(line, decision)| !decision.kept && !line.hidden)
            .filter_map(|(line, decision)| {
                let part = self.assigned[line.element as usize].role? as usize;
                Some(RemovedLine {
                    part,
                    words: line.tokens,
                    reason: decision.reason,
                })
            })
            .collect()
    }

    /// Replaces the verdicts in `labels` by the template's.
    fn labels(&self, page: &Sample, labels: Labels) -> Labels {
        let mut verdicts = labels.verdicts;
        for (line, decision) in page.lines.iter().zip(&self.decisions) {
            for block in line.blocks.clone() {
                verdicts[block as usize] = match decision.kept && !line.hidden {
                    true => Verdict::keep(decision.reason),
                    false if line.hidden => Verdict::drop("hidden"),
                    false => Verdict::drop(decision.reason),
                };
            }
        }
        Labels {
            method: NAME,
            verdicts,
            confidence: CONFIDENCE,
            abstained: None,
            ..labels
        }
    }
}

/// Replaces the page-level labels by those of the template that fits best. If none fits, the page-level labels are kept, with a
/// warning. `used` is set to the template that is applied.
pub(crate) fn relabel<'t>(
    view: &PageView<'_>,
    mut labels: Labels,
    templates: &[&'t Template],
    used: Option<&mut Option<TemplateUse<'t>>>,
) -> Labels {
    if templates.is_empty() || labels.body.is_some() {
        return labels;
    }
    let page = Sample::without_texts(view, &labels);
    // Each template looks at every element and every line.
    let steps = page.elements.len() + page.lines.len();
    let tried = templates.iter().copied();
    let tried = tried.take_while(|_| view.budget.charge("applying templates", steps));
    match best_match(tried, &page) {
        Some((template, found)) => {
            if let Some(used) = used {
                *used = Some(TemplateUse {
                    template,
                    removed: found.removed(&page),
                });
            }
            found.labels(&page, labels)
        }
        None => {
            let message = format!(
                "none of {} templates fits; `{}` answered",
                templates.len(),
                labels.method
            );
            labels
                .warnings
                .push(Warning::new(WarningKind::UnknownLayout, message));
            labels
        }
    }
}

/// Of the templates that fire on a page, the one that knows most of its words; of equals the one with the smallest layout number.
pub fn best_of<'t>(
    templates: impl IntoIterator<Item = &'t Template>,
    page: &Sample,
) -> Option<(&'t Template, TemplateFit)> {
    best_match(templates, page).map(|(template, found)| (template, found.fit))
}

fn best_match<'t>(
    templates: impl IntoIterator<Item = &'t Template>,
    page: &Sample,
) -> Option<(&'t Template, TemplateMatch)> {
    let matches = templates.into_iter().map(|t| (t, t.match_page(page)));
    matches.filter(|(_, found)| found.fit.fires).max_by(|a, b| {
        let known = a.1.fit.known.total_cmp(&b.1.fit.known);
        known.then(b.0.origin.layout.cmp(&a.0.origin.layout))
    })
}
