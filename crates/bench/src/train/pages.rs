//! The labelled pages, split into lines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::{fs, thread};

use dehusk_html::decode::{CharsetHints, decode};
use dehusk_html::url::Address;
use dehusk_pipeline::dedup::SplitMix64;
use dehusk_pipeline::extract::training;
use serde::Deserialize;

use super::labels;
use super::sets::SetInfo;
use crate::data::{self, Doc};
use crate::result::Result;

/// One page and the range of its rows.
pub(super) struct Labelled {
    pub(super) set: String,
    pub(super) id: String,
    /// The kind, language or site of the page.
    pub(super) group: String,
    /// Hash of the registered domain. Its remainder by the number of folds is the fold in which the page is
    /// held out.
    pub(super) domain: u64,
    pub(super) rows: Range<usize>,
    pub(super) tokens: Vec<u32>,
    pub(super) line_context: training::LineContext,
    pub(super) lines: Vec<String>,
    pub(super) line_tokens: Vec<training::LineTokens>,
    pub(super) doc: Doc,
}

/// All pages, and one row of features for each of their lines.
#[derive(Default)]
pub(super) struct Pages {
    /// [`data::Set::digest`] of each set.
    pub(super) digests: BTreeMap<String, String>,
    pub(super) names: Vec<String>,
    pub(super) pages: Vec<Labelled>,
    pub(super) rows: Vec<f32>,
    pub(super) targets: Vec<f32>,
    pub(super) weights: Vec<f32>,
}

struct Task {
    set: String,
    domain: String,
    group: String,
    html: Html,
    doc: Doc,
    neutral: Option<String>,
}

enum Html {
    Text(String),
    /// A file, perhaps compressed, and its encoding.
    File(std::path::PathBuf, String),
}

#[derive(Deserialize)]
struct SitePage {
    id: String,
    site: String,
    url: Option<String>,
    html: String,
    encoding: String,
    gold: String,
    neutral: String,
}

/// Largest total weight of the pages of one registered domain, in pages. Further pages add little information.
const MAX_OF_A_DOMAIN: f32 = 8.0;

/// Approximate number of lines of a page that are trained on. They are sampled, because the rest of a long
/// page adds little information.
const LINES: f32 = 160.0;

/// Samples lines of a long page. Heavy lines are kept more often. The weights of kept lines are raised to
/// represent the dropped lines, whose weights become 0.
fn thin(weights: &mut [f32], seed: u64) {
    let (n, sum) = (weights.len() as f32, weights.iter().sum::<f32>());
    if n <= LINES || sum <= 0.0 {
        return;
    }
    let mut random = SplitMix64::new(seed);
    for weight in weights {
        // Half by weight and half evenly, so that light lines keep a chance. The chances add up to about
        // `LINES`.
        let chance = LINES * (0.5 * *weight / sum + 0.5 / n);
        let number = (random.number() >> 40) as f32 / (1_u64 << 24) as f32;
        // Divided by the chance of being kept: the expected total weight stays the same.
        *weight = if number < chance {
            *weight / chance.min(1.0)
        } else {
            0.0
        };
    }
}

/// Reads and labels all pages. `Err` inside `Ok` holds the reason why there are no data.
pub(super) fn read() -> Result<std::result::Result<Pages, String>> {
    let sets = match data::sets(&[])? {
        Ok(sets) => sets,
        Err(why) => return Ok(Err(why)),
    };
    let mut tasks = Vec::new();
    let mut digests = BTreeMap::new();
    for set in &sets {
        digests.insert(set.name.clone(), set.digest.clone());
        // If a page has less than half of its label, its lines would teach that main text is boilerplate.
        for doc in set.docs.iter().filter(|d| d.reach >= 0.5) {
            let host = doc
                .host
                .as_deref()
                .or_else(|| doc.url.as_deref().and_then(host))
                .unwrap_or(&doc.id);
            // Groups are the languages in this set, and the kinds of pages in all others.
            let group = if set.name.starts_with("daniel") {
                &doc.lang
            } else {
                &doc.kind
            };
            tasks.push(Task {
                set: set.name.clone(),
                domain: registered(host),
                group: group.clone().unwrap_or_default(),
                html: Html::Text(set.text(doc)?),
                doc: doc.clone(),
                neutral: doc.neutral.clone(),
            });
        }
    }
    for (name, folder) in [
        ("sites-dev", data::folder("sites-dev")?),
        ("sites-more", data::sites_more()?),
        ("sites-third", data::sites_third()?),
    ] {
        let list = fs::read_to_string(folder.join("pages.jsonl"))?;
        digests.insert(
            name.to_owned(),
            format!("{:032x}", dehusk_pipeline::dedup::content_hash(&list)),
        );
        for line in list.lines() {
            let page: SitePage = serde_json::from_str(line)?;
            let doc = Doc::new(page.id, page.url, page.gold);
            tasks.push(Task {
                set: name.to_owned(),
                domain: doc
                    .url
                    .as_deref()
                    .and_then(host)
                    .map_or_else(|| page.site.clone(), registered),
                group: page.site,
                html: Html::File(folder.join(page.html), page.encoding),
                doc,
                neutral: Some(page.neutral),
            });
        }
    }
    let mut pages = label_all(tasks)?;
    pages.digests = digests;
    Ok(Ok(pages))
}

