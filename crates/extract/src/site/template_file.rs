//! Templates as files: TOML that people can read.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::learn::confidence::confidence_gap;
use super::learn::cuts::{self, Decision};
use super::learn::regions::Regions;
use super::learn::roles::{Role, Roles};
use super::learn::settings::Settings;
use super::learn::stats::{ContextSums, LineText, RoleStats, SiteStats, TokenSums};
use super::template::{Origin, Template};

/// Version of the file format; a reader refuses others.
pub const FORMAT: u32 = 1;

/// Why a template could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError(String);

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TemplateError {}

/// A template file. What people read comes first.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    tool: String,
    site: String,
    layout: u32,
    method: String,
    pages: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    newest: Option<String>,
    learnt_from: Vec<String>,
    /// Paths of the containers and of the parts that are cut from them, for people. Readers of the file use the parts only.
    #[serde(default)]
    containers: Vec<String>,
    #[serde(default)]
    cuts: Vec<String>,
    /// Ids and classes that are names of the site.
    names: Vec<String>,
    #[serde(default, rename = "part")]
    parts: Vec<PartRow>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct PartRow {
    /// For people; not read.
    #[serde(default)]
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
    /// Position among its siblings, from 1, and their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<[u32; 2]>,
    keep: bool,
    why: String,
    #[serde(default)]
    score: f64,
    /// `container`, `record`, or both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    is: Vec<String>,
    pages: u32,
    elements: u32,
    squares: f64,
    /// Repeated, linked, outer, outer repeated, outer linked; pages at the edge, pages examined.
    around: [f64; 7],
    /// Sums of lines on single pages.
    single: [f64; 6],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineRow>,
}

/// Beginning of the text, its hash in hexadecimal, pages, and sums: words, of links, times probability, kept by the page-level
/// extractor, by the second one, by both.
type LineRow = (String, String, u32, [f64; 6]);

/// Rounds to three decimals: enough for sums of words, and readable.
fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn row_of(sums: &TokenSums) -> [f64; 6] {
    [
        sums.tokens,
        sums.linked,
        sums.probability,
        sums.kept[0],
        sums.kept[1],
        sums.both,
    ]
    .map(round)
}

fn sums_of(row: [f64; 6]) -> TokenSums {
    TokenSums {
        tokens: row[0],
        linked: row[1],
        probability: row[2],
        kept: [row[3], row[4]],
        both: row[5],
    }
}

impl Template {
    /// The template as a TOML file. Lines that only one page has are summed up: their texts are not kept.
    pub fn to_toml(&self) -> String {
        let n = self.roles.list.len();
        let path = |i: &usize| self.roles.path(*i as u32);
        let is_container = |i: &usize| self.regions.container[*i] == Some(*i as u32);
        let is_cut = |i: &usize| {
            let above = self.roles.list[*i]
                .parent
                .map(|p| self.decisions[p as usize].kept);
            above == Some(true) && !self.decisions[*i].kept
        };
        let file = File {
            format: FORMAT,
            tool: format!("dehusk {}", env!("CARGO_PKG_VERSION")),
            site: self.origin.site.clone(),
            layout: self.origin.layout,
            method: self.origin.method.clone(),
            pages: self.pages(),
            newest: self.origin.newest.clone(),
            learnt_from: self.origin.learnt_from.clone(),
            containers: (0..n).filter(is_container).map(|i| path(&i)).collect(),
            cuts: (0..n).filter(is_cut).map(|i| path(&i)).collect(),
            names: self.roles.names().into_iter().map(str::to_owned).collect(),
            parts: (0..n).map(|i| self.row(i)).collect(),
        };
        // The values are strings, finite numbers and lists, which TOML can express.
        toml::to_string(&file).unwrap_or_default()
    }

