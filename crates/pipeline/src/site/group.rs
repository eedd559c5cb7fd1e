//! Groups of pages with the same layout on the same host, without copies.

use std::collections::BTreeMap;

use dehusk_extract::site::Sample;

use crate::site::key;
use crate::site::page_marks::{LAYOUT_RESEMBLANCE, PageMarks, SetSketch};

/// Minimum number of pages for learning a template.
pub(crate) const MIN_PAGES: usize = 2;
/// Maximum number of pages for learning a template.
pub(crate) const MAX_PAGES: usize = 50;
/// Allowance for unused capacity of the vectors of a parsed page: its size divided by `SPARE`.
const SPARE: usize = 4;
/// Maximum number of layouts of a host. When it is exceeded, the layout with the fewest pages is dropped.
const MAX_LAYOUTS: usize = 32;

/// A page of a group: a parsed page, or a reference to one on disk.
pub(crate) trait GroupedPage: Send {
    /// Its URL.
    fn address(&self) -> &str;

    /// Bytes of memory that it takes.
    fn bytes(&self) -> usize;
}

/// Data kept beside a parsed page while the page waits for its group.
pub(crate) trait MemorySize: Send {
    /// Bytes of memory that it takes.
    fn bytes(&self) -> usize;
}

impl MemorySize for () {
    fn bytes(&self) -> usize {
        0
    }
}

impl MemorySize for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

/// A page in memory with the data kept beside it.
impl<W: MemorySize> GroupedPage for (Sample, W) {
    fn address(&self) -> &str {
        self.0.name()
    }

    fn bytes(&self) -> usize {
        // Vectors that grew have unused capacity, which samples do not count.
        self.0.bytes() + self.0.bytes() / SPARE + self.1.bytes()
    }
}

/// A page with the sketches that it is compared by.
pub(crate) struct Member<P> {
    pub(crate) page: P,
    pub(crate) marks: PageMarks,
}

impl<P: GroupedPage> Member<P> {
    /// Bytes of memory that the page takes.
    fn bytes(&self) -> u64 {
        // Some fixed sizes count twice, as an allowance for unused capacity of the B-tree nodes that hold members.
        (self.page.bytes() + self.marks.bytes() + size_of::<Self>()) as u64
    }
}

/// Number of a layout, in the order in which layouts were met.
pub(crate) type LayoutId = u64;

/// A layout of a host, represented by the sketch of its first page.
struct Layout<P> {
    id: LayoutId,
    first: SetSketch,
    /// Its pages by their keys: the [`MAX_PAGES`] pages with the smallest keys, or fewer.
    pages: BTreeMap<u128, Member<P>>,
    /// Number of pages that were assigned to it.
    seen: u64,
    /// Whether its pages were already learnt from. A closed layout takes no pages.
    closed: bool,
}

/// The layouts of a host.
struct HostLayouts<P> {
    /// Scheme of its first page.
    scheme: String,
    layouts: Vec<Layout<P>>,
}

/// Pages of one layout.
pub(crate) struct Group<P> {
    /// The longest common part of the addresses of all pages, see [`key::lasting_key`]. Its scheme is that of the first page met on the
    /// host.
    pub(crate) site: String,
    /// Number of the layout within the site, from 1.
    pub(crate) layout: u32,
    pub(crate) pages: Vec<P>,
}

/// Counts of pages that were not learnt from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GroupCounts {
    /// Pages beyond the maximum of their layout.
    pub beyond: u64,
    /// Pages that are copies of others.
    pub copies: u64,
    /// Pages whose layout no other page has.
    pub alone: u64,
}

/// Layout that a page was assigned to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// An open layout. The page may have replaced a copy, or a page beyond the maximum.
    Open(LayoutId),
    /// A new layout, and the rare layout that it replaced, if any.
    New(LayoutId, Option<LayoutId>),
    /// A closed layout, which takes no pages.
    Closed,
}

/// Pages by host and layout.
///
/// A page joins the layout whose first page it resembles most, by [`Sample::layout`], or begins a new layout. Of an address, only the host
/// matters: a host may have several layouts below one path, and one layout below several paths.
pub(crate) struct Groups<P> {
    hosts: BTreeMap<String, HostLayouts<P>>,
    /// Always empty: stands for the pages of an unknown layout, which are borrowed.
    none: BTreeMap<u128, Member<P>>,
    next: LayoutId,
    bytes: u64,
    pub(crate) counts: GroupCounts,
}

