//! Fields of forms and of addresses.

/// Names with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(pub(crate) Vec<(String, String)>);

impl Fields {
    /// Returns the first nonempty value of a name; `None` if absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut found = self
            .0
            .iter()
            .filter(|(known, value)| known == name && !value.is_empty());
        found.next().map(|(_, value)| value.as_str())
    }

    /// Returns all nonempty values of a name.
    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let found = self.0.iter().filter(move |(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Returns a value as a number; `None` if it is missing or not a number.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }

    /// Returns the value of a name; empty if it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }
}

/// Returns a path with these fields as its query.
pub(crate) fn link(path: &str, fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        query.append_pair(name, value);
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_encoded() {
        assert_eq!(
            link("/a", &[("s", "p > .b&c"), ("h", "é")]),
            "/a?s=p+%3E+.b%26c&h=%C3%A9"
        );
        assert_eq!(link("/a", &[]), "/a");
    }
}
