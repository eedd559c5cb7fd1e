//! Completion of the template of a group of pages.

use dehusk_extract::site::Template;

/// The template `learnt` with its origin filled in.
///
/// `layout` is its number within `site`. `method` is the page-level extractor that labelled the pages.
pub(crate) fn template_of<'a>(
    learnt: Template,
    site: &str,
    layout: u32,
    method: &str,
    dates: impl Iterator<Item = &'a str>,
) -> Template {
    let mut template = learnt;
    note_dates(&mut template, dates);
    site.clone_into(&mut template.origin.site);
    template.origin.layout = layout;
    method.clone_into(&mut template.origin.method);
    template
}

/// Sets the date of the newest page. Dates are compared as text, with the date that the template has
/// already.
pub(crate) fn note_dates<'a>(template: &mut Template, dates: impl Iterator<Item = &'a str>) {
    let newest = dates
        .map(str::to_owned)
        .chain(template.origin.newest.take())
        .max();
    template.origin.newest = newest;
}
