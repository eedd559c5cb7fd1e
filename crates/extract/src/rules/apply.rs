//! Application of rules to pages.

use std::cell::OnceCell;
use std::collections::HashSet;

use sxd_document::Package;

use super::budget::{MAX_STEPS, RuleBudget, Stopped};
use super::css;
use super::set::{Expression, FIELDS, Field, Rule};
use super::xpath::evaluate::{self as xpath, Found};
use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::words::collapsed;
use crate::analysis::metadata::values::values_by_rule;
use crate::analysis::metadata::{self, PageFields};
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::tree::NodeId;

/// Name of the method in records.
pub const NAME: &str = "rules";

/// Confidence of a page with a rule: the F1 of rules exported from templates on held-out pages, rounded down.
const CONFIDENCE: f64 = 0.95;

const EXTRACTED: &str = "rule-extract";
const REMOVED: &str = "rule-remove";
const OUTSIDE: &str = "outside-rule";

/// The result of a rule on a page.
pub(crate) struct RuleOutcome {
    pub(crate) fields: PageFields,
    /// Per node: whether it is removed.
    pub(crate) removed: Vec<bool>,
    /// The labels, or the reason why the rule yields no main text.
    pub(crate) text: Result<Labels, NoText>,
}

/// Reason why a rule yields no main text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoText {
    /// The rule only removes parts or finds fields.
    NotAsked,
    /// Its expressions found no text.
    NothingFound,
    /// It was stopped, with the reason.
    Stopped(String),
}

/// Removes the nodes that a rule removes from the labels of another method.
pub(crate) fn remove_nodes(view: &PageView<'_>, removed: Vec<bool>, labels: &mut Labels) {
    for (block, verdict) in view.table.blocks().iter().zip(&mut labels.verdicts) {
        if !verdict.kept {
            continue;
        }
        labels.removed_by_rule += usize::from(has_text_in(view, block, |node| removed[node.index()]));
        if !has_text_in(view, block, |node| !removed[node.index()]) {
            *verdict = Verdict::drop(REMOVED);
        }
    }
    labels.cut = Some(removed);
}

/// Evaluates expressions on one page while nodes are being removed.
struct Evaluator<'v, 'p> {
    view: &'v PageView<'v>,
    budget: RuleBudget,
    /// Per node: whether it is removed, directly or with an ancestor.
    removed: Vec<bool>,
    package: &'p Package,
    css: Option<css::PageElements>,
    xpath: Option<xpath::PageCopy<'p>>,
}

impl Evaluator<'_, '_> {
    /// Evaluates an expression and charges its steps to the budget of the page.
    fn find(&mut self, expression: &Expression) -> Result<Vec<Found>, Stopped> {
        // The budget of the page is charged afterwards. An expression overruns it by at most the steps of the
        // rules.
        let before = self.budget.left();
        let found = self.evaluate(expression);
        let steps = before - self.budget.left();
        match self
            .view
            .budget
            .charge("rules by hand", usize::try_from(steps).unwrap_or(usize::MAX))
        {
            true => found,
            false => Err(Stopped::Steps),
        }
    }

    /// Evaluates an expression on what is left of the page. The elements or the copy are made on first use.
    fn evaluate(&mut self, expression: &Expression) -> Result<Vec<Found>, Stopped> {
        let dom = self.view.dom;
        let found = match expression {
            Expression::Css(selector) => {
                // Built before the first selector only, as is the copy for XPath below before the first
                // XPath.
                let elements = self
                    .css
                    .get_or_insert_with(|| css::PageElements::new(dom, &self.removed));
                let found = elements.find(selector, dom, &self.removed, &self.budget)?;
                found.into_iter().map(Found::Node).collect()
            }
            Expression::XPath(metered) => {
                let copy = match self.xpath.take() {
                    Some(copy) => copy,
                    None => xpath::PageCopy::new(self.package, dom, &self.removed)?,
                };
                self.xpath.insert(copy).find(metered, &self.budget)?
            }
        };
        Ok(found)
    }

    /// Removes a node with its descendants.
    fn remove(&mut self, id: NodeId) {
        if self.removed[id.index()] {
            return;
        }
        let dom = self.view.dom;
        let mut walk = dom.preorder(id);
        while let Some(node) = walk.next() {
            // Descendants of a removed node are removed already.
            if std::mem::replace(&mut self.removed[node.index()], true) {
                walk.skip_subtree(node);
            }
        }
        // Both forms of the page must lose the node, or later expressions would find it.
        if let Some(elements) = &mut self.css {
            elements.remove(dom, id);
        }
        if let Some(copy) = &mut self.xpath {
            copy.remove(id);
        }
    }

    /// Returns the values of a field, taken from the first result that has any; empty if none has.
    fn field(&mut self, name: metadata::candidate::Field, field: &Field) -> Result<Vec<String>, Stopped> {
        let found = self.find(&field.expression)?;
        let dom = self.view.dom;
        let reading = self.view.metadata.reading.get();
        let values = |found: Found| {
            let text = match (found, &field.attribute) {
                (Found::Text(text), _) => text,
                (Found::Node(id), Some(name)) => dom.attr(id, name)?.into_owned(),
                (Found::Node(id), None) if dom.is_text(id) => dom.text(id).into_owned(),
                (Found::Node(id), None) => dom.text_content(id),
            };
            let text = collapsed(&text);
            let text = match &field.regex {
                Some(regex) => {
                    // The first group if there is one and it matched, otherwise the whole match.
                    let found = regex.captures(&text)?;
                    found.get(1).or_else(|| found.get(0))?.as_str().trim().to_owned()
                }
                None => text,
            };
            let text = Some(text.replace('\0', "")).filter(|text| !text.is_empty())?;
            Some(values_by_rule(name, &text, reading)).filter(|values| !values.is_empty())
        };
        Ok(found.into_iter().find_map(values).unwrap_or_default())
    }

