//! The template of a group of pages.

use dehusk_extract::site::{Sample, Template};

use crate::site::group::Group;

/// The template of a group, which is the layout of that number of its site; `learnt` is what was learnt of its pages already. `method`
/// is the page-level extractor that labelled the pages.
pub(crate) fn template_of(
    group: &Group<()>,
    layout: u32,
    method: &str,
    learnt: Option<Template>,
) -> Template {
    let samples = || group.samples.iter().map(|(sample, ())| sample);
    let mut template = learnt.unwrap_or_else(|| Template::learn(&samples().collect::<Vec<&Sample>>()));
    note_dates(&mut template, group);
    template.origin.site.clone_from(&group.site);
    template.origin.layout = layout;
    method.clone_into(&mut template.origin.method);
    template
}

/// Notes the date of the newest page.
pub(crate) fn note_dates(template: &mut Template, group: &Group<()>) {
    let dates = group.samples.iter().filter_map(|(sample, ())| sample.date());
    let newest = dates
        .map(str::to_owned)
        .chain(template.origin.newest.take())
        .max();
    template.origin.newest = newest;
}
