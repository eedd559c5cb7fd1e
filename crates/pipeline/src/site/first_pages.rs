//! First pages of hosts, stored unparsed until their host has a second page. Most hosts of a wide crawl
//! have only one page.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::site::page_spill::{PageSpill, Spilled};
use crate::site::stream::{HOST_BYTES, MAX_HOSTS};
use crate::site::waiting_page::PackedPage;

/// Maximum number of hosts that are remembered. When it is reached, all are forgotten, and the next page of
/// each host waits like a first one.
const MAX_KNOWN: usize = 1 << 20;
/// Bytes of memory for each remembered host.
const KNOWN_BYTES: u64 = 16;

/// Hosts whose first page a worker thread has met. A hint whether a page should be parsed at once; results
/// do not depend on it.
#[derive(Debug, Default)]
pub(crate) struct MetHosts(Mutex<HashSet<u64>>);

impl MetHosts {
    /// Records that a page of a host was met. Returns whether the page may be the first of its host.
    pub(crate) fn is_new(&self, host: &str) -> bool {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MAX_KNOWN {
            hosts.clear();
        }
        hosts.insert(xxh3_64(host.as_bytes()))
    }
}

/// A page that arrives at the learner.
pub(crate) struct Arrival {
    pub(crate) url: String,
    /// Number of its record, from 1.
    pub(crate) record: u64,
    /// Name of the file of the record.
    pub(crate) file: Arc<str>,
    pub(crate) page: ArrivedPage,
}

/// State of an arriving page.
pub(crate) enum ArrivedPage {
    /// The page need not be learnt from; it was not parsed.
    PassedOver,
    /// The page was parsed.
    Read(Box<PackedPage>),
    /// The page has waited in packed form and must be unpacked.
    Packed(Packed),
}

/// Packed form of a waiting page.
pub(crate) enum Packed {
    /// Its record.
    Record(Vec<u8>),
    /// The parsed page, packed by a thread that had met its host before.
    Sample(Vec<u8>),
}

/// What the learner does with a page.
pub(crate) enum Meeting {
    /// Nothing yet: it is the first page of its host and waits.
    Waits,
    /// The learner takes the page, after the first page of its host if that page was waiting.
    LookAt(Option<Arrival>, Arrival),
}

/// The waiting first pages of hosts with only one page so far.
pub(crate) struct FirstPages {
    spill: PageSpill,
    waiting: HashMap<String, First>,
    /// Waiting hosts, by the order in which they were met.
    oldest: BTreeMap<u64, String>,
    /// Hashes of the hosts with more than one page.
    known: HashSet<u64>,
    number: u64,
    /// Number of waiting pages that were forgotten.
    forgotten: u64,
}

/// A waiting page: its number in the order of arrival, its record, and its content in the temporary file.
struct First {
    number: u64,
    url: String,
    record: u64,
    file: Arc<str>,
    is_record: bool,
    page: Spilled,
}

impl FirstPages {
    /// No pages yet. Those that wait are packed in `spill`.
    pub(crate) fn new(spill: PageSpill) -> Self {
        FirstPages {
            spill,
            waiting: HashMap::new(),
            oldest: BTreeMap::new(),
            known: HashSet::new(),
            number: 0,
            forgotten: 0,
        }
    }

    /// Handles the next page of a host.
    ///
    /// # Errors
    /// If the temporary file cannot be written or read.
    pub(crate) fn meet(&mut self, host: &str, arrival: Arrival) -> Result<Meeting, Error> {
        let hash = xxh3_64(host.as_bytes());
        // Only the first page of a host waits.
        if self.known.contains(&hash) {
            return Ok(Meeting::LookAt(None, arrival));
        }
        if let Some(first) = self.waiting.remove(host) {
            self.oldest.remove(&first.number);
            self.know(hash);
            return Ok(Meeting::LookAt(Some(first.arrival()?), arrival));
        }
        let (is_record, bytes) = match arrival.page {
            // A page is passed over only if its host is settled, which takes many pages. So the host was
            // known, and `known` has forgotten it.
            ArrivedPage::PassedOver => {
                self.know(hash);
                return Ok(Meeting::LookAt(None, arrival));
            }
            ArrivedPage::Read(page) => (false, page.into_packed()),
            ArrivedPage::Packed(Packed::Sample(bytes)) => (false, bytes),
            ArrivedPage::Packed(Packed::Record(bytes)) => (true, bytes),
        };
        self.number += 1;
        let first = First {
            number: self.number,
            url: arrival.url,
            record: arrival.record,
            file: arrival.file,
            is_record,
            page: self.spill.put(&bytes)?,
        };
        self.waiting.insert(host.to_owned(), first);
        self.oldest.insert(self.number, host.to_owned());
        // The host that has waited longest is the least likely to have a second page soon.
        if self.waiting.len() > MAX_HOSTS
            && let Some((_, host)) = self.oldest.pop_first()
        {
            self.waiting.remove(&host);
            self.forgotten += 1;
        }
        Ok(Meeting::Waits)
    }

