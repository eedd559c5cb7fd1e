//! Scales of axes, and their ticks.

/// Mapping of values to positions on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Linear, from the first value to the second.
    Linear(f64, f64),
    /// Logarithmic, from the first value, which is positive, to the second.
    Log(f64, f64),
}

impl Scale {
    /// A logarithmic scale over all positive values, widened to powers of ten. From 1 to 10 if there is no positive value.
    pub fn log(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| *value > 0.0 && value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if high == 0.0 {
            return Self::Log(1.0, 10.0);
        }
        let power = |value: f64, up: bool| {
            let exponent = if up {
                value.log10().ceil()
            } else {
                value.log10().floor()
            };
            #[expect(
                clippy::cast_possible_truncation,
                reason = "powers of ten of an f64 are from -324 to 308"
            )]
            10_f64.powi(exponent as i32)
        };
        let (low, high) = (power(low, false), power(high, true));
        // A single power of ten, such as for the value 100 alone, would have no width.
        Self::Log(low, if high > low { high } else { low * 10.0 })
    }

    /// A linear scale over all values, widened to tenths. It stays within 0 to 1 and is at least 0.1 wide.
    pub fn fitted(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (1.0_f64, 0.0_f64);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        // The epsilon moves values that are exact tenths off the edge of the plot.
        let (low, high) = (
            (low * 10.0 - 1e-9).floor() / 10.0,
            (high * 10.0 + 1e-9).ceil() / 10.0,
        );
        let low = low.clamp(0.0, 0.9);
        Self::Linear(low, high.clamp(low + 0.1, 1.0))
    }

    /// Position of a value: 0 at the beginning of the axis, 1 at its end. Values beyond the axis are clamped.
    pub(super) fn position(self, value: f64) -> f64 {
        let position = match self {
            Self::Linear(from, to) => (value - from) / (to - from),
            Self::Log(from, to) => (value.max(from) / from).ln() / (to / from).ln(),
        };
        // NaN values and scales without width are drawn at the beginning.
        if position.is_finite() {
            position.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Values and labels of the ticks.
    pub(super) fn ticks(self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(from, to) => {
                let step = nice((to - from) / 5.0);
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a scale has some steps of its own range, and `as` saturates"
                )]
                // The epsilons keep ticks at both ends despite rounding.
                let first = (from / step - 1e-9).ceil() as i64;
                (first..)
                    .map(|number| number as f64 * step)
                    .take_while(|value| *value <= to + 1e-9)
                    .take(12)
                    .map(|value| (value, short(value)))
                    .collect()
            }
            Self::Log(from, to) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "an f64 has some hundred decades, and `as` saturates"
                )]
                let decades = (to / from).log10().round() as i32;
                let every = (decades / 6).max(0) + 1;
                (0..=decades)
                    .filter(|decade| decade % every == 0)
                    .map(|decade| {
                        let value = from * 10_f64.powi(decade);
                        (value, short(value))
                    })
                    .collect()
            }
        }
    }
}

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `step`. 1 if `step` is not positive and finite.
fn nice(step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(step.log10().floor());
    let times = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|times| times * power >= step * 0.999);
    times.unwrap_or(10.0) * power
}

/// Label of a tick.
pub(super) fn short(value: f64) -> String {
    let absolute = value.abs();
    if absolute > 0.0 && absolute < 0.001 {
        format!("{value:.0e}")
    } else if absolute >= 1e6 {
        format!("{}M", round(value / 1e6))
    } else if absolute >= 1e4 {
        format!("{}k", round(value / 1e3))
    } else {
        round(value)
    }
}

/// A number without decimals from 10 on, else with up to three, without zeros at the end.
fn round(value: f64) -> String {
    let text = if value.abs() >= 10.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
