//! Relative references (RFC 3986, section 5.2), as far as links on pages need them.

/// `href` seen from `base`, which must be absolute.
pub(crate) fn join(base: &str, href: &str) -> Option<String> {
    let (scheme, rest) = base.split_once("://")?;
    if let Some(network) = href.strip_prefix("//") {
        return Some(format!("{scheme}://{network}"));
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    if authority.is_empty() {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or("");
    let (reference, tail) = href.split_at(href.find(['?', '#']).unwrap_or(href.len()));
    let joined = match reference {
        "" => path.to_owned(),
        _ if reference.starts_with('/') => reference.to_owned(),
        _ => format!("{}/{reference}", path.rsplit_once('/').map_or("", |(dir, _)| dir)),
    };
    Some(format!("{scheme}://{authority}{}{tail}", without_dots(&joined)))
}

/// Resolves `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(usize::from(path.starts_with('/'))) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}
