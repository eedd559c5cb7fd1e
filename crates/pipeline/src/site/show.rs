//! Templates in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use extract::site::{Part, Template};

/// Repeated lines that are shown of a part.
const LINES: usize = 3;

/// What a template says, for a person at a terminal: where it comes from, containers, cuts with their reasons, and what
/// repeats outside.
pub fn show(template: &Template) -> String {
    let mut out = String::new();
    let about = &template.about;
    let _ = writeln!(out, "site     {} (layout {})", about.site, about.layout);
    let _ = writeln!(out, "pages    {}", template.pages());
    let _ = writeln!(out, "method   {}", about.method);
    if let Some(newest) = &about.newest {
        let _ = writeln!(out, "newest   {newest}");
    }
    let parts = template.parts();
    let pages = f64::from(template.pages().max(1));
    let list = |out: &mut String, title: &str, wanted: &dyn Fn(&Part<'_>) -> bool| {
        let _ = writeln!(out, "\n{title}");
        let mut any = false;
        for part in parts.iter().filter(|p| wanted(p)) {
            any = true;
            let support = 100.0 * f64::from(part.pages) / pages;
            let _ = writeln!(
                out,
                "  {}\n    {}: on {support:.0} % of pages, {:.0} words a page, {:.0} % repeated, {:.0} % links, {:.0} % kept by the \
                 page alone",
                part.path,
                part.reason,
                part.tokens / pages,
                100.0 * part.repeated,
                100.0 * part.linked,
                100.0 * part.voted
            );
            for (line, on) in part.lines.iter().take(LINES) {
                let _ = writeln!(out, "    \"{line}\" on {on}");
            }
        }
        if !any {
            let _ = writeln!(out, "  none");
        }
    };
    list(&mut out, "containers: what lies in them is main text", &|p| {
        p.container
    });
    list(&mut out, "records in them", &|p| p.record);
    let kept = |p: &Part<'_>| p.parent.is_some_and(|above| parts[above].kept);
    list(&mut out, "cut out of them", &|p| !p.kept && kept(p));
    list(&mut out, "repeated outside", &|p| {
        p.reason == "outside-containers" && !p.lines.is_empty()
    });
    out
}

/// What differs between two templates: parts that only one of them knows, and parts they decide differently about. Empty if
/// they say the same.
pub fn diff(a: &Template, b: &Template) -> String {
    let index = |t: &Template| -> BTreeMap<String, (bool, bool, &'static str)> {
        let parts = t.parts().into_iter();
        parts.map(|p| (p.path, (p.kept, p.container, p.reason))).collect()
    };
    let (old, new) = (index(a), index(b));
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let word = |(kept, container, reason): &(bool, bool, &'static str)| match (kept, container) {
        (true, true) => "container".to_owned(),
        (true, false) => "kept".to_owned(),
        (false, _) => format!("dropped, {reason}"),
    };
    let mut out = String::new();
    for path in paths {
        let line = match (old.get(path), new.get(path)) {
            (Some(a), None) => format!("- {path} ({})\n", word(a)),
            (None, Some(b)) => format!("+ {path} ({})\n", word(b)),
            (Some(a), Some(b)) if (a.0, a.1) != (b.0, b.1) => {
                format!("! {path}: {} -> {}\n", word(a), word(b))
            }
            _ => continue,
        };
        out.push_str(&line);
    }
    out
}
