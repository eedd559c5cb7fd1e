//! Learning the templates of a crawl in one pass with bounded memory.
//!
//! A layout closes when enough of its pages were learnt from: its template is written, and its pages are
//! freed. Until then its pages wait in a temporary file, and their sketches in memory. When sketches exceed
//! a bound, the layouts whose last page is oldest close first, with the pages they have.
//!
//! A host is settled once a number of its pages in a row belonged to closed layouts. From then on one page
//! in twenty is learnt from, selected by the hash of its address, so that a redesign of the host is
//! noticed. The selection is known before a page is parsed, and a host stays settled. So threads may skip
//! pages that are certain to be passed over, and the result does not depend on the threads.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{PoisonError, RwLock};

use dehusk_extract::site::{Sample, Template};
use dehusk_html::narrow;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::site::group::{Groups, Joined, LayoutId, MAX_PAGES};
use crate::site::page_spill::PageSpill;
use crate::site::template_writer::TemplateWriter;
use crate::site::waiting_page::{PackedPage, WaitingPage};
use crate::write::summary::{LayoutStart, LearntSites, LearntTemplate};

/// Number of pages of a layout at which learning may stop: it does if the second half of them changed no decision.
const CHECKED_PAGES: usize = 24;
/// Number of consecutive pages of closed layouts after which a host is settled.
const SETTLED_RUN: u32 = 25;
/// One in this many pages of a settled host is learnt from.
const LOOKED_AT: u64 = 20;

/// Maximum number of hosts that are remembered at a time.
pub(super) const MAX_HOSTS: usize = 100_000;
/// Bytes of memory for each remembered host, without its layouts.
pub(super) const HOST_BYTES: u64 = 400;

/// Hashes of the settled hosts.
#[derive(Debug, Default)]
pub(crate) struct SettledHosts(RwLock<HashSet<u64>>);

impl SettledHosts {
    /// Whether a host is settled.
    fn has(&self, host: &str) -> bool {
        let hosts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        hosts.contains(&xxh3_64(host.as_bytes()))
    }

    /// Makes a host settled. It stays so until the end of the pass.
    fn add(&self, host: &str) {
        let mut hosts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        hosts.insert(xxh3_64(host.as_bytes()));
    }

    /// Whether a page of a host is passed over. `false` may change to `true` later, but never back.
    pub(crate) fn pass_over(&self, host: &str, url: &str) -> bool {
        self.has(host) && !xxh3_64(url.as_bytes()).is_multiple_of(LOOKED_AT)
    }
}

/// A layout that takes pages.
struct OpenLayout {
    host: String,
    /// Number of its last page.
    last: u64,
    /// Whether the check at [`CHECKED_PAGES`] pages was made.
    checked: bool,
    /// Its first page, if the host had a template before that page.
    since: Option<LayoutStart>,
}

/// State of a host.
#[derive(Default)]
struct Host {
    /// Number of its last page.
    last: u64,
    /// Number of its last pages in a row that belonged to closed layouts.
    run: u32,
    /// Whether it has a template.
    learnt: bool,
}

/// Learns templates from pages that arrive in sequence.
pub(crate) struct StreamLearner<'a> {
    groups: Groups<WaitingPage>,
    spill: PageSpill,
    open: BTreeMap<LayoutId, OpenLayout>,
    /// Open layouts by the numbers of their last pages.
    oldest_open: BTreeMap<u64, LayoutId>,
    /// Hosts by the numbers of their last pages.
    oldest_host: BTreeMap<u64, String>,
    hosts: HashMap<String, Host>,
    settled: &'a SettledHosts,
    writer: TemplateWriter,
    /// Maximum bytes of memory that pages and layouts may take.
    most_bytes: u64,
    /// Number of pages taken so far. Each page has a number of its own, so keys of the maps above never
    /// collide.
    number: u64,
    learnt: LearntSites,
}

impl<'a> StreamLearner<'a> {
    /// A learner without pages. It notes settled hosts in `settled`. `most_bytes` limits its memory.
    pub(crate) fn new(
        settled: &'a SettledHosts,
        writer: TemplateWriter,
        spill: PageSpill,
        most_bytes: u64,
    ) -> Self {
        StreamLearner {
            groups: Groups::default(),
            spill,
            open: BTreeMap::new(),
            oldest_open: BTreeMap::new(),
            oldest_host: BTreeMap::new(),
            hosts: HashMap::new(),
            settled,
            writer,
            most_bytes,
            number: 0,
            learnt: LearntSites::default(),
        }
    }

    /// Takes the next page. `record` is the number of its record and `file` the file of the record. `page`
    /// is `None` if the page was passed over.
    ///
    /// # Errors
    /// If the temporary file or a template cannot be written or read.
    pub(crate) fn take(
        &mut self,
        host: &str,
        url: &str,
        page: Option<PackedPage>,
        (record, file): (u64, &str),
    ) -> Result<(), Error> {
        // A thread may have parsed a page before its host was settled. It is dropped here, so that the
        // result does not depend on timing.
        let Some(page) = page.filter(|_| !self.settled.pass_over(host, url)) else {
            self.learnt.passed_over += 1;
            return Ok(());
        };
        self.learnt.looked_at += 1;
        self.number += 1;
        let learnt = self.touch_host(host);
        let start = learnt.then(|| LayoutStart {
            record,
            file: file.to_owned(),
            url: url.to_owned(),
            date: page.date.clone(),
        });
        match self.groups.add(host, page.spilled(&self.spill)?) {
            Joined::Closed => self.met_closed(host),
            Joined::Open(id) => self.met_open(id)?,
            Joined::New(id, gone) => {
                // A rare layout that gave way takes no more pages and never becomes a template.
                if let Some(gone) = gone.and_then(|gone| self.open.remove(&gone)) {
                    self.oldest_open.remove(&gone.last);
                }
                let open = OpenLayout {
                    host: host.to_owned(),
                    last: self.number,
                    checked: false,
                    since: start,
                };
                self.open.insert(id, open);
                self.oldest_open.insert(self.number, id);
                self.unsettle(host);
            }
        }
        self.make_room()
    }

