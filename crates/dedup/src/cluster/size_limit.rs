//! The largest size of a cluster, as a parameter.

use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Parameter;
use crate::strategy::value::number;

/// The largest size of a cluster, as a parameter of clusterings that can limit it.
pub(crate) const MAX_SIZE: Parameter =
    Parameter::new("max_size", "any", "largest size of a cluster, 1 or more, or any");

pub(crate) fn max_size(value: &str) -> Result<u32, BuildError> {
    if value == "any" {
        Ok(u32::MAX)
    } else {
        number("max_size", value, 1..=u32::MAX)
    }
}
