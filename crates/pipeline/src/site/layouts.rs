//! The layouts of pages of one host, and the assignment of pages to layouts.

use dehusk_extract::site::Sample;

use crate::site::key;
use crate::site::page_marks::{LAYOUT_RESEMBLANCE, SetSketch, layout_sketch};

/// A layout with its pages.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Layout {
    /// The longest common path of the addresses of its pages, without folders that name single pages: `/news/`.
    pub path: String,
    /// Indices of its pages.
    pub pages: Vec<usize>,
}

/// The layouts of pages of one host, by descending number of pages.
///
/// A page joins the layout whose first page it resembles most, or begins a new layout, as in learning.
/// Unlike in learning, copies stay.
pub fn layouts<'s>(samples: impl IntoIterator<Item = &'s Sample>) -> Vec<Layout> {
    let mut found: Vec<(SetSketch, Option<String>, Vec<usize>)> = Vec::new();
    for (number, sample) in samples.into_iter().enumerate() {
        let sketch = layout_sketch(sample);
        let place = key::site_key(sample.name()).map(|key| key::place(&key).to_owned());
        let best = found
            .iter()
            .enumerate()
            .map(|(at, (first, ..))| (at, first.resemblance(&sketch)))
            .filter(|(_, resemblance)| *resemblance >= LAYOUT_RESEMBLANCE)
            // On ties the first layout wins.
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        match best.and_then(|(at, _)| found.get_mut(at)) {
            Some((_, common, pages)) => {
                pages.push(number);
                *common = match (common.take(), place) {
                    (Some(a), Some(b)) => Some(key::common_place(&a, &b).to_owned()),
                    (a, b) => a.or(b),
                };
            }
            None => found.push((sketch, place, vec![number])),
        }
    }
    found.sort_by_key(|(_, _, pages)| std::cmp::Reverse(pages.len()));
    found
        .into_iter()
        .map(|(_, place, pages)| {
            let place = place.unwrap_or_default();
            // The scheme does not matter: only the path is shown. `lasting_key` needs some scheme.
            let key = format!("http://{place}");
            let path = key::place(key::lasting_key(&key)).find('/').map_or_else(
                || "/".to_owned(),
                |slash| key::place(key::lasting_key(&key))[slash..].to_owned(),
            );
            Layout { path, pages }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use dehusk_extract::{Options, Page};

    use super::*;

    #[test]
    fn pages_are_parted_by_what_stands_above_their_lines() {
        let article = |n: u32| {
            format!(
                "<div class=top><a href=/>Home</a></div><article class=story><h1>River {n}</h1><p>It rose.</article>"
            )
        };
        let list = |n: u32| format!("<table class=list><tr><td class=cell>Row {n}<td class=cell>x</table>");
        let pages = [
            ("http://a.example/news/2024/1", article(1)),
            ("http://a.example/all/1", list(1)),
            ("http://a.example/news/2023/2", article(2)),
        ];
        let samples: Vec<Sample> = pages
            .iter()
            .map(|(url, html)| Sample::new(&Page::decoded(html).with_url(Some(url)), &Options::default()))
            .collect();
        let found = layouts(&samples);
        let told: Vec<_> = found
            .iter()
            .map(|l| (l.path.as_str(), l.pages.as_slice()))
            .collect();
        assert_eq!(told, [("/news/", &[0, 2][..]), ("/all/", &[1][..])]);
    }
}
