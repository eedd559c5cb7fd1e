//! Values of fields in the records of documents.

use std::cmp::Ordering;

use crate::keep::order_key::{ascending, ascending_real, ascending_text};

/// A value of a field. Numbers precede texts. Numbers are ordered by value, texts by code points.
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// A whole number.
    Integer(i64),
    /// Any other number. NaN counts as a missing value.
    Real(f64),
    /// A text.
    Text(&'a str),
}

impl<'a> FieldValue<'a> {
    /// The text, or `None` for a number.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Integer(_) | Self::Real(_) => None,
        }
    }

    /// True if the value can be compared, that is, for all values but NaN.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Self::Real(number) if number.is_nan())
    }

    /// Appends bytes whose lexicographic order is that of [`compare`](Self::compare), among numbers and among texts.
    /// All numbers have the same number of bytes.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "numbers beyond the range of `i64` have their own cases"
    )]
    pub(crate) fn append_key(&self, out: &mut Vec<u8>) {
        // A number has three parts: whether it is below, inside or above the range of `i64`; the whole
        // number; and the rest. So integers and floats within the range compare exactly.
        let (place, whole, rest) = match *self {
            Self::Text(text) => return ascending_text(text, out),
            Self::Integer(number) => (1, number, 0.0),
            Self::Real(number) if number >= BEYOND => (2, 0, number),
            Self::Real(number) if number < -BEYOND => (0, 0, number),
            // Within the range of `i64`, so the conversion only drops the fraction. Adding 0 turns -0 into 0.
            Self::Real(number) => (1, number.trunc() as i64, number.fract() + 0.0),
        };
        out.push(place);
        ascending(whole, out);
        ascending_real(rest, out);
    }

    /// The order of two known values: numbers before texts, numbers by value, texts by code points.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        debug_assert!(
            self.is_known() && other.is_known(),
            "{self:?} or {other:?} is no value"
        );
        match (*self, *other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(&b),
            (Self::Integer(a), Self::Real(b)) => compare_mixed(a, b),
            (Self::Real(a), Self::Integer(b)) => compare_mixed(b, a).reverse(),
            // 0 and -0 are equal.
            (Self::Real(a), Self::Real(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Text(_), _) => Ordering::Greater,
            (_, Self::Text(_)) => Ordering::Less,
        }
    }
}

/// 2^63, the first number above the range of `i64`.
const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// Compares an integer with a float exactly. Converting the integer would make unequal numbers equal, because `f64` has
/// fewer digits than `i64`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers beyond the range of `i64` have their own cases"
)]
fn compare_mixed(whole: i64, real: f64) -> Ordering {
    if real >= BEYOND {
        return Ordering::Less;
    }
    if real < -BEYOND {
        return Ordering::Greater;
    }
    // Within the range of `i64`, so the conversion only drops the fraction.
    let fraction = real.fract().partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    // Equal whole numbers leave the decision to the fraction.
    whole.cmp(&(real.trunc() as i64)).then(fraction.reverse())
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::FieldValue::{self, Integer, Real, Text};

    #[test]
    fn numbers_come_by_value_and_texts_by_code_points() {
        for (a, b, order) in [
            (Integer(2), Integer(10), Less),
            (Integer(2), Real(1.5), Greater),
            (Integer(-2), Real(-1.5), Less),
            (Integer(-1), Real(-1.5), Greater),
            (Integer(0), Real(-0.0), Equal),
            (Real(0.0), Real(-0.0), Equal),
            (Integer(i64::MAX), Real(9.3e18), Less),
            (Integer(i64::MIN), Real(f64::NEG_INFINITY), Greater),
            // 2^53 + 1 and 2^53, which are equal as floats.
            (
                Integer(9_007_199_254_740_993),
                Real(9_007_199_254_740_992.0),
                Greater,
            ),
            (Text("10"), Text("2"), Less),
            (Text("Z"), Text("a"), Less),
            (Text("\u{ffff}"), Text("\u{10000}"), Less),
            (Real(f64::INFINITY), Text(""), Less),
        ] {
            assert_eq!(a.compare(&b), order, "{a:?} {b:?}");
            assert_eq!(b.compare(&a), order.reverse(), "{b:?} {a:?}");
        }
        assert!(!FieldValue::Real(f64::NAN).is_known());
    }
}
