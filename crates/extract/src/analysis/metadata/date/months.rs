//! Names of months: `data/months.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Months that a word names, the most common first. Each has its languages as ISO 639-1 codes, or an empty text for all
/// languages.
type Readings = Vec<(u32, &'static str)>;

static MONTHS: LazyLock<HashMap<&'static str, Readings>> = LazyLock::new(|| {
    let lines = include_str!("../../../../data/months.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| line.split_once('\t'));
    rows.map(|(name, readings)| (name, readings.split(' ').filter_map(reading).collect()))
        .collect()
});

fn reading(text: &'static str) -> Option<(u32, &'static str)> {
    let (month, languages) = text.split_once(':').unwrap_or((text, ""));
    Some((month.parse().ok()?, languages))
}

/// Returns the month of this name, which is in lower case without dots. `language` decides if languages disagree.
pub(super) fn month(name: &str, language: &str) -> Option<u32> {
    let readings = MONTHS.get(name)?;
    let of_language = |&&(_, languages): &&(u32, &str)| {
        !language.is_empty() && languages.split(',').any(|known| known == language)
    };
    let reading = readings.iter().find(of_language).or_else(|| readings.first())?;
    Some(reading.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_month() {
        let mut lines = 0;
        for line in include_str!("../../../../data/months.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let (name, _) = line.split_once('\t').unwrap();
            assert!((1..=12).contains(&month(name, "").unwrap()), "{line}");
            assert_eq!(name, name.to_lowercase());
            lines += 1;
        }
        assert_eq!((lines, MONTHS.len()), (MONTHS.len(), lines));
    }

    #[test]
    fn languages_decide_where_they_disagree() {
        assert_eq!(
            (
                month("listopada", "hr"),
                month("listopada", "pl"),
                month("listopada", "")
            ),
            (Some(10), Some(11), Some(11))
        );
        assert_eq!((month("srp", "cs"), month("srp", "hr")), (Some(8), Some(7)));
    }
}
