//! Limits on the memory of a verb.

use crate::error::Error;
use crate::settings::table::Settings;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// Bytes that the program takes before reading anything.
const BASE: u64 = 12 * MIB;
/// Bytes that each thread takes for its records.
const PER_THREAD: u64 = 5 * MIB;

/// Bytes that the program takes in addition to data kept of records. `writers` is the memory that writing takes.
pub(crate) fn base(settings: &Settings, writers: u64) -> u64 {
    writers + BASE + PER_THREAD * settings.threads() as u64
}

/// The memory that the settings allow for data kept of records.
#[derive(Clone, Copy)]
pub(crate) struct MemoryCeiling {
    ceiling: Option<u64>,
    base: u64,
}

impl MemoryCeiling {
    /// The ceiling of these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        MemoryCeiling {
            ceiling: settings.memory_ceiling(),
            base: base(settings, 0),
        }
    }

    /// Size in bytes of a batch that is gathered before it is processed: `usual`, or less if memory is short.
    pub(crate) fn batch(self, usual: u64) -> u64 {
        // At least 1 MiB, unless `usual` is less: a very low ceiling must not cause a batch for every few
        // records.
        self.ceiling
            .map_or(usual, |ceiling| (ceiling / 8).clamp(MIB.min(usual), usual))
    }

    /// Returns an error if `kept` bytes of records do not fit. `what` describes what needs them, such as `for 7 documents`.
    pub(crate) fn check(self, kept: u64, what: impl FnOnce() -> String) -> Result<(), Error> {
        match self.ceiling {
            Some(ceiling) if self.base + kept > ceiling => {
                Err(too_little(ceiling, self.base + kept, &what()))
            }
            _ => Ok(()),
        }
    }
}

/// The error for a memory ceiling that is too low.
pub(crate) fn too_little(ceiling: u64, needed: u64, what: &str) -> Error {
    let mib = |bytes: u64| bytes.div_ceil(MIB);
    Error::failed(format!(
        "`--memory {}MiB` is too little: at least {} MiB are needed {what}",
        mib(ceiling),
        mib(needed)
    ))
    .with_option("memory")
    .with_help("allow more with --memory, or take the collection in parts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Memory, Threads};

    #[test]
    fn batches_shrink_and_what_does_not_fit_is_refused() {
        let of = |memory: Option<u64>| {
            MemoryCeiling::of(&Settings {
                memory: memory.map(Memory),
                threads: Some(Threads(2)),
                ..Settings::default()
            })
        };
        let what = || "for 7 documents".to_owned();
        assert_eq!(of(None).batch(256 * MIB), 256 * MIB);
        assert_eq!(of(Some(80 * MIB)).batch(256 * MIB), 10 * MIB);
        assert_eq!(of(Some(1)).batch(256 * MIB), MIB);
        assert!(of(None).check(u64::MAX / 2, what).is_ok());
        assert!(of(Some(80 * MIB)).check(58 * MIB, what).is_ok());
        let refused = of(Some(80 * MIB)).check(59 * MIB, what).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`--memory 80MiB` is too little: at least 81 MiB are needed for 7 documents"
        );
    }
}
