//! The table of targets. A target consists of a file in this folder, an entry in [`ALL`], and a program in
//! the package `fuzz`.

mod archive;
mod decode;
mod dedup;
mod extraction;
mod index;
mod parser;
mod records;
mod rules;
mod statistics;
mod templates;
mod workshop;

/// A function that panics if a property does not hold for its input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name of the target and of its corpus.
    pub name: &'static str,
    /// The function.
    pub check: fn(&[u8]),
}

/// Every target.
pub static ALL: &[Target] = &[
    Target {
        name: "archive",
        check: archive::check,
    },
    Target {
        name: "decode",
        check: decode::check,
    },
    Target {
        name: "dedup",
        check: dedup::check,
    },
    Target {
        name: "extraction",
        check: extraction::check,
    },
    Target {
        name: "index",
        check: index::check,
    },
    Target {
        name: "parser",
        check: parser::check,
    },
    Target {
        name: "records",
        check: records::check,
    },
    Target {
        name: "rules",
        check: rules::check,
    },
    Target {
        name: "statistics",
        check: statistics::check,
    },
    Target {
        name: "templates",
        check: templates::check,
    },
    Target {
        name: "workshop",
        check: workshop::check,
    },
];

/// Checks an input with the target `name`.
///
/// # Panics
/// If there is no such target, or if a property does not hold.
pub fn check(name: &str, input: &[u8]) {
    let target = ALL.iter().find(|target| target.name == name);
    (target.expect("a target of that name").check)(input);
}

#[cfg(test)]
mod tests;