impl<P> Default for Groups<P> {
    fn default() -> Self {
        Groups {
            hosts: BTreeMap::new(),
            none: BTreeMap::new(),
            next: 0,
            bytes: 0,
            counts: GroupCounts::default(),
        }
    }
}

impl<P: GroupedPage> Groups<P> {
    /// Adds a page of a host.
    pub(crate) fn add(&mut self, host: &str, mut member: Member<P>) -> Joined {
        // Two look-ups, since `entry` would need an owned name for each page.
        if !self.hosts.contains_key(host) {
            let key = key::site_key(member.page.address()).unwrap_or_default();
            let new = HostLayouts {
                scheme: key::split_scheme(&key).0.to_owned(),
                layouts: Vec::new(),
            };
            self.hosts.insert(host.to_owned(), new);
        }
        let Some(HostLayouts { layouts, .. }) = self.hosts.get_mut(host) else {
            debug_assert!(false, "the host was inserted above");
            return Joined::Closed;
        };
        // Only the first page of a layout needs its layout sketch. Other pages drop it.
        let features = std::mem::take(&mut member.marks.layout);
        if let Some(layout) = nearest(layouts, &features) {
            layout.seen += 1;
            if layout.closed {
                self.counts.beyond += 1;
                return Joined::Closed;
            }
            // The bytes are added first. `take` returns the bytes of the removed page, which may be this
            // page, so the count never goes below zero.
            self.bytes += member.bytes();
            self.bytes -= layout.take(member, &mut self.counts);
            return Joined::Open(layout.id);
        }
        // The layout with the fewest pages makes room. It is the least likely to become a template.
        let mut gone = None;
        if layouts.len() >= MAX_LAYOUTS
            && let Some(rare) = (0..layouts.len()).min_by_key(|at| layouts[*at].seen)
        {
            let rare = layouts.remove(rare);
            self.bytes -= rare.bytes();
            self.counts.alone += rare.pages.len() as u64;
            gone = Some(rare.id);
        }
        self.next += 1;
        self.bytes += member.bytes() + features.bytes() as u64;
        layouts.push(Layout {
            id: self.next,
            first: features,
            pages: BTreeMap::from([(member.marks.key, member)]),
            seen: 1,
            closed: false,
        });
        Joined::New(self.next, gone)
    }

    /// The pages of a layout, in the order of their keys. Empty for an unknown layout.
    pub(crate) fn pages(&self, host: &str, id: LayoutId) -> impl ExactSizeIterator<Item = &P> {
        let mut layouts = self.layouts(host).iter();
        let layout = layouts.find(|layout| layout.id == id);
        let pages = layout.map_or(&self.none, |layout| &layout.pages);
        pages.values().map(|member| &member.page)
    }

    /// Closes a layout and returns its pages. A layout with too few pages is removed instead, and `None` is returned; its next page begins
    /// it again.
    pub(crate) fn close(&mut self, host: &str, id: LayoutId) -> Option<Group<P>> {
        let HostLayouts { scheme, layouts } = self.hosts.get_mut(host)?;
        let at = layouts.iter().position(|layout| layout.id == id)?;
        let layout = &mut layouts[at];
        // The bytes of pages are subtracted while the layout still has them. Its own sketch stays and is
        // added again below.
        self.bytes -= layout.bytes();
        let pages = std::mem::take(&mut layout.pages);
        let group = group_of(pages, scheme, &mut self.counts);
        if group.is_some() {
            layout.closed = true;
            self.bytes += layout.bytes();
        } else {
            layouts.remove(at);
        }
        group
    }

    /// Ids of the open layouts of a host.
    pub(crate) fn open_layouts(&self, host: &str) -> Vec<LayoutId> {
        let layouts = self.layouts(host).iter();
        layouts
            .filter(|layout| !layout.closed)
            .map(|layout| layout.id)
            .collect()
    }

    /// The layouts of a host. Empty for an unknown host.
    fn layouts(&self, host: &str) -> &[Layout<P>] {
        self.hosts.get(host).map_or(&[], |host| &host.layouts)
    }

