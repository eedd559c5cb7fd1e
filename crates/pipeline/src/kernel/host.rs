//! The host of an address, by which passages and sites are counted.

use dehusk_html::url::Address;

/// Returns the host of an address in lower case, without port. `None` if there is no host.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let address = Address::split(url.trim())?;
    address.has_host().then(|| address.host().to_lowercase())
}
