//! Counts of passed tests, from the output of test programs.

/// Counts over several test programs.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

impl Counts {
    /// Adds the counts of a line of output; other lines are ignored.
    ///
    /// Lines are `test result: ok. 3 passed; 0 failed; 1 ignored; ...` or, of pytest, `3 passed, 1 skipped
    /// in 2.50s`.
    pub(crate) fn add(&mut self, line: &str) {
        let rust = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "));
        let pytest = line.trim_matches(['=', ' ']).split_once(" in ");
        let parts = match (rust, pytest) {
            (Some((_, counts)), _) => counts.split("; "),
            // Another program's line may contain " in " too; pytest's has a duration after it.
            (None, Some((counts, time))) if time.starts_with(|c: char| c.is_ascii_digit()) => {
                counts.split(", ")
            }
            _ => return,
        };
        for (count, what) in parts.filter_map(|part| part.split_once(' ')) {
            let Ok(count) = count.parse::<u64>() else { continue };
            match what {
                "passed" => self.passed += count,
                // An error in a fixture of pytest is a test that did not pass.
                "failed" | "error" | "errors" => self.failed += count,
                "ignored" | "skipped" => self.ignored += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_programs_add_up() {
        let mut counts = Counts::default();
        counts.add("running 3 tests");
        counts.add(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        );
        counts.add(
            "test result: FAILED. 40 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 9s",
        );
        counts.add("12 passed, 2 skipped in 3.21s");
        counts.add("test_x.py::test_y took 1 second in 2 steps");
        assert_eq!(
            counts,
            Counts {
                passed: 55,
                failed: 2,
                ignored: 3
            }
        );
    }
}