    /// Bytes of memory that pages, layouts and hosts take.
    pub(crate) fn bytes(&self) -> u64 {
        self.groups.bytes() + self.hosts.len() as u64 * HOST_BYTES
    }

    /// Closes all open layouts, waits for their templates, and returns the results.
    pub(crate) fn finish(mut self) -> Result<LearntSites, Error> {
        // Ids ascend, so the layouts that are still open close in the order in which they were met.
        while let Some((id, _)) = self.open.first_key_value() {
            self.close(*id, None)?;
        }
        self.writer.finish()?;
        let counts = self.groups.counts;
        self.learnt.copies = counts.copies;
        self.learnt.alone = counts.alone;
        self.learnt.templates.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(self.learnt)
    }

    /// Records that a page of a host was met. Returns whether the host has a template.
    fn touch_host(&mut self, host: &str) -> bool {
        let number = self.number;
        let known = self.hosts.entry(host.to_owned()).or_default();
        // A new host has the number 0, which no page has, so nothing is removed. The name of a known host
        // is reused.
        let name = self.oldest_host.remove(&known.last);
        known.last = number;
        self.oldest_host
            .insert(number, name.unwrap_or_else(|| host.to_owned()));
        known.learnt
    }

    /// Records that a page of a host belonged to a closed layout. After [`SETTLED_RUN`] in a row, the host
    /// is settled.
    fn met_closed(&mut self, host: &str) {
        if let Some(known) = self.hosts.get_mut(host) {
            known.run += 1;
            // The run may grow further, and the host is added once.
            if known.run == SETTLED_RUN {
                self.settled.add(host);
            }
        }
    }

    /// Records that a page of a host belonged to no closed layout.
    fn unsettle(&mut self, host: &str) {
        if let Some(known) = self.hosts.get_mut(host) {
            known.run = 0;
        }
    }

    /// Records that a page joined an open layout, and closes the layout if it has enough pages.
    fn met_open(&mut self, id: LayoutId) -> Result<(), Error> {
        let Some(open) = self.open.get_mut(&id) else {
            return Ok(());
        };
        self.oldest_open.remove(&open.last);
        open.last = self.number;
        self.oldest_open.insert(open.last, id);
        let (host, checked) = (open.host.clone(), open.checked);
        self.unsettle(&host);
        // A page that replaces a copy leaves the number unchanged. `checked` prevents a second check at the
        // same number.
        let pages = self.groups.pages(&host, id).len();
        match pages {
            CHECKED_PAGES if !checked => {
                if let Some(template) = self.settled_template(&host, id)? {
                    return self.close(id, Some(template));
                }
                if let Some(open) = self.open.get_mut(&id) {
                    open.checked = true;
                }
                Ok(())
            }
            MAX_PAGES => self.close(id, None),
            _ => Ok(()),
        }
    }

    /// The template of a layout, if the second half of its pages changes no decision about them; else
    /// `None`.
    fn settled_template(&self, host: &str, id: LayoutId) -> Result<Option<Template>, Error> {
        let pages = self.groups.pages(host, id).map(WaitingPage::sample);
        let pages: Vec<Sample> = pages.collect::<Result<_, _>>()?;
        let pages: Vec<&Sample> = pages.iter().collect();
        let (half, rest) = pages.split_at(CHECKED_PAGES / 2);
        let (before, after) = (Template::learn(half), Template::learn(&pages));
        // Only pages that `before` has not seen show whether more pages would change a decision.
        let same = rest.iter().all(|page| before.kept(page) == after.kept(page));
        Ok(same.then_some(after))
    }

    /// Closes a layout and writes its template. `template` is given if it has already been learnt.
    fn close(&mut self, id: LayoutId, template: Option<Template>) -> Result<(), Error> {
        let Some(open) = self.open.remove(&id) else {
            return Ok(());
        };
        self.oldest_open.remove(&open.last);
        let Some(group) = self.groups.close(&open.host, id) else {
            return Ok(());
        };
        if let Some(host) = self.hosts.get_mut(&open.host) {
            // From the next page of this host on, new layouts are recorded with their first page.
            host.learnt = true;
        }
        let (site, pages) = (group.site.clone(), narrow::to_u32(group.pages.len()));
        let (file, layout) = self.writer.write(group, template)?;
        self.learnt.templates.push(LearntTemplate {
            file,
            site,
            layout,
            pages,
            since: open.since,
        });
        Ok(())
    }

    /// Closes the layouts whose last page is oldest, then forgets the hosts whose last page is oldest,
    /// until memory is within the bound.
    fn make_room(&mut self) -> Result<(), Error> {
        while self.bytes() > self.most_bytes {
            match self.oldest_open.first_key_value() {
                Some((_, id)) => self.close(*id, None)?,
                None if self.oldest_host.is_empty() => break,
                None => self.forget_oldest()?,
            }
        }
        while self.hosts.len() > MAX_HOSTS {
            self.forget_oldest()?;
        }
        Ok(())
    }

    /// Forgets the host whose last page is oldest. Its open layouts are closed first.
    fn forget_oldest(&mut self) -> Result<(), Error> {
        let Some((_, host)) = self.oldest_host.pop_first() else {
            return Ok(());
        };
        for id in self.groups.open_layouts(&host) {
            self.close(id, None)?;
        }
        self.hosts.remove(&host);
        self.groups.forget(&host);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
