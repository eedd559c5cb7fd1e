//! The template of a group of pages.

use dehusk_extract::site::{Sample, Template};

use crate::site::group::Group;

/// Learns the template of a group, which is the layout of that number of its site. `method` is the page-level extractor that labelled
/// the pages.
pub(crate) fn template_of(group: &Group<()>, layout: u32, method: &str) -> Template {
    let samples: Vec<&Sample> = group.samples.iter().map(|(sample, ())| sample).collect();
    let mut template = Template::learn(&samples);
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
