//! Formatting of numbers for people.

/// Thousands separator that allows no line break: the narrow no-break space.
const SEPARATOR: char = '\u{202f}';

/// A count with separated thousands: `1 204 311`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(SEPARATOR);
        }
        out.push(digit);
    }
    out
}

/// A count with its noun: `1 page`, `1 204 pages`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A count in at most three characters and a unit, for axes: `950`, `1.2k`, `34M`. Truncated and not
/// rounded, so that `999 999` is `999k` and not `1000k`.
pub fn compact(n: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (1_000_000_000_000_000_000, "E"),
        (1_000_000_000_000_000, "P"),
        (1_000_000_000_000, "T"),
        (1_000_000_000, "G"),
        (1_000_000, "M"),
        (1_000, "k"),
    ];
    for (size, unit) in UNITS {
        if n >= size {
            let (whole, tenth) = (n / size, n % size / (size / 10));
            return if whole < 10 && tenth > 0 {
                format!("{whole}.{tenth}{unit}")
            } else {
                format!("{whole}{unit}")
            };
        }
    }
    n.to_string()
}

/// The ratio `part / whole` in percent with one decimal. `0%` only if `part` is 0, `100%` only if `part`
/// equals `whole`. A dash if `whole` is 0.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let permille = (part * 1000 + whole / 2) / whole;
    // A small share is not 0 %, and a large one is not 100 %: a reader would take them for exact.
    match permille {
        0 if part == 0 => "0%".to_owned(),
        0 => "<0.1%".to_owned(),
        1000 if part < whole => ">99.9%".to_owned(),
        1000 if part == whole => "100%".to_owned(),
        _ => format!("{}.{}%", permille / 10, permille % 10),
    }
}

/// The ratio `part / whole`, clamped to 0 to 1, for drawing. 0 if `whole` is 0.
pub fn fraction(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        (part as f64 / whole as f64).clamp(0.0, 1.0)
    }
}

/// A number from 0 to 1 with two or three decimals, rounded. Only 1 itself is shown as 1: 0.9996 becomes
/// 0.999. NaN and infinities become a dash.
pub fn unit(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let scale = if decimals == 2 { 100.0 } else { 1000.0 };
    // The epsilon corrects floats that are slightly below their decimal value, such as 0.125 times 100.
    let rounded = (value.clamp(0.0, 1.0) * scale + 1e-9).round() / scale;
    let shown = if value < 1.0 - 1e-9 {
        rounded.min(1.0 - 1.0 / scale)
    } else {
        rounded
    };
    if decimals == 2 {
        format!("{shown:.2}")
    } else {
        format!("{shown:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1204), "1\u{202f}204");
        assert_eq!(
            count(u64::MAX),
            "18\u{202f}446\u{202f}744\u{202f}073\u{202f}709\u{202f}551\u{202f}615"
        );
        assert_eq!(counted(1, "page", "pages"), "1 page");
        assert_eq!(counted(0, "page", "pages"), "0 pages");
    }

    #[test]
    fn axes_have_short_figures() {
        let cases = [
            (0, "0"),
            (950, "950"),
            (1000, "1k"),
            (1250, "1.2k"),
            (34_999, "34k"),
            (5_000_000, "5M"),
        ];
        for (n, text) in cases {
            assert_eq!(compact(n), text);
        }
        assert_eq!(compact(u64::MAX), "18E");
    }

    #[test]
    fn shares_are_none_or_all_only_if_they_are() {
        let cases = [
            (0, 10, "0%"),
            (10, 10, "100%"),
            (1, 3, "33.3%"),
            (1, 16, "6.3%"),
            (1, 1_000_000, "<0.1%"),
            (999_999, 1_000_000, ">99.9%"),
            (3, 2, "150.0%"),
            (1, 0, "–"),
            (u64::MAX, u64::MAX, "100%"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(share(part, whole), text, "{part} of {whole}");
        }
    }

    #[test]
    fn almost_1_is_not_1() {
        assert_eq!(unit(0.9996, 3), "0.999");
        assert_eq!(unit(1.0, 3), "1.000");
        assert_eq!(unit(2.0 / 3.0, 3), "0.667");
        assert_eq!(unit(8.0 / 9.0, 2), "0.89");
        assert_eq!(unit(0.996, 2), "0.99");
        for hundredth in 0..=100 {
            let text = format!("{}.{:02}", hundredth / 100, hundredth % 100);
            assert_eq!(unit(text.parse().unwrap(), 2), text);
        }
        assert_eq!(unit(f64::NAN, 2), "–");
        assert_eq!(unit(-0.5, 2), "0.00");
    }
}
