//! Progress of a stage, in figures for people and for programs.

use dehusk_pipeline::Total;
use serde_json::{Value, json};

use crate::log::Fields;

/// Progress of a stage at one moment.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) stage: String,
    pub(super) total: Option<Total>,
    pub(super) records: u64,
    pub(super) bytes: u64,
    pub(super) seconds: f64,
}

impl Snapshot {
    /// Returns the amount done, in the unit of the total: bytes, or records.
    pub(super) fn done(&self) -> u64 {
        match self.total {
            Some(Total::Bytes(_)) => self.bytes,
            Some(Total::Pages(_) | Total::Documents(_) | Total::Pairs(_) | Total::UnknownPairs) | None => {
                self.records
            }
        }
    }

    /// Returns the share done, 0 to 1; `None` if the total is unknown or 0, or has been exceeded.
    pub(super) fn share(&self) -> Option<f64> {
        let total = match self.total? {
            Total::Bytes(total) | Total::Pages(total) | Total::Documents(total) | Total::Pairs(total) => {
                total
            }
            Total::UnknownPairs => return None,
        };
        // An input that grows while it is read can exceed its total.
        (0 < total && self.done() <= total).then(|| self.done() as f64 / total as f64)
    }

    /// Returns the seconds left at the average speed so far; `None` if the share is unknown or 0.
    fn remaining(&self) -> Option<f64> {
        let share = self.share().filter(|share| *share > 0.0)?;
        Some(self.seconds * (1.0 - share) / share)
    }

    /// Returns records, bytes, rates, share and remaining time, as far as they are known and fit into `room` characters.
    ///
    /// Without a share, the time so far is shown instead, as a sign that the work goes on.
    pub(super) fn figures(&self, room: usize) -> String {
        let (what, total) = match self.total {
            Some(Total::Pages(total)) => ("pages", Some(total)),
            Some(Total::Documents(total)) => ("documents", Some(total)),
            Some(Total::Pairs(total)) => ("pairs", Some(total)),
            Some(Total::UnknownPairs) => ("pairs", None),
            Some(Total::Bytes(_)) | None => ("records", None),
        };
        // A total that was exceeded is not shown.
        let total = total.filter(|total| self.records <= *total);
        let done = match total {
            Some(total) => format!("{} of {total} {what}", self.records),
            None => format!("{} {what}", self.records),
        };
        let mut rates = rates(self.records, self.bytes, self.seconds, what).into_iter();
        let share = self.share();
        // In the order of display. The number is the rank: if the line is too long, the parts of the
        // highest rank are dropped first.
        let parts = [
            (2, Some(done)),
            (4, (self.bytes > 0).then(|| size(self.bytes))),
            (3, rates.next()),
            (5, rates.next()),
            // Rounded down, so that 100 % means done.
            (0, share.map(|share| format!("{:.0}%", (100.0 * share).floor()))),
            (
                1,
                self.remaining().map(|seconds| format!("{} left", time(seconds))),
            ),
            (
                1,
                (share.is_none() && self.seconds >= 1.0).then(|| time(self.seconds)),
            ),
        ];
        let known = parts.into_iter().filter_map(|(rank, part)| Some((rank, part?)));
        let mut known: Vec<(u8, String)> = known.collect();
        // Parts of equal rank are dropped together. With no part left, the line is empty and fits.
        loop {
            let line: Vec<&str> = known.iter().map(|(_, part)| part.as_str()).collect();
            let line = line.join(", ");
            let last = known.iter().map(|(rank, _)| *rank).max();
            match last {
                Some(last) if line.len() > room => known.retain(|(rank, _)| *rank != last),
                _ => return line,
            }
        }
    }

    /// Returns the fields of the event `progress`. Unknown figures are null and left out.
    pub(super) fn fields(&self) -> Fields {
        let mut fields = stage_fields(&self.stage, self.total);
        fields.extend([
            ("records", self.records.into()),
            ("bytes", self.bytes.into()),
            ("seconds", rounded(self.seconds)),
            ("records_per_second", rounded(self.records as f64 / self.seconds)),
            ("bytes_per_second", rounded(self.bytes as f64 / self.seconds)),
            ("share", self.share().map_or(json!(null), rounded)),
            ("remaining_seconds", self.remaining().map_or(json!(null), rounded)),
        ]);
        fields
    }
}

/// Returns the fields that name a stage and its total.
pub(super) fn stage_fields(name: &str, total: Option<Total>) -> Fields {
    let mut fields = vec![("stage", json!(name))];
    fields.extend(total.and_then(|total| match total {
        Total::Bytes(bytes) => Some(("total_bytes", bytes.into())),
        Total::Pages(pages) => Some(("total_pages", pages.into())),
        Total::Documents(documents) => Some(("total_documents", documents.into())),
        Total::Pairs(pairs) => Some(("total_pairs", pairs.into())),
        Total::UnknownPairs => None,
    }));
    fields
}

