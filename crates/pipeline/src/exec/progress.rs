//! Reports of how far the work is.

/// How much a stage will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Total {
    /// Bytes to read.
    Bytes(u64),
    /// Pages to read.
    Pages(u64),
    /// Documents to work on.
    Documents(u64),
    /// Pairs of documents to compare.
    Pairs(u64),
    /// Pairs of documents are compared, and how many there are is known at the end.
    UnknownPairs,
}

/// Receives how far a run is. All methods do nothing unless implemented.
pub trait Progress: Sync {
    /// Whether anybody looks. If not, totals that take time are not counted.
    fn is_watched(&self) -> bool {
        false
    }

    /// A stage begins, which will do so much, if that is known. Of stages that are one of several alike, `name` says which, as in
    /// `minhash, method 3 of 21`.
    fn stage(&self, name: &str, total: Option<Total>) {
        let _ = (name, total);
    }

    /// More records, or what the total counts, and bytes of the stage are done.
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

    /// Remembers stages, with their totals and what was done in them.
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
        /// The stages, after a check that each did what it said it would do.
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

        /// The total of the first stage of that name.
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
