//! Access control: a request must have the token in its address, and must come from a page of this program
//! or from no page.
//!
//! Pages of other sites do not know the token. A host name that was made to resolve to this machine (DNS
//! rebinding) is rejected by `Host`, and a form sent by another site by `Origin`.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use dehusk_pipeline::Error;

/// Length of a token in bytes.
const TOKEN_BYTES: usize = 16;

/// Returns a token that cannot be guessed: 128 random bits in hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub(crate) fn token() -> Result<String, Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::failed(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The hosts that requests may address.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    /// Further names of this machine, given by the user, in lower case.
    names: Vec<String>,
}

impl Guard {
    /// Accepts requests to this address, and to further names of this machine.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Guard {
        Guard {
            address,
            names: names.iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    /// Returns the reason why a request is refused; `None` if it is accepted.
    pub(crate) fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(HOST) else {
            return Some("the request names no host");
        };
        // With two `Host` fields, a proxy could judge by the other one.
        if headers.get_all(HOST).iter().count() > 1 || !self.is_host(host) {
            return Some("the request is for another host");
        }
        let origin = text(ORIGIN);
        // Browsers send `Origin` with every form. A page that is opened by its address has none.
        let own = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        let reads = method == Method::GET || method == Method::HEAD;
        if !(own || reads && origin.is_none()) {
            return Some("the request comes from another page");
        }
        let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
        match site {
            None | Some(b"same-origin") => None,
            // The address was typed, or opened from another program.
            Some(b"none") if reads => None,
            Some(_) => Some("the request comes from another page"),
        }
    }

    /// Whether a host with its port is this program.
    fn is_host(&self, host: &str) -> bool {
        let port = format!(":{}", self.address.port());
        let name = match host.strip_suffix(&port) {
            Some(name) => name,
            None if self.address.port() == 80 => host,
            None => return false,
        };
        let name = name.to_lowercase();
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let ip: Option<IpAddr> = bare.unwrap_or(&name).parse().ok();
        let here = self.address.ip();
        match ip {
            // An IPv6 address must be in brackets.
            Some(ip) if here.is_unspecified() => ip.is_ipv4() || bare.is_some(),
            Some(ip) => {
                // Any loopback address of the same family reaches a server on loopback.
                ip == here || here.is_loopback() && ip.is_loopback() && ip.is_ipv4() == here.is_ipv4()
            }
            None => {
                name == "localhost" && (here.is_loopback() || here.is_unspecified())
                    || self.names.contains(&name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(guard: &Guard, method: &Method, fields: &[(&'static str, &str)]) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().expect("a value"));
        }
        guard.refuses(method, &headers)
    }

    #[test]
    fn only_requests_for_us_and_from_us_are_answered() {
        let guard = Guard::new("127.0.0.1:8000".parse().expect("an address"), &[]);
        let get = |fields: &[(&'static str, &str)]| refuses(&guard, &Method::GET, fields).is_none();
        let post = |fields: &[(&'static str, &str)]| refuses(&guard, &Method::POST, fields).is_none();
        assert!(get(&[("host", "127.0.0.1:8000")]));
        assert!(get(&[("host", "localhost:8000"), ("sec-fetch-site", "none")]));
        for host in [
            "evil.example:8000",
            "127.0.0.1",
            "127.0.0.1:8001",
            "localhost.evil.example:8000",
            "192.168.0.1:8000",
            "",
            "[::1]:8000",
        ] {
            assert!(!get(&[("host", host)]), "{host}");
        }
        assert!(!get(&[]));
        assert!(!get(&[("host", "127.0.0.1:8000"), ("host", "evil.example:8000")]));
        assert!(!get(&[
            ("host", "127.0.0.1:8000"),
            ("origin", "http://evil.example")
        ]));
        assert!(!get(&[
            ("host", "127.0.0.1:8000"),
            ("sec-fetch-site", "cross-site")
        ]));
        assert!(post(&[
            ("host", "127.0.0.1:8000"),
            ("origin", "http://127.0.0.1:8000")
        ]));
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:8000",
            "https://127.0.0.1:8000",
            "http://127.0.0.1",
        ] {
            assert!(
                !post(&[("host", "127.0.0.1:8000"), ("origin", origin)]),
                "{origin}"
            );
        }
        assert!(!post(&[("host", "127.0.0.1:8000")]));
    }

    #[test]
    fn other_addresses_are_served_if_the_user_says_so() {
        let guard = Guard::new("0.0.0.0:80".parse().expect("an address"), &["Box.lan".to_owned()]);
        let get = |host: &str| refuses(&guard, &Method::GET, &[("host", host)]).is_none();
        assert!(get("192.168.0.7") && get("box.lan") && get("localhost:80"));
        assert!(!get("evil.example") && !get("box.lan.evil.example"));
    }

    #[test]
    fn tokens_differ() {
        let (a, b) = (token().expect("a token"), token().expect("a token"));
        assert!(a != b && a.len() == 2 * TOKEN_BYTES);
    }
}
