//! Application of templates: whether a template fits a page, and which lines it keeps.

use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use crate::warning::{Warning, WarningKind};

use super::learn::decide::{Decision, OUTSIDE};
use super::learn::roles::Assigned;
use super::sample::Sample;
use super::template::Template;

/// Name of the method in records.
pub const NAME: &str = "site";

/// Minimum number of pages that a template must have been learned from to fire. On a single page nothing repeats.
const MIN_PAGES: u32 = 2;
/// Minimum share of a page's words in known parts for its layout to count as known.
const MIN_KNOWN: f64 = 0.5;
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
    /// Number of words that the template keeps. In scripts without spaces each character counts as a word.
    pub kept_tokens: u64,
    /// Whether its verdicts override the page-level verdicts.
    pub fires: bool,
}

/// A line that a template removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RemovedLine {
    /// Index of its part in [`Template::parts`].
    pub part: usize,
    /// Number of words. In scripts without spaces each character counts as a word.
    pub words: u32,
    /// Reason for the removal: that of the part if the part is removed, otherwise that of the line.
    pub reason: &'static str,
}

/// The template that was applied to a page, and the lines that it removed.
#[derive(Clone, Debug)]
pub struct TemplateUse<'t> {
    /// The template.
    pub template: &'t Template,
    /// Visible lines of known parts that it removed.
    pub removed: Vec<RemovedLine>,
}

/// The match of a template with a page.
struct TemplateMatch {
    fit: TemplateFit,
    /// Role of each element.
    assigned: Vec<Assigned>,
    /// Decision about each line.
    decisions: Vec<Decision>,
}

impl Template {
    /// Returns how well the template fits a page.
    pub fn fit(&self, page: &Sample) -> TemplateFit {
        self.match_page(page).fit
    }

    /// Returns the labels of an analyzed page, given its page-level labels; `None` if the template does not fire.
    pub fn label(&self, view: &PageView<'_>, labels: &Labels) -> Option<Labels> {
        let page = Sample::without_texts(view, labels, self.roles.need_texts());
        let found = self.match_page(&page);
        found.fit.fires.then(|| found.labels(&page, labels.clone()))
    }

    /// Returns, per block, whether it is main text: by the verdict of the template if it fires, otherwise by the page-level verdict.
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

    /// Finds the role of each element of a page and the decision about each line, and measures how much of
    /// the page is known.
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
            // Decisions are inherited from the nearest role, but only elements with a role of their own are known.
            known += when(assigned[line.element as usize].exact);
            kept += when(decision.kept);
        }
        let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        let known = share(known, all);
        let fires = self.doubt().is_none() && self.pages() >= MIN_PAGES && known >= MIN_KNOWN && kept > 0;
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
    /// Returns the visible lines of known parts that are removed.
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

    /// Replaces the verdicts in `labels` by those of the template.
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

/// Replaces the page-level labels by the labels of the template that fits best, and sets `used` to that
/// template. If no template fits, the page-level labels are kept, with a warning.
pub(crate) fn relabel<'t>(
    view: &PageView<'_>,
    mut labels: Labels,
    templates: &[&'t Template],
    used: &mut Option<TemplateUse<'t>>,
) -> Labels {
    // Templates decide about blocks, and `body` is text outside of all blocks.
    if templates.is_empty() || labels.body.is_some() {
        return labels;
    }
    let hashes = templates.iter().any(|template| template.roles.need_texts());
    let page = Sample::without_texts(view, &labels, hashes);
    // Each template examines every element and every line.
    let steps = page.elements.len() + page.lines.len();
    let tried = templates.iter().copied();
    let tried = tried.take_while(|_| view.budget.charge("applying templates", steps));
    match best_match(tried, &page) {
        Some((template, found)) => {
            *used = Some(TemplateUse {
                template,
                removed: found.removed(&page),
            });
            found.labels(&page, labels)
        }
        None => {
            // If an unsure template matches the page, the warning names it instead of saying that no template fits.
            let knows =
                |template: &&&Template| template.doubt().is_some() && template.fit(&page).known >= MIN_KNOWN;
            let doubted = templates
                .iter()
                .find(knows)
                .and_then(|t| Some((t.origin.layout, t.doubt()?)));
            let message = match doubted {
                Some((layout, doubt)) => format!(
                    "the template of layout {layout} is not applied: {doubt}; `{}` answered",
                    labels.method
                ),
                None => format!(
                    "none of {} templates fits; `{}` answered",
                    templates.len(),
                    labels.method
                ),
            };
            labels
                .warnings
                .push(Warning::new(WarningKind::UnknownLayout, message));
            labels
        }
    }
}

/// Returns the template that knows the largest share of a page's words, among those that fire on it; of
/// equals the one with the smallest layout number.
pub fn best_of<'t>(
    templates: impl IntoIterator<Item = &'t Template>,
    page: &Sample,
) -> Option<(&'t Template, TemplateFit)> {
    best_match(templates, page).map(|(template, found)| (template, found.fit))
}

/// Returns the best template as [`best_of`] does, with its match.
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