/// Rounds to three decimals, more than enough for figures that depend on time. Values that are not finite become null.
pub(crate) fn rounded(value: f64) -> Value {
    json!((1000.0 * value).round() / 1000.0) // null unless it is finite
}

/// Returns records and bytes per second; a rate of 0 is left out.
pub(crate) fn rates(records: u64, bytes: u64, seconds: f64, what: &str) -> Vec<String> {
    let mut rates = Vec::new();
    if seconds > 0.0 && records > 0 {
        let rate = records as f64 / seconds;
        // A browser renders a page in seconds: a rate of 0 would say that nothing moves.
        let decimals = match rate {
            ..1.0 => 2,
            1.0..10.0 => 1,
            _ => 0,
        };
        rates.push(format!("{rate:.decimals$} {what}/s"));
    }
    if seconds > 0.0 && bytes > 0 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a size for people, and `as` saturates"
        )]
        rates.push(format!("{}/s", size((bytes as f64 / seconds) as u64)));
    }
    rates
}

/// Returns a number of bytes in a unit for people: `12.3 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "TB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1000, "kB"),
    ];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

/// Returns a time in units for people: `4.20 s`, `3 min 20 s`, `5 h 12 min`.
pub(crate) fn time(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "seconds for people, and `as` saturates"
    )]
    let whole = seconds.round() as u64;
    match whole {
        // The unit is chosen by the rounded value, so that 59.9 s is shown as a minute and not as `60 s`.
        0..=9 => format!("{seconds:.2} s"),
        10..=59 => format!("{whole} s"),
        60..=3599 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(total: Option<Total>) -> Snapshot {
        Snapshot {
            stage: "reading".to_owned(),
            total,
            records: 1500,
            bytes: 30_000_000,
            seconds: 10.0,
        }
    }

    #[test]
    fn a_line_tells_rates_and_where_the_total_is_known_share_and_rest() {
        let known = snapshot(Some(Total::Bytes(120_000_000)));
        assert_eq!(
            known.figures(usize::MAX),
            "1500 records, 30.0 MB, 150 records/s, 3.0 MB/s, 25%, 30 s left"
        );
        let documents = snapshot(Some(Total::Documents(2000)));
        assert_eq!(
            documents.figures(usize::MAX),
            "1500 of 2000 documents, 30.0 MB, 150 documents/s, 3.0 MB/s, 75%, 3.33 s left"
        );
        assert_eq!(
            snapshot(None).figures(usize::MAX),
            "1500 records, 30.0 MB, 150 records/s, 3.0 MB/s, 10 s"
        );
        // Pages of a folder that grows while it is read: the total is exceeded.
        let grown = snapshot(Some(Total::Pages(1400))).figures(usize::MAX);
        assert_eq!(grown, "1500 pages, 30.0 MB, 150 pages/s, 3.0 MB/s, 10 s");
        assert_eq!(rates(16, 0, 36.0, "pages"), ["0.44 pages/s"]);
        assert_eq!(rates(16, 0, 5.0, "pages"), ["3.2 pages/s"]);
        // A total that was wrong, and a stage that has just begun.
        assert_eq!(snapshot(Some(Total::Bytes(10))).share(), None);
        let begun = Snapshot {
            records: 0,
            bytes: 0,
            seconds: 0.0,
            ..known
        };
        assert_eq!(begun.figures(usize::MAX), "0 records, 0%");
        assert!(
            begun
                .fields()
                .iter()
                .any(|(name, value)| *name == "records_per_second" && value.is_null())
        );
    }

    #[test]
    fn the_share_stays_longest_where_there_is_no_room() {
        let pages = snapshot(Some(Total::Pages(2000)));
        let shown = |room| pages.figures(room);
        assert_eq!(shown(52), "1500 of 2000 pages, 150 pages/s, 75%, 3.33 s left");
        assert_eq!(shown(40), "1500 of 2000 pages, 75%, 3.33 s left");
        assert_eq!(shown(20), "75%, 3.33 s left");
        assert_eq!([shown(10), shown(2)], ["75%", ""]);
    }

    #[test]
    fn sizes_and_times_are_told_in_units_for_people() {
        assert_eq!(
            [size(999), size(1000), size(2_540_000_000)],
            ["999 bytes", "1.0 kB", "2.5 GB"]
        );
        assert_eq!(
            [time(0.42), time(200.4), time(18_725.0)],
            ["0.42 s", "3 min 20 s", "5 h 12 min"]
        );
    }
}
