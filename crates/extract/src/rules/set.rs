//! Files of rules: parsing and lookup.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;
use toml::Spanned;

use super::css::Css;
use super::error::{Flaw, RuleError, SourceFile};
use super::pattern::{self, Host, Path};
use super::xpath::evaluate::compiles;
use super::xpath::meter::{Metered, meter};
use crate::analysis::metadata::candidate as metadata;

/// Version of the file format. Files of other versions are rejected.
pub const FORMAT: u32 = 1;

/// A file of rules as TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<RuleRow>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleRow {
    name: Option<String>,
    hosts: Vec<Spanned<String>>,
    #[serde(default)]
    paths: Vec<Spanned<String>>,
    #[serde(default)]
    extract: Vec<Spanned<ExpressionRow>>,
    #[serde(default)]
    remove: Vec<Spanned<ExpressionRow>>,
    title: Option<Spanned<ExpressionRow>>,
    author: Option<Spanned<ExpressionRow>>,
    date: Option<Spanned<ExpressionRow>>,
    modified: Option<Spanned<ExpressionRow>>,
    usual_words: Option<u32>,
    #[serde(default, rename = "example")]
    examples: Vec<Example>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpressionRow {
    css: Option<Spanned<String>>,
    xpath: Option<Spanned<String>>,
    attribute: Option<Spanned<String>>,
    regex: Option<Spanned<String>>,
}

/// The fields of the metadata that rules may give, by the names of their keys.
pub(crate) const FIELDS: [(&str, metadata::Field); 4] = [
    ("title", metadata::Field::Title),
    ("author", metadata::Field::Authors),
    ("date", metadata::Field::Date),
    ("modified", metadata::Field::Modified),
];

/// An example page of a rule, and the expected result of the rule on it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Example {
    /// Address of the page. The rule must be the first one for this address.
    pub url: String,
    /// The page as HTML.
    pub html: String,
    /// Expected main text. White space around lines and empty lines are ignored.
    pub text: String,
    /// Expected title; not checked if `None`.
    pub title: Option<String>,
    /// Expected author; not checked if `None`.
    pub author: Option<String>,
    /// Expected date as `2024-05-01`; not checked if `None`.
    pub date: Option<String>,
}

/// An expression that finds parts of a page.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Css(Css),
    XPath(Metered),
}

/// An expression for a field of the metadata. The first result with a value gives the value: a day for dates,
/// text for other fields.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) expression: Expression,
    pub(super) attribute: Option<String>,
    pub(super) regex: Option<Regex>,
}

/// A rule: the main text on some pages of a site.
#[derive(Clone, Debug)]
pub struct Rule {
    name: String,
    place: String,
    hosts: Vec<Host>,
    paths: Vec<Path>,
    pub(super) extract: Vec<Expression>,
    pub(super) remove: Vec<Expression>,
    /// Expressions for fields of the metadata, in the order of [`FIELDS`].
    pub(super) fields: [Option<Field>; FIELDS.len()],
    usual_words: Option<u32>,
    examples: Vec<Example>,
}

impl Rule {
    /// Returns its name, or its hosts if it has no name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns file and line of the rule.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Returns whether it yields main text, rather than only removing parts or finding fields.
    pub fn extracts(&self) -> bool {
        !self.extract.is_empty()
    }

    /// Returns the usual number of words of the main text, if the rule states it.
    pub fn usual_words(&self) -> Option<u32> {
        self.usual_words
    }

    /// Returns its examples.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }
}

/// Rules of many sites.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    /// Indexes of the rules, by host and whether subdomains are included.
    hosts: BTreeMap<(String, bool), Vec<usize>>,
}

