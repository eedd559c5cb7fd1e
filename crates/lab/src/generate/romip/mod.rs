//! Generates a small web: sites with boilerplate, mirrors, print versions, archives, reprints, and
//! different texts on the same story.

use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use self::boilerplate::{Boilerplate, Page};
use super::edits::{Edit, edited};
use super::sentences::{Pool, TextStream, check_variety, paragraphs};
use crate::random::{Millionths, Random};
use crate::sets::{Label, SetWriter};

mod boilerplate;

/// Options of [`romip`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Romip {
    /// Number of pages, default 2000. The last article and the lists of headlines may exceed it.
    pub pages: usize,
    /// Number of sites without mirrors, default 12.
    pub sites: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for Romip {
    fn default() -> Self {
        Self {
            pages: 2000,
            sites: 12,
            seed: 1,
        }
    }
}

/// Share of sites that have a mirror.
const MIRRORED: Millionths = 200_000;
/// Share of articles with a print version.
const PRINTED: Millionths = 400_000;
/// Share of articles with an archived version.
const ARCHIVED: Millionths = 250_000;
/// Share of articles with a reprint on another site. A reprint may have a further one.
const REPRINTED: Millionths = 200_000;
/// Share of articles with a different text on the same story on another site.
const RETOLD: Millionths = 150_000;
/// Number of headlines in each list.
const LISTED: usize = 20;

/// A site with the articles published so far.
struct Site {
    boilerplate: Boilerplate,
    pool: usize,
    mirror: Option<String>,
    /// (title, address) of each of its articles.
    articles: Vec<(String, String)>,
}

/// The web during generation.
struct Web<'a> {
    pools: &'a [Pool],
    texts: Vec<TextStream<'a>>,
    sites: Vec<Site>,
    random: Random,
    writer: SetWriter,
    /// The next free numbers of groups: of equal texts, of near-duplicates, and of texts on a story.
    next: [u32; 3],
    pages: usize,
}

/// The groups of a page, in the three degrees of truth.
#[derive(Clone, Copy)]
struct Groups {
    exact: u32,
    near: u32,
    story: u32,
}

/// Writes pages in ROMIP XML, with truth of three degrees: equal main texts (`exact`), near-duplicates
/// (`group`), and texts on one story (`story`). Each of the `pools` has texts of one language. Returns the
/// number of pages.
///
/// Every site has a layout, a menu, notices and a language. Pages of a site differ in the headlines beside
/// the text. Copies of a main text have different boilerplate around it, so a comparison measures
/// extraction and the search for duplicates together.
///
/// # Errors
/// If the texts are too short for the number of pages, or the folder cannot be written to.
pub fn romip(pools: &[Pool], options: &Romip, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    if pools.is_empty() || options.sites == 0 {
        return Err(Error::usage("a web needs texts and at least one site"));
    }
    let mut random = Random::new(options.seed, 0);
    let mut texts: Vec<TextStream<'_>> = (1..)
        .zip(pools)
        .map(|(stream, pool)| TextStream::new(pool, Random::new(options.seed, stream)))
        .collect();
    let sites = (0..options.sites)
        .map(|number| {
            // Sites take the pools in turn, so languages have about the same number of sites.
            let pool = number % pools.len();
            let host = format!("site{}.example", number + 1);
            Site {
                boilerplate: Boilerplate::new(host, &pools[pool], &mut texts[pool], &mut random),
                pool,
                mirror: random
                    .chance(MIRRORED)
                    .then(|| format!("mirror{}.example", number + 1)),
                articles: Vec::new(),
            }
        })
        .collect();
    let mut web = Web {
        pools,
        texts,
        sites,
        random,
        writer: SetWriter::pages(out, cancel, "generated")?,
        next: [0; 3],
        pages: 0,
    };
    while web.pages < options.pages {
        cancel.check()?;
        web.article()?;
    }
    web.lists()?;
    check_variety(&web.texts, web.pages)?;
    web.writer.finish(&json!({
        "generator": "romip",
        "pages": options.pages,
        "sites": options.sites,
        "seed": options.seed,
    }))
}

/// The content of a page, before the layout of its site is put around it.
struct Draft<'d> {
    kind: Page,
    title: &'d str,
    sentences: &'d [String],
}

