//! Progress reports.

/// Amount of work of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Total {
    /// Bytes to be read.
    Bytes(u64),
    /// Pages to read.
    Pages(u64),
    /// Documents to work on.
    Documents(u64),
    /// Pairs of documents to be compared.
    Pairs(u64),
    /// Pairs of documents are compared, and their number is known only at the end.
    UnknownPairs,
}

/// Receiver of progress reports. All methods do nothing unless implemented.
pub trait Progress: Sync {
    /// Returns `true` if progress is displayed. If not, totals that take time to count are omitted.
    fn is_watched(&self) -> bool {
        false
    }

    /// Reports that a stage begins. `total` is its amount of work, if known. For one of several similar
    /// stages, `name` states which one, as in `minhash, method 3 of 21`.
    fn stage(&self, name: &str, total: Option<Total>) {
        let _ = (name, total);
    }

    /// Reports that `records` more records (or items of the total) and `bytes` more bytes of the stage are
    /// done.
    fn advance(&self, records: u64, bytes: u64) {
        let _ = (records, bytes);
    }
}

/// Ignores all reports.
impl Progress for () {}

#[cfg(test)]
pub(crate) mod recorder {
    use std::sync::Mutex;

    use super::{Progress, Total};

    /// Records stages with their totals and the work done in them.
    #[derive(Debug, Default)]
    pub(crate) struct Recorder(Mutex<Vec<Stage>>);

    #[derive(Debug)]
    struct Stage {
        name: String,
        total: Option<Total>,
        records: u64,
        bytes: u64,
    }

    impl Recorder {
        /// The stages, after a check that each reported its whole total.
        #[track_caller]
        pub(crate) fn stages(&self) -> Vec<String> {
            let stages = self.0.lock().unwrap();
            for stage in stages.iter() {
                let (done, total) = match stage.total {
                    Some(Total::Bytes(total)) => (stage.bytes, total),
                    Some(Total::Pages(total) | Total::Documents(total) | Total::Pairs(total)) => {
                        (stage.records, total)
                    }
                    Some(Total::UnknownPairs) | None => continue,
                };
                assert_eq!(done, total, "{}", stage.name);
            }
            stages.iter().map(|stage| stage.name.clone()).collect()
        }

        /// The total of the first stage with this name.
        pub(crate) fn total(&self, name: &str) -> Option<Total> {
            let stages = self.0.lock().unwrap();
            stages.iter().find(|stage| stage.name == name)?.total
        }
    }

    impl Progress for Recorder {
        fn is_watched(&self) -> bool {
            true
        }

        fn stage(&self, name: &str, total: Option<Total>) {
            self.0.lock().unwrap().push(Stage {
                name: name.to_owned(),
                total,
                records: 0,
                bytes: 0,
            });
        }

        fn advance(&self, records: u64, bytes: u64) {
            if let Some(stage) = self.0.lock().unwrap().last_mut() {
                stage.records += records;
                stage.bytes += bytes;
            }
        }
    }
}
