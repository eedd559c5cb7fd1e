//! Fields of the metadata of a page, by the places that its template knows.

use super::sample::Sample;
use super::spots::{elements, values_at};
use super::template::Template;
use crate::analysis::metadata::candidate::Field;
use crate::analysis::metadata::{PageFields, PlacedValue};
use crate::label::extractor::PageView;
use crate::label::labels::Labels;

/// Minimum share of a page's words in known parts for a template to know the places of its fields.
const MIN_KNOWN: f64 = 0.5;

/// Where the pages of a template have a field.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TemplateField<'t> {
    /// The field: [`Field::Title`], [`Field::Authors`], [`Field::Date`] or [`Field::Modified`].
    #[cfg_attr(feature = "serde", serde(serialize_with = "field_name"))]
    pub field: Field,
    /// The elements as a CSS selector. The first of them that has a value counts.
    pub css: String,
    /// The attribute that has the value; `None` if the text has it.
    pub attribute: Option<&'t str>,
    /// Number of pages that have a value there.
    pub pages: u32,
    /// Number of different values.
    pub values: u32,
    /// Number of pages whose machine-readable data have the same value. For the title: pages on which the
    /// page level finds this title, too.
    pub agree: u32,
    /// Number of pages whose machine-readable data have another value.
    pub against: u32,
    /// Probability that the value is that of the page, 0 to 1.
    pub confidence: f64,
    /// Beginning of the value of a page.
    pub example: &'t str,
}

#[cfg(feature = "serde")]
fn field_name<S: serde::Serializer>(field: &Field, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(field.name())
}

impl Template {
    /// Returns where the pages have title, authors, date and date of change, as far as that is known.
    pub fn fields(&self) -> Vec<TemplateField<'_>> {
        let shown = self.fields.iter().map(|placed| TemplateField {
            field: placed.field,
            css: placed.place.css(),
            attribute: placed.place.attribute.as_deref(),
            pages: placed.counts.pages,
            values: placed.counts.values,
            agree: placed.counts.agree,
            against: placed.counts.against,
            confidence: placed.counts.confidence(),
            example: &placed.example,
        });
        shown.collect()
    }

    /// Adds the values at the places of the template to the fields of a page.
    #[expect(clippy::cast_possible_truncation, reason = "confidences are f32")]
    pub(crate) fn add_fields(&self, view: &PageView<'_>, out: &mut PageFields) {
        if self.fields.is_empty() {
            return;
        }
        // Collected once for all fields.
        let elements = elements(view);
        for placed in &self.fields {
            let found = values_at(view, &elements, placed.field, &placed.place);
            out.placed.extend(found.map(|(values, element)| PlacedValue {
                field: placed.field,
                values,
                element,
                confidence: placed.counts.confidence() as f32,
            }));
        }
    }
}

/// Returns the template that knows the largest share of a page's words, even if it is not applied to the main
/// text. Only templates with fields are compared; `None` if none knows half of the words.
pub(crate) fn best_known<'t>(
    view: &PageView<'_>,
    labels: &Labels,
    templates: &[&'t Template],
) -> Option<&'t Template> {
    let with_fields = || {
        templates
            .iter()
            .copied()
            .filter(|template| !template.fields.is_empty())
    };
    // Without a template that has fields, the sample need not be made.
    with_fields().next()?;
    let page = Sample::without_texts(view, labels, with_fields().any(|t| t.roles.need_texts()));
    let steps = page.elements.len() + page.lines.len();
    let known = with_fields()
        .take_while(|_| view.budget.charge("applying templates", steps))
        .map(|template| (template.fit(&page).known, template));
    known
        .filter(|(known, _)| *known >= MIN_KNOWN)
        .max_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then(b.1.origin.layout.cmp(&a.1.origin.layout))
        })
        .map(|(_, template)| template)
}