impl Web<'_> {
    /// The next number of a group in a degree: 0 for exact, 1 for near, 2 for story.
    fn number(&mut self, degree: usize) -> u32 {
        let number = self.next[degree];
        self.next[degree] += 1;
        number
    }

    /// Groups for a new text on a new story.
    fn fresh(&mut self) -> Groups {
        Groups {
            exact: self.number(0),
            near: self.number(1),
            story: self.number(2),
        }
    }

    /// Writes an article, and its print version, archived version, reprints and retold versions.
    fn article(&mut self) -> Result<(), Error> {
        let home = self.random.below(self.sites.len());
        let pool = self.sites[home].pool;
        let sentences = self.texts[pool].next();
        let title = title(&sentences);
        let groups = self.fresh();
        let number = self.sites[home].articles.len() + 1;
        let address = format!("/news/{number}.html");
        let draft = |kind| Draft {
            kind,
            title: &title,
            sentences: &sentences,
        };
        self.page(home, &address, &draft(Page::Article), groups, "original")?;
        self.sites[home].articles.push((title.clone(), address));
        if self.random.chance(PRINTED) {
            let address = format!("/print/{number}.html");
            self.page(home, &address, &draft(Page::Print), groups, "print")?;
        }
        if self.random.chance(ARCHIVED) {
            let address = format!("/archive/2007/{:02}/{number}.html", number % 12 + 1);
            self.page(home, &address, &draft(Page::Archive), groups, "archive")?;
        }
        // Reprints stay within a language.
        let others: Vec<usize> = (0..self.sites.len())
            .filter(|&site| site != home && self.sites[site].pool == pool)
            .collect();
        while self.random.chance(REPRINTED) {
            let Some(&site) = self.random.pick(&others) else {
                break;
            };
            let edits = [
                (1, Edit::Exact),
                (3, Edit::Words),
                (1, Edit::Drop),
                (1, Edit::Noise),
            ];
            let edit = *self.random.weighted(&edits).unwrap_or(&Edit::Exact);
            let rate = *self.random.pick(&[10_000, 20_000, 50_000, 100_000]).unwrap_or(&0);
            let copy = edited(&sentences, edit, rate, &self.pools[pool], &mut self.random);
            // An edit may change nothing, such as noise without a place for it. Then the texts are exact
            // duplicates.
            let groups = Groups {
                exact: if copy == sentences {
                    groups.exact
                } else {
                    self.number(0)
                },
                ..groups
            };
            self.publish_on(site, &title, &copy, groups, "reprint")?;
        }
        if self.random.chance(RETOLD)
            && let Some(&site) = self.random.pick(&others)
        {
            // At most two sentences are quoted from the article, and the others are new. Such a text is on
            // the same story, and no near-duplicate.
            let mut retold = self.texts[pool].next();
            let quoted = self.random.below(sentences.len());
            let place = self.random.below(retold.len() + 1);
            retold.splice(place..place, sentences.iter().skip(quoted).take(2).cloned());
            let groups = Groups {
                story: groups.story,
                exact: self.number(0),
                near: self.number(1),
            };
            self.publish_on(site, &title, &retold, groups, "retold")?;
        }
        Ok(())
    }

    /// Writes an article on a site that was not the first to publish it.
    fn publish_on(
        &mut self,
        site: usize,
        title: &str,
        sentences: &[String],
        groups: Groups,
        op: &'static str,
    ) -> Result<(), Error> {
        let address = format!("/news/{}.html", self.sites[site].articles.len() + 1);
        let draft = Draft {
            kind: Page::Article,
            title,
            sentences,
        };
        self.page(site, &address, &draft, groups, op)?;
        self.sites[site].articles.push((title.to_owned(), address));
        Ok(())
    }

    /// Writes a page of a site.
    fn page(
        &mut self,
        site: usize,
        address: &str,
        draft: &Draft<'_>,
        groups: Groups,
        op: &'static str,
    ) -> Result<(), Error> {
        let own = &self.sites[site];
        // Headlines of earlier articles of the site, beside the text. They differ between pages.
        let beside: Vec<(String, String)> = (0..6)
            .filter_map(|_| self.random.pick(&own.articles).cloned())
            .collect();
        let text = paragraphs(draft.sentences);
        let html = own
            .boilerplate
            .page(draft.kind, draft.title, &text, &beside, &mut self.random);
        self.put(site, address, &html, groups, op)
    }

    /// Writes a page, and its copy on the site's mirror if there is one.
    fn put(
        &mut self,
        site: usize,
        address: &str,
        html: &str,
        groups: Groups,
        op: &'static str,
    ) -> Result<(), Error> {
        let own = &self.sites[site];
        let mut label = Label {
            group: groups.near,
            exact: Some(groups.exact),
            story: Some(groups.story),
            op,
            ..Label::default()
        };
        let url = format!("http://{}{address}", own.boilerplate.host);
        self.writer.add(&url, html, &label)?;
        self.pages += 1;
        if let Some(mirror) = &own.mirror {
            label.op = "mirror";
            label.parent = Some(url);
            // The mirror names itself in links, as a server does that rewrites its pages.
            let html = html.replace(&own.boilerplate.host, mirror);
            self.writer
                .add(&format!("http://{mirror}{address}"), &html, &label)?;
            self.pages += 1;
        }
        Ok(())
    }

    /// Writes the lists of headlines of all sites. Each list is a group of its own.
    fn lists(&mut self) -> Result<(), Error> {
        for site in 0..self.sites.len() {
            let all = self.sites[site].articles.clone();
            for (number, listed) in all.chunks(LISTED).enumerate() {
                let groups = self.fresh();
                let address = if number == 0 {
                    "/".to_owned()
                } else {
                    format!("/?page={}", number + 1)
                };
                let html = self.sites[site].boilerplate.list(listed, &mut self.random);
                self.put(site, &address, &html, groups, "list")?;
            }
        }
        Ok(())
    }
}

/// A title: the first seven words of a text, without punctuation at the end.
fn title(sentences: &[String]) -> String {
    let first = sentences.first().map_or("", String::as_str);
    let words: Vec<&str> = first.split(' ').take(7).collect();
    words
        .join(" ")
        .trim_end_matches([',', '.', ';', ':', '!', '?'])
        .to_owned()
}
