//! Fields of a page that rules and templates of its site give, and the facts needed to decide again with them.

use dehusk_html::tree::NodeId;

use super::address_words::AddressWords;
use super::candidate::Field;
use super::date::Reading;

/// A value at a place that a template knows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlacedValue {
    pub(crate) field: Field,
    pub(crate) values: Vec<String>,
    pub(crate) element: NodeId,
    pub(crate) confidence: f32,
}

/// Fields that rules and templates of the site give.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PageFields {
    /// Values of a rule, which replace those of the page.
    pub(crate) ruled: Vec<(Field, Vec<String>)>,
    /// Values at the places of a template, which are candidates like others.
    pub(crate) placed: Vec<PlacedValue>,
}

impl PageFields {
    /// Whether a rule or a template gives a value of the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.ruled.iter().any(|(ruled, _)| *ruled == field)
            || self.placed.iter().any(|placed| placed.field == field)
    }
}

/// Facts of the page by which titles are compared; see [`TitleFacts`](super::decide::TitleFacts).
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct StatedTitles {
    pub(super) site_heading: Option<String>,
    pub(super) element: Option<String>,
    pub(super) is_top: bool,
    pub(super) address: AddressWords,
}

/// How the page writes dates in numbers; see [`Reading`].
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PageReading {
    language: String,
    month_first: bool,
}

impl PageReading {
    pub(super) fn of(reading: Reading<'_>) -> PageReading {
        PageReading {
            language: reading.language.to_owned(),
            month_first: reading.month_first,
        }
    }

    pub(crate) fn get(&self) -> Reading<'_> {
        Reading {
            language: &self.language,
            month_first: self.month_first,
        }
    }
}