/// Splits all pages into lines and labels them, on all cores. The result has the order of `tasks`.
#[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are the hash")]
fn label_all(tasks: Vec<Task>) -> Result<Pages> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let mut done: Vec<Option<_>> = (0..tasks.len()).map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (send, next, tasks) = (send.clone(), &next, &tasks);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(i) else { return };
                    let result = task.html.text().map(|html| {
                        let lines = training::page_lines(&html, task.doc.url.as_deref());
                        let doc = &task.doc;
                        // Some pages are labelled by strings only, without a text.
                        let targets = if doc.gold.is_empty() && !doc.with.is_empty() {
                            labels::label_strings(&lines.texts, &doc.with, &doc.without)
                        } else {
                            labels::label(&lines.texts, &doc.gold, task.neutral.as_deref())
                        };
                        (lines, targets)
                    });
                    if send.send((i, result)).is_err() {
                        return;
                    }
                }
            });
        }
        // The loop below ends when all senders are gone, so this one must not remain.
        drop(send);
        for (i, result) in receive {
            done[i] = Some(result);
        }
    });
    let mut of_domain = BTreeMap::<String, f32>::new();
    for task in tasks.iter().filter(|task| SetInfo::find(&task.set).is_some()) {
        // Only sets that are trained on count, since the limit is on weight in training.
        *of_domain.entry(task.domain.clone()).or_default() += 1.0;
    }
    let mut out = Pages::default();
    for (task, result) in tasks.into_iter().zip(done) {
        // Each task sends one result unless its thread panics, and then the scope panics.
        let (lines, targets) = result.ok_or("a page was lost")??;
        if out.names.is_empty() {
            out.names.clone_from(&lines.features.names);
        }
        let start = out.targets.len();
        let set = SetInfo::find(&task.set);
        let of_domain = of_domain.get(&task.domain).copied().unwrap_or(1.0);
        let share = set.map_or(1.0, |set| set.worth * (MAX_OF_A_DOMAIN / of_domain).min(1.0));
        out.rows.extend_from_slice(&lines.features.rows);
        out.targets.extend_from_slice(&targets.covered);
        let is_open = |class| set.is_some_and(|set| set.is_open(class));
        let weights = targets.weights.iter().zip(&lines.classes);
        let mut weights: Vec<f32> = weights
            .map(|(weight, &class)| if is_open(class) { 0.0 } else { weight * share })
            .collect();
        thin(
            &mut weights,
            dehusk_pipeline::dedup::content_hash(&task.doc.id) as u64,
        );
        out.weights.append(&mut weights);
        out.pages.push(Labelled {
            domain: dehusk_pipeline::dedup::content_hash(&task.domain) as u64,
            set: task.set,
            id: task.doc.id.clone(),
            group: task.group,
            rows: start..out.targets.len(),
            tokens: lines.features.tokens,
            line_context: lines.features.line_context,
            line_tokens: lines
                .texts
                .iter()
                .map(|l| training::LineTokens::of([l.as_str()]))
                .collect(),
            lines: lines.texts,
            doc: task.doc,
        });
    }
    Ok(out)
}

impl Html {
    fn text(&self) -> std::result::Result<String, String> {
        match self {
            Html::Text(text) => Ok(text.clone()),
            Html::File(path, encoding) => {
                let bytes = data::plain_bytes(path).map_err(|e| e.to_string())?;
                let hints = CharsetHints {
                    charset: Some(encoding),
                    ..CharsetHints::default()
                };
                Ok(decode(&bytes, hints, usize::MAX).text.into_owned())
            }
        }
    }
}

/// Returns the host of an address; `None` if it has no host.
fn host(url: &str) -> Option<&str> {
    Address::split(url).map(|address| address.host())
}

/// Approximately the registered domain of a host: its last two labels, or three below common second-level
/// domains.
fn registered(host: &str) -> String {
    let labels: Vec<&str> = host.split('.').collect();
    let n = labels.len();
    // A second-level domain below a country: `bbc.co.uk` keeps three labels.
    let second = n >= 3
        && labels[n - 1].len() == 2
        && matches!(labels[n - 2], "com" | "co" | "org" | "net" | "gov" | "edu" | "ac");
    labels[n.saturating_sub(if second { 3 } else { 2 })..].join(".")
}