impl RuleSet {
    /// Parses files of rules, given as pairs of a name for messages and a text. Among equally specific rules,
    /// the earlier one takes precedence.
    ///
    /// # Errors
    ///
    /// Returns the first error: invalid TOML, an unknown key or another [`FORMAT`], or an expression that is
    /// too long, too deep, malformed, or calls an unknown function.
    pub fn read<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<RuleSet, RuleError> {
        let mut out = RuleSet::default();
        for (file, text) in files {
            let place = SourceFile { file, text };
            let parsed: File = toml::from_str(text).map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                place.error(
                    at,
                    error.message().trim().replace('\n', "; "),
                    "a file of rules begins like `format = 1`, `[[rule]]`, `hosts = [\"news.example\"]`, `extract = [{ css = \".article\" }]`, each on a line of its own; \
                     `dehusk site export` writes complete ones",
                )
            })?;
            if *parsed.format.get_ref() != FORMAT {
                let message = format!(
                    "format {}, this version reads format {FORMAT}",
                    parsed.format.get_ref()
                );
                let remedy = format!("write `format = {FORMAT}` and look the rules through");
                return Err(place.error(parsed.format.span().start, message, remedy));
            }
            for row in parsed.rules {
                let (span, row) = (row.span(), row.into_inner());
                let rule = read_rule(place, span, row)?;
                // Indexed by host, so that a page is compared only with the paths of rules for its host.
                for host in &rule.hosts {
                    let key = (host.name.clone(), host.below);
                    out.hosts.entry(key).or_default().push(out.rules.len());
                }
                out.rules.push(rule);
            }
        }
        Ok(out)
    }

    /// Returns all rules, in the order of the files.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the first of the rules for an address; see [`RuleSet::find_all`].
    pub fn find(&self, url: &str) -> Option<&Rule> {
        self.find_all(url).into_iter().next()
    }

    /// Returns the rules whose host and path match an address, at most [`RuleSet::MAX_TRIED`].
    ///
    /// The rule with the most specific path comes first, that is, with the most literal characters. Among
    /// equally specific ones, a rule for the host itself precedes a rule with `*.`. Then the order of the
    /// files decides.
    pub fn find_all(&self, url: &str) -> Vec<&Rule> {
        let Some((host, path)) = pattern::split(url) else {
            return Vec::new();
        };
        // Sort keys: literal characters, whether the pattern includes subdomains, index of the rule.
        let mut found: Vec<(Reverse<usize>, bool, usize)> = Vec::new();
        let mut consider = |host: &str, below: bool| {
            for &i in self.hosts.get(&(host.to_owned(), below)).into_iter().flatten() {
                let fits = self.rules[i].paths.iter().filter(|p| p.matches(path));
                found.extend(
                    fits.map(|p| p.literal)
                        .max()
                        .map(|literal| (Reverse(literal), below, i)),
                );
            }
        };
        consider(&host, false);
        // The host and each domain above it: `a.b.org`, `b.org`, `org`.
        let mut above = host.as_str();
        loop {
            consider(above, true);
            match above.split_once('.') {
                Some((_, rest)) => above = rest,
                None => break,
            }
        }
        found.sort_unstable();
        // A rule may name several hosts that match; its best place counts. Further rules are dropped. The list is short, so that it is
        // searched at constant cost even if a host has thousands of rules.
        let mut chosen = Vec::with_capacity(Self::MAX_TRIED);
        for (_, _, i) in found {
            if chosen.len() == Self::MAX_TRIED {
                break;
            }
            if !chosen.contains(&i) {
                chosen.push(i);
            }
        }
        chosen.into_iter().map(|i| &self.rules[i]).collect()
    }

    /// Maximum number of rules that are tried on a page.
    pub const MAX_TRIED: usize = 8;
}