    fn row(&self, i: usize) -> PartRow {
        let (role, stats, decision) = (&self.roles.list[i], &self.stats.roles[i], &self.decisions[i]);
        let mut single = stats.rest;
        for text in stats.texts.values().filter(|t| t.pages < 2) {
            single.add(&text.sums);
        }
        let context = &stats.context;
        let number = i as u32;
        let marks = [
            (self.regions.container[i], "container"),
            (self.regions.record[i], "record"),
        ];
        PartRow {
            path: self.roles.path(number),
            parent: role.parent,
            tag: role.tag.clone(),
            id: role.id.clone(),
            classes: role.classes.clone(),
            place: role.position.map(|(at, of)| [at, of]),
            keep: decision.kept,
            why: decision.reason.to_owned(),
            score: round(decision.score),
            is: marks
                .into_iter()
                .filter(|m| m.0 == Some(number))
                .map(|m| m.1.to_owned())
                .collect(),
            pages: stats.pages,
            elements: stats.elements,
            squares: stats.squares,
            around: [
                context.repeated,
                context.linked,
                context.outer[0],
                context.outer[1],
                context.outer[2],
                context.outer_pages,
                context.seen,
            ]
            .map(round),
            single: row_of(&single),
            lines: stats
                .texts
                .iter()
                .filter(|(_, t)| t.pages >= 2)
                .map(|(hash, t)| (t.sample.clone(), format!("{hash:016x}"), t.pages, row_of(&t.sums)))
                .collect(),
        }
    }

    /// Reads a template from a TOML file. A person may have changed the verdicts of its parts; adding pages recomputes all verdicts.
    ///
    /// # Errors
    ///
    /// If it is no TOML, of another [`FORMAT`], or not a tree; the message has line and column where the parser knows them.
    pub fn from_toml(text: &str) -> Result<Template, TemplateError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let invalid = |error: toml::de::Error| no_template(text, &error);
        let head: Head = toml::from_str(text).map_err(invalid)?;
        if head.format != FORMAT {
            let message = format!("format {}, this version reads format {FORMAT}", head.format);
            return Err(TemplateError(message));
        }
        let file: File = toml::from_str(text).map_err(invalid)?;
        let (mut list, mut role_stats, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
        let mut regions = Regions::default();
        for (i, row) in file.parts.into_iter().enumerate() {
            if row.parent.is_some_and(|p| p as usize >= i) {
                let message = format!("part {i} (`{}`): its parent must come before it", row.path);
                return Err(TemplateError(message));
            }
            let above = |of: &[Option<u32>]| row.parent.and_then(|p| of.get(p as usize).copied().flatten());
            let here = |mark: &str| row.is.iter().any(|m| m == mark).then_some(i as u32);
            regions
                .container
                .push(above(&regions.container).or(here("container")));
            regions.record.push(above(&regions.record).or(here("record")));
            regions.slot.push(false);
            decisions.push(Decision {
                kept: row.keep,
                score: row.score,
                reason: cuts::REASONS
                    .iter()
                    .find(|r| **r == row.why)
                    .copied()
                    .unwrap_or(cuts::BY_HAND),
            });
            role_stats.push(stats_of(&row)?);
            list.push(Role {
                parent: row.parent,
                tag: row.tag,
                id: row.id,
                classes: row.classes,
                position: row.place.map(|[at, of]| (at, of)),
            });
        }
        let mut stats = SiteStats {
            settings: Settings::USUAL,
            pages: file.pages,
            roles: role_stats,
        };
        stats.mark_recurring(Some(&regions));
        Ok(Template {
            origin: Origin {
                site: file.site,
                layout: file.layout,
                method: file.method,
                learnt_from: file.learnt_from,
                newest: file.newest,
            },
            roles: Roles::new(list, file.names),
            confidence_gap: confidence_gap(&stats.own(), &stats.settings),
            stats,
            regions,
            decisions,
        })
    }
}

/// What the parser says, with its place. The line itself is not shown: it may be of any length.
fn no_template(text: &str, error: &toml::de::Error) -> TemplateError {
    let message = error.message().trim().replace('\n', "; ");
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return TemplateError(message);
    };
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
    TemplateError(format!("line {line}, column {column}: {message}"))
}

fn stats_of(row: &PartRow) -> Result<RoleStats, TemplateError> {
    let mut texts = BTreeMap::new();
    for (sample, hash, pages, sums) in &row.lines {
        let hash = u64::from_str_radix(hash, 16)
            .map_err(|_| TemplateError(format!("`{}`: hash `{hash}` is no hexadecimal number", row.path)))?;
        let text = LineText {
            pages: *pages,
            sums: sums_of(*sums),
            sample: sample.clone(),
        };
        texts.insert(hash, text);
    }
    let [
        repeated,
        linked,
        all,
        outer_repeated,
        outer_linked,
        outer_pages,
        seen,
    ] = row.around;
    Ok(RoleStats {
        pages: row.pages,
        elements: row.elements,
        squares: row.squares,
        texts,
        rest: sums_of(row.single),
        context: ContextSums {
            repeated,
            linked,
            outer: [all, outer_repeated, outer_linked],
            outer_pages,
            seen,
        },
        recurs: false,
    })
}
