//! Finds out which sites need most work. Some pages of each site are extracted while the list of sites is
//! shown.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use dehusk_pipeline::catch_panic;

/// How well the main text of some pages of a site was found.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Need {
    /// Number of pages that were extracted.
    pub(crate) pages: usize,
    /// Number of pages without main text.
    pub(crate) empty: usize,
    /// Number of pages that no template of the site fits, or only one that is not applied.
    pub(crate) unknown: usize,
    /// Number of templates of the site.
    pub(crate) templates: usize,
    /// Number of templates whose choice of parts depends much on the pages that they are learnt from.
    pub(crate) unsure: usize,
    /// Sum of the confidences of pages with main text.
    confidence: f64,
}

/// Weight of an unsure template, or of a page that no template fits, relative to a page without main text.
const DOUBT: f64 = 0.5;

impl Need {
    /// Mean confidence of pages with main text; `None` if there are no such pages.
    pub(crate) fn confidence(&self) -> Option<f64> {
        let with_text = self.pages - self.empty;
        (with_text > 0).then(|| self.confidence / with_text as f64)
    }

    /// How much work the site needs, from 0 to 1. Pages without text count fully, and others by what their
    /// confidence lacks of 1. Unsure templates, and pages that no template fits, add to that.
    pub(crate) fn weight(&self) -> f64 {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        // The confidence is a sum over pages with text, so pages without text lower the mean.
        let good = match self.pages {
            0 => 1.0,
            pages => self.confidence / pages as f64,
        };
        let known = 1.0 - DOUBT * share(self.unknown, self.pages);
        1.0 - good * known * (1.0 - DOUBT * share(self.unsure, self.templates))
    }

    /// Adds a page. `confidence` is that of its main text; `None` if there is no main text.
    pub(crate) fn add(&mut self, confidence: Option<f64>) {
        self.pages += 1;
        match confidence {
            Some(confidence) => self.confidence += confidence,
            None => self.empty += 1,
        }
    }
}

/// The needs of all sites, as far as they are known.
#[derive(Default)]
pub(crate) struct Needs {
    state: Mutex<State>,
    wake: Condvar,
}

/// The needs that are known, and the sites that wait.
#[derive(Default)]
struct State {
    found: BTreeMap<String, Need>,
    /// Sites whose need is to be measured, the last site first.
    waiting: Vec<String>,
    /// The site that is being measured; `None` if no site is, or if its rules have changed since.
    measured: Option<String>,
    /// Whether the sites were listed.
    started: bool,
    ended: bool,
}

impl Needs {
    /// Returns the need of each measured site, and the number of sites that wait to be measured. `sites`
    /// are the pages of all sites. The first call begins the work, with the sites that have most pages.
    pub(crate) fn get(&self, sites: &BTreeMap<String, Vec<usize>>) -> (BTreeMap<String, Need>, usize) {
        let mut state = self.lock();
        if !state.started {
            state.started = true;
            let mut hosts: Vec<(&String, usize)> =
                sites.iter().map(|(host, pages)| (host, pages.len())).collect();
            // The list is worked off from its end, so the site with most pages comes last.
            hosts.sort_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
            state.waiting = hosts.into_iter().map(|(host, _)| host.clone()).collect();
            self.wake.notify_one();
        }
        (state.found.clone(), state.waiting.len())
    }

    /// Measures the need of a site again, since its rules have changed.
    pub(crate) fn forget(&self, host: &str) {
        let mut state = self.lock();
        // A site that is being measured is measured again: its need is that of the old rules.
        if state.found.remove(host).is_some() || state.measured.as_deref() == Some(host) {
            state.measured = None;
            state.waiting.push(host.to_owned());
            self.wake.notify_one();
        }
    }

    /// Measures the needs of sites as they come in, until [`end`](Self::end) is called.
    pub(crate) fn work(&self, look: impl Fn(&str) -> Need) {
        let mut state = self.lock();
        while !state.ended {
            // The host stays in the list while its need is measured, so the number of waiting sites
            // includes it.
            let Some(host) = state.waiting.last().cloned() else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            // Requests are answered while pages are extracted.
            state.measured = Some(host.clone());
            drop(state);
            // A defect at one page must not end the work on all others.
            let need = catch_panic(|| look(&host)).unwrap_or_default();
            state = self.lock();
            // While the lock was free, other sites may have been appended, so the host need not be the
            // last.
            if let Some(at) = state.waiting.iter().rposition(|waiting| *waiting == host) {
                state.waiting.remove(at);
            }
            if state.measured.take().is_some() {
                state.found.insert(host, need);
            }
        }
    }

    /// Ends the work after the present site.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.wake.notify_all();
    }

    /// The state, also after a panic of another thread.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_without_text_weigh_most() {
        let of = |pages: &[Option<f64>]| {
            let mut need = Need::default();
            pages.iter().for_each(|page| need.add(*page));
            need
        };
        let unsure = of(&[Some(0.4), Some(0.6)]);
        let empty = of(&[None, Some(0.9)]);
        assert!(empty.weight() > unsure.weight());
        assert_eq!(unsure.confidence(), Some(0.5));
        assert_eq!(empty.confidence(), Some(0.9));
        assert_eq!(Need::default().confidence(), None);
        assert!(Need::default().weight().abs() < 1e-9);
    }

    #[test]
    fn unsure_templates_and_unknown_pages_weigh_too() {
        let mut sure = Need {
            templates: 2,
            ..Need::default()
        };
        (0..4).for_each(|_| sure.add(Some(0.95)));
        let unsure = Need { unsure: 1, ..sure };
        let unknown = Need { unknown: 2, ..sure };
        for more in [unsure, unknown] {
            assert!(more.weight() > sure.weight() && more.weight() < 1.0, "{more:?}");
        }
    }

    /// A site whose rules were saved is looked at again.
    #[test]
    fn sites_with_most_pages_come_first_and_again_when_they_change() {
        let sites = BTreeMap::from([("a".to_owned(), vec![0]), ("b".to_owned(), vec![1, 2])]);
        let (needs, looked) = (Needs::default(), Mutex::new(Vec::new()));
        assert_eq!(needs.get(&sites).1, 2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                needs.work(|host| {
                    looked.lock().expect("a list").push(host.to_owned());
                    Need::default()
                });
            });
            let mut again = false;
            while looked.lock().expect("a list").len() < 3 {
                if !again && needs.get(&sites).1 == 0 {
                    again = true;
                    needs.forget("b");
                }
                std::thread::yield_now();
            }
            needs.end();
        });
        assert_eq!(*looked.lock().expect("a list"), ["b", "a", "b"]);
    }
}