    /// Reads the fields of a rule; fields without a value are left out.
    fn fields(&mut self, rule: &Rule) -> Result<PageFields, Stopped> {
        let mut out = PageFields::default();
        for ((_, name), field) in FIELDS.iter().zip(&rule.fields) {
            let Some(field) = field else { continue };
            let values = self.field(*name, field)?;
            if !values.is_empty() {
                out.ruled.push((*name, values));
            }
        }
        Ok(out)
    }

    /// Labels blocks by the nodes that the rule extracts and removes.
    fn labels(&mut self, rule: &Rule) -> Result<Labels, NoText> {
        let stopped = |why: Stopped| NoText::Stopped(why.message());
        // Marked per node first, so that the text keeps the order of the page and each node counts once.
        let mut selected = vec![false; self.view.dom.len()];
        let (mut texts, mut seen) = (Vec::new(), HashSet::new());
        for expression in &rule.extract {
            for found in self.find(expression).map_err(stopped)? {
                match found {
                    Found::Node(id) => selected[id.index()] = true,
                    // Values of attributes have no place in the page; they become lines of their own.
                    Found::Text(text) => texts.extend(line(&text).filter(|line| seen.insert(line.clone()))),
                }
            }
        }
        self.spread_to_descendants(&mut selected);
        let (view, table) = (self.view, self.view.table);
        let verdict = |block: &Block| {
            let selected = |node: NodeId| selected[node.index()];
            if has_text_in(view, block, |node| selected(node) && !self.removed[node.index()]) {
                Verdict::keep(EXTRACTED)
            } else {
                Verdict::drop(if has_text_in(view, block, selected) {
                    REMOVED
                } else {
                    OUTSIDE
                })
            }
        };
        let mut verdicts: Vec<Verdict> = table.blocks().iter().map(verdict).collect();
        // Hidden blocks are dropped, unless everything that the rule extracts is hidden.
        let pairs = || table.blocks().iter().zip(&verdicts);
        if pairs().any(|(block, verdict)| verdict.kept && !block.hidden) {
            for (block, verdict) in table.blocks().iter().zip(&mut verdicts) {
                if verdict.kept && block.hidden {
                    *verdict = Verdict::drop("hidden");
                }
            }
        }
        if texts.is_empty() && !verdicts.iter().any(|v| v.kept) {
            return Err(NoText::NothingFound);
        }
        let mut labels = Labels::new(NAME, verdicts);
        labels.confidence = CONFIDENCE;
        labels.body = (!texts.is_empty()).then(|| texts.join("\n"));
        let nodes = selected.iter().zip(&self.removed);
        labels.cut = Some(nodes.map(|(selected, removed)| !selected || *removed).collect());
        Ok(labels)
    }

    /// Marks all descendants of marked nodes.
    fn spread_to_descendants(&self, marked: &mut [bool]) {
        let dom = self.view.dom;
        for id in dom.preorder(NodeId::DOCUMENT) {
            // In document order a parent is complete before its children.
            let above = dom.parent(id).is_some_and(|p| marked[p.index()]);
            marked[id.index()] |= above;
        }
    }
}

/// Returns the text of an attribute as one line; `None` if it is empty.
fn line(text: &str) -> Option<String> {
    let line = collapsed(text).replace('\0', "");
    Some(line).filter(|line| !line.is_empty())
}

/// Returns whether a block has text in a node that `accepts` accepts.
fn has_text_in(view: &PageView<'_>, block: &Block, accepts: impl Fn(NodeId) -> bool) -> bool {
    let blank = |node: NodeId| view.dom.text(node).chars().all(char::is_whitespace);
    let nodes = view.table.nodes(block).iter().copied();
    nodes.filter(|node| accepts(*node)).any(|node| !blank(node))
}

/// Applies a rule: first its fields, then `remove`, then `extract`.
pub(crate) fn apply(view: &PageView<'_>, rule: &Rule) -> RuleOutcome {
    let package: OnceCell<Package> = OnceCell::new();
    let mut evaluator = Evaluator {
        view,
        budget: RuleBudget::new(MAX_STEPS),
        removed: vec![false; view.dom.len()],
        package: package.get_or_init(Package::new),
        css: None,
        xpath: None,
    };
    let no_text = |why: NoText, fields: PageFields| RuleOutcome {
        fields,
        removed: vec![false; view.dom.len()],
        text: Err(why),
    };
    // Fields come first: `remove` may take away the byline that a field reads.
    let fields = match evaluator.fields(rule) {
        Ok(fields) => fields,
        Err(why) => return no_text(NoText::Stopped(why.message()), PageFields::default()),
    };
    for expression in &rule.remove {
        match evaluator.find(expression) {
            Ok(found) => {
                for found in found {
                    if let Found::Node(id) = found {
                        evaluator.remove(id);
                    }
                }
            }
            Err(why) => return no_text(NoText::Stopped(why.message()), fields),
        }
    }
    if rule.extract.is_empty() {
        return RuleOutcome {
            fields,
            removed: evaluator.removed,
            text: Err(NoText::NotAsked),
        };
    }
    match evaluator.labels(rule) {
        Ok(labels) => RuleOutcome {
            fields,
            // `labels.cut` contains the removed nodes.
            removed: Vec::new(),
            text: Ok(labels),
        },
        // A rule that finds nothing was probably written for another layout, so its removals are undone.
        Err(why) => no_text(why, fields),
    }
}