/// Checks a rule of a file; `span` is its place in the file, in bytes.
fn read_rule(place: SourceFile<'_>, span: Range<usize>, row: RuleRow) -> Result<Rule, RuleError> {
    if row.hosts.is_empty() {
        return Err(place.error(
            span.start,
            "the rule has no host",
            "write `hosts = [\"example.org\"]`",
        ));
    }
    let hosts = row
        .hosts
        .iter()
        .map(|host| Host::read(host.get_ref()).map_err(|flaw| place.within(host, flaw)));
    let hosts = hosts.collect::<Result<Vec<_>, _>>()?;
    let paths = row
        .paths
        .iter()
        .map(|path| Path::read(path.get_ref()).map_err(|flaw| place.within(path, flaw)));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    // Without paths, a rule is for all pages of its hosts.
    if paths.is_empty() {
        paths.push(Path::any());
    }
    let whole = |rows: Vec<Spanned<ExpressionRow>>| -> Result<Vec<Expression>, RuleError> {
        rows.into_iter().map(|row| read_whole(place, row)).collect()
    };
    let (extract, remove) = (whole(row.extract)?, whole(row.remove)?);
    let field = |row: Option<Spanned<ExpressionRow>>| row.map(|row| read_field(place, row)).transpose();
    let fields = [
        field(row.title)?,
        field(row.author)?,
        field(row.date)?,
        field(row.modified)?,
    ];
    if extract.is_empty() && remove.is_empty() && fields.iter().all(Option::is_none) {
        let remedy = "give it `extract`, `remove`, `title`, `author`, `date` or `modified`";
        return Err(place.error(span.start, "the rule does nothing", remedy));
    }
    // Only for the line of the rule in the file.
    let at = place.error(span.start, "", "");
    let named = row.hosts.iter().map(|host| host.get_ref().as_str());
    Ok(Rule {
        name: row.name.unwrap_or_else(|| named.collect::<Vec<_>>().join(", ")),
        place: format!("{}:{}", at.file(), at.line()),
        hosts,
        paths,
        extract,
        remove,
        fields,
        usual_words: row.usual_words,
        examples: row.examples,
    })
}

/// Reads an expression, which must be either a selector or an XPath.
fn read_expression(
    place: SourceFile<'_>,
    span: &Range<usize>,
    row: &ExpressionRow,
) -> Result<Expression, RuleError> {
    match (&row.css, &row.xpath) {
        (Some(css), None) => Css::read(css.get_ref())
            .map(Expression::Css)
            .map_err(|flaw| place.within(css, flaw)),
        (None, Some(xpath)) => {
            let read = meter(xpath.get_ref()).and_then(|m| compiles(&m).map(|()| m));
            read.map(Expression::XPath)
                .map_err(|flaw| place.within(xpath, flaw))
        }
        _ => {
            let remedy = "write `{ css = \"...\" }` or `{ xpath = \"...\" }`";
            Err(place.error(span.start, "one of `css` and `xpath` is wanted", remedy))
        }
    }
}

/// Reads an expression that must find parts of the page rather than texts.
fn read_whole(place: SourceFile<'_>, row: Spanned<ExpressionRow>) -> Result<Expression, RuleError> {
    let (span, row) = (row.span(), row.into_inner());
    if let Some(odd) = row.attribute.as_ref().or(row.regex.as_ref()) {
        let remedy = "`attribute` and `regex` are for title, author, date and modified";
        return Err(place.error(
            odd.span().start,
            "a part of the page is wanted, not a text",
            remedy,
        ));
    }
    let read = read_expression(place, &span, &row)?;
    match (&read, &row.xpath) {
        (Expression::XPath(metered), Some(xpath)) if !metered.finds_nodes() => {
            let flaw = Flaw::new(0, "finds no part of the page", "write a path such as `//article`");
            Err(place.within(xpath, flaw))
        }
        _ => Ok(read),
    }
}

/// Reads an expression for a field, which may find parts of the page or texts.
fn read_field(place: SourceFile<'_>, row: Spanned<ExpressionRow>) -> Result<Field, RuleError> {
    let (span, row) = (row.span(), row.into_inner());
    let expression = read_expression(place, &span, &row)?;
    let regex = match &row.regex {
        Some(text) => {
            let regex = pattern::regex(text.get_ref());
            Some(regex.map_err(|flaw| place.within(text, flaw))?)
        }
        None => None,
    };
    Ok(Field {
        expression,
        attribute: row.attribute.map(|name| name.into_inner().to_ascii_lowercase()),
        regex,
    })
}
