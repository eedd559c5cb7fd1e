//! An element of a page, as seen by the selector engine.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use dehusk_html::tree::{Attr, Dom, Namespace};
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::matching::{ElementSelectorFlags, MatchingContext};
use selectors::{Element, OpaqueElement};

use super::elements::{Elements, Linked};
use super::grammar::{Grammar, Name, Unknown};
use crate::rules::budget::{BYTES, COMPARISONS, RuleBudget};

/// A page whose elements are matched.
pub(super) struct View<'v> {
    pub(super) dom: &'v Dom<'v>,
    pub(super) elements: &'v Elements,
    pub(super) budget: &'v RuleBudget,
    /// Whether the budget was exceeded. All matches since then are invalid.
    pub(super) is_spent: Cell<bool>,
}

impl View<'_> {
    /// Pays for reading an attribute; returns false if the budget is exceeded. Attributes of usual size cost
    /// nothing, because fractions of a step are dropped.
    fn pay(&self, steps: u64) -> bool {
        let paid = !self.is_spent.get() && self.budget.take(steps).is_ok();
        self.is_spent.set(!paid);
        paid
    }
}

/// One element.
#[derive(Clone)]
pub(super) struct Candidate<'v> {
    pub(super) view: &'v View<'v>,
    pub(super) at: &'v Linked,
}

impl<'v> Candidate<'v> {
    fn with(&self, at: Option<&'v Linked>) -> Option<Candidate<'v>> {
        let view = self.view;
        at.map(|at| Candidate { view, at })
    }

    /// Finds an attribute; `None` if it is absent or the budget is exceeded.
    fn attribute(&self, name: &str) -> Option<&'v Attr> {
        let dom = self.view.dom;
        let attributes = dom.attrs_of(self.at.origin);
        let paid = self.view.pay(attributes.len() as u64 / COMPARISONS);
        attributes
            .iter()
            .find(|attribute| paid && dom.is_named(attribute, name))
    }

    /// Reads the value of an attribute; `None` if the budget is exceeded.
    fn value(&self, attribute: &'v Attr) -> Option<Cow<'v, str>> {
        let dom = self.view.dom;
        let bytes = dom.attr_bytes(attribute).0.len() as u64;
        self.view.pay(bytes / BYTES).then(|| dom.attr_value(attribute))
    }
}

impl fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.view.dom.name(self.at.origin))
    }
}

impl Element for Candidate<'_> {
    type Impl = Grammar;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.at)
    }

    fn parent_element(&self) -> Option<Self> {
        self.with(self.view.elements.parent(self.at))
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.with(self.view.elements.previous(self.at))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.with(self.view.elements.next(self.at))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.with(self.view.elements.first_child(self.at))
    }

    fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    fn is_root(&self) -> bool {
        self.parent_element().is_none()
    }

    // For these elements names are compared in lower case, which is how the tree stores them.
    fn is_html_element_in_html_document(&self) -> bool {
        self.view.dom.namespace(self.at.origin) == Namespace::Html
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.view.dom.name(self.at.origin) == name.as_ref()
    }

    fn has_namespace(&self, namespace: &Name) -> bool {
        // The grammar has no prefixes, so only elements without a namespace can be requested, and all elements of a page have one.
        debug_assert!(namespace.as_ref().is_empty());
        false
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let kind = |id| (self.view.dom.namespace(id), self.view.dom.name(id));
        kind(self.at.origin) == kind(other.at.origin)
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        self.attribute(name.as_ref())
            .is_some_and(|attribute| match operation {
                AttrSelectorOperation::Exists => true,
                _ => self
                    .value(attribute)
                    .is_some_and(|value| operation.eval_str(&value)),
            })
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        let value = self.attribute("id").and_then(|attribute| self.value(attribute));
        value.is_some_and(|value| case.eq(value.as_bytes(), id.as_ref().as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        let value = self
            .attribute("class")
            .and_then(|attribute| self.value(attribute));
        value.is_some_and(|value| {
            let mut classes = value.split_ascii_whitespace();
            classes.any(|class| case.eq(class.as_bytes(), name.as_ref().as_bytes()))
        })
    }

    fn match_non_ts_pseudo_class(&self, state: &Unknown, _: &mut MatchingContext<'_, Grammar>) -> bool {
        match *state {}
    }

    fn match_pseudo_element(&self, element: &Unknown, _: &mut MatchingContext<'_, Grammar>) -> bool {
        match *element {}
    }

    // Properties that exist only while a browser shows the page.

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn is_link(&self) -> bool {
        false
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    // Flags and hashes serve engines that match again after a change of the page.
    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