    /// Removes a host with all its layouts.
    pub(crate) fn forget(&mut self, host: &str) {
        let host = self.hosts.remove(host);
        for layout in host.into_iter().flat_map(|host| host.layouts) {
            self.bytes -= layout.bytes();
            self.counts.alone += layout.pages.len() as u64;
        }
    }

    /// Bytes of memory that pages and layouts take.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All groups by site, the largest group of a site first. Pages of layouts with too few pages count as
    /// alone.
    pub(crate) fn finish(mut self) -> (Vec<Group<P>>, GroupCounts) {
        let mut groups = Vec::new();
        for HostLayouts { scheme, layouts } in std::mem::take(&mut self.hosts).into_values() {
            let pages = layouts.into_iter().map(|layout| layout.pages);
            groups.extend(pages.filter_map(|pages| group_of(pages, &scheme, &mut self.counts)));
        }
        groups.sort_by(|a, b| {
            let larger = b.pages.len().cmp(&a.pages.len());
            a.site.cmp(&b.site).then(larger)
        });
        // Groups of one site are adjacent, so numbers restart where the site changes.
        let (mut number, mut last) = (0, String::new());
        for group in &mut groups {
            number = if group.site == last { number + 1 } else { 1 };
            last.clone_from(&group.site);
            group.layout = number;
        }
        (groups, self.counts)
    }
}

/// The layout, open or closed, that a page resembles most. `None` if the page resembles none enough.
fn nearest<'l, P>(layouts: &'l mut [Layout<P>], features: &SetSketch) -> Option<&'l mut Layout<P>> {
    let mut best: Option<(f64, &mut Layout<P>)> = None;
    for layout in layouts {
        let similarity = layout.first.resemblance(features);
        let least = best.as_ref().map_or(LAYOUT_RESEMBLANCE, |(best, _)| *best);
        // A tie goes to the earlier layout. Only the first candidate may equal the threshold.
        if similarity > least || (best.is_none() && similarity >= least) {
            best = Some((similarity, layout));
        }
    }
    best.map(|(_, layout)| layout)
}

impl<P: GroupedPage> Layout<P> {
    /// Adds a page, unless it is a copy of a page with a smaller key, or there are enough pages with smaller keys. Returns the bytes of the
    /// page that was left out.
    fn take(&mut self, member: Member<P>, counts: &mut GroupCounts) -> u64 {
        let copy = self
            .pages
            .iter()
            .find(|(key, known)| **key == member.marks.key || known.marks.is_copy(&member.marks));
        let copy = copy.map(|(key, _)| *key);
        let mut gone = 0;
        if let Some(copy) = copy {
            counts.copies += 1;
            // Of several copies, the page with the smallest key stays, so the group does not depend on the
            // order of pages.
            if copy <= member.marks.key {
                return member.bytes();
            }
            gone += self.pages.remove(&copy).map_or(0, |known| known.bytes());
        }
        self.pages.insert(member.marks.key, member);
        // The group exceeds its limit by at most one page. The page with the largest key is removed, which
        // may be the new page.
        if self.pages.len() > MAX_PAGES {
            counts.beyond += 1;
            gone += self.pages.pop_last().map_or(0, |(_, page)| page.bytes());
        }
        gone
    }

    /// Bytes of memory of its pages and of its own sketch.
    fn bytes(&self) -> u64 {
        let pages: u64 = self.pages.values().map(Member::bytes).sum();
        pages + self.first.bytes() as u64
    }
}

/// The group of the pages of one layout. `None` if there are too few pages.
fn group_of<P: GroupedPage>(
    pages: BTreeMap<u128, Member<P>>,
    scheme: &str,
    counts: &mut GroupCounts,
) -> Option<Group<P>> {
    if pages.len() < MIN_PAGES {
        counts.alone += pages.len() as u64;
        return None;
    }
    let keys = pages
        .values()
        .filter_map(|page| key::site_key(page.page.address()));
    let places = keys.map(|key| key::place(&key).to_owned());
    // Pages of one host always share at least the host. `None` only if no page has an address.
    let place = places.reduce(|a, b| key::common_place(&a, &b).to_owned())?;
    Some(Group {
        site: key::lasting_key(&format!("{scheme}://{place}")).to_owned(),
        layout: 1,
        pages: pages.into_values().map(|member| member.page).collect(),
    })
}