    /// Remembers a host with more than one page, by the hash of its name.
    fn know(&mut self, host: u64) {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(host);
    }

    /// Number of pages that are the only one of their host.
    pub(crate) fn alone(&self) -> u64 {
        self.forgotten + self.waiting.len() as u64
    }

    /// Upper bound of the bytes of memory that waiting pages and known hosts take.
    pub(crate) fn bytes(&self) -> u64 {
        self.waiting.len() as u64 * HOST_BYTES + self.known.len() as u64 * KNOWN_BYTES
    }
}

impl First {
    /// The page as it arrived, read back from the temporary file.
    fn arrival(self) -> Result<Arrival, Error> {
        let bytes = self.page.read()?;
        let packed = match self.is_record {
            true => Packed::Record(bytes),
            false => Packed::Sample(bytes),
        };
        Ok(Arrival {
            url: self.url,
            record: self.record,
            file: self.file,
            page: ArrivedPage::Packed(packed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(record: u64, page: ArrivedPage) -> Arrival {
        Arrival {
            url: format!("http://a.example/{record}"),
            record,
            file: "crawl".into(),
            page,
        }
    }

    fn record(record: u64) -> Arrival {
        let bytes = record.to_string().into_bytes();
        arrival(record, ArrivedPage::Packed(Packed::Record(bytes)))
    }

    #[test]
    fn a_first_page_comes_before_the_second_and_others_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut first = FirstPages::new(PageSpill::new(dir.path().to_owned()));
        let mut met = |host: &str, arrival| match first.meet(host, arrival).unwrap() {
            Meeting::Waits => Vec::new(),
            Meeting::LookAt(before, now) => {
                let bytes = before.iter().map(|before| match &before.page {
                    ArrivedPage::Packed(Packed::Record(bytes)) => {
                        String::from_utf8_lossy(bytes).parse().unwrap()
                    }
                    _ => 0,
                });
                let numbers = before.iter().map(|before| before.record);
                assert!(bytes.eq(numbers.clone()));
                numbers.chain([now.record]).collect()
            }
        };
        assert!(met("a", record(1)).is_empty());
        assert!(met("b", record(2)).is_empty());
        assert_eq!(met("a", record(3)), [1, 3]);
        assert_eq!(met("a", record(4)), [4]);
        // A page that is passed over makes its forgotten host known again.
        assert_eq!(met("c", arrival(5, ArrivedPage::PassedOver)), [5]);
        assert!(met("d", record(6)).is_empty());
        assert_eq!(first.alone(), 2);
    }

    #[test]
    fn hosts_beyond_the_most_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let mut first = FirstPages::new(PageSpill::new(dir.path().to_owned()));
        for number in 0..MAX_HOSTS as u64 + 5 {
            let waits = first.meet(&format!("h{number}"), record(number)).unwrap();
            assert!(matches!(waits, Meeting::Waits));
        }
        assert_eq!((first.waiting.len(), first.oldest.len()), (MAX_HOSTS, MAX_HOSTS));
        assert_eq!(first.alone(), MAX_HOSTS as u64 + 5);
        assert!(matches!(first.meet("h4", record(1)).unwrap(), Meeting::Waits));
        assert!(matches!(
            first.meet("h6", record(1)).unwrap(),
            Meeting::LookAt(Some(_), _)
        ));
    }
}
