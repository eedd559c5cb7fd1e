//! Facts about documents that only some settings need to choose the documents that are kept.

use std::borrow::Cow;

use crate::kernel::document_table::DocumentFacts;
use crate::record::field::{FieldName, FieldValue};
use crate::settings::Patterns;
use crate::settings::table::Settings;

/// The needed facts: the value of the field that the keeper reads, and the preferred source.
#[derive(Clone, Default)]
pub(crate) struct AskedFacts {
    field: Option<FieldName>,
    prefer: Patterns,
}

impl AskedFacts {
    pub(crate) fn of(settings: &Settings) -> Self {
        AskedFacts {
            field: settings.kept_by_field(),
            prefer: settings.prefer.clone().unwrap_or_default(),
        }
    }

    /// Adds the needed values to the facts of a document. `record` returns the document as a JSON object; it is called only if a field is
    /// needed.
    pub(crate) fn add<'r>(&self, facts: &mut DocumentFacts, record: impl FnOnce() -> Cow<'r, [u8]>) {
        if let Some(name) = &self.field {
            // A document without an id in its record has a generated one.
            let id = || (name.as_str() == "id").then(|| FieldValue::Text(facts.id.clone()));
            facts.field = name.of(&record()).or_else(id);
        }
        let names = [Some(facts.id.as_str()), facts.url.as_deref()];
        facts.preference = self.prefer.first_of(names.into_iter().flatten());
    }

    /// Returns the preference of all documents of a file, given the name of the file.
    pub(crate) fn preference_of_file(&self, name: &str) -> Option<u32> {
        self.prefer.first_of([name])
    }

    /// Returns the name of the needed field if there are `documents` documents and none has a value
    /// (`found` is `false`), else `None`.
    pub(crate) fn missing(&self, documents: u32, found: bool) -> Option<String> {
        let name = self.field.as_ref().filter(|_| documents > 0 && !found)?;
        Some(name.as_str().to_owned())
    }
}

impl DocumentFacts {
    /// Takes over the preference of the document's file, if it ranks before its own.
    pub(crate) fn prefer_file(&mut self, preference: Option<u32>) {
        let both = self.preference.into_iter().chain(preference);
        self.preference = both.min();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ranking;

    fn asked(settings: &[(&str, &str)], id: &str, url: Option<&str>, record: &str) -> DocumentFacts {
        let mut all = Settings::default();
        for (name, value) in settings {
            all.set(name, value).unwrap();
        }
        let mut facts = DocumentFacts::new(id.to_owned(), url, &Ranking::default(), "");
        AskedFacts::of(&all).add(&mut facts, || record.as_bytes().into());
        facts
    }

    #[test]
    fn nothing_is_read_that_is_not_asked_for() {
        let mut facts = DocumentFacts::new("a".to_owned(), None, &Ranking::default(), "");
        AskedFacts::of(&Settings::default()).add(&mut facts, || unreachable!("no field is asked for"));
        assert!(facts.field.is_none() && facts.preference.is_none());
    }

    #[test]
    fn fields_are_those_of_the_record_and_ids_are_always_there() {
        let record = r#"{"score":3,"canonical_url":"http://x/"}"#;
        let of = |keep: &str| asked(&[("keep", keep)], "a", None, record).field;
        assert_eq!(of("field:score"), Some(FieldValue::Integer(3)));
        assert_eq!(of("field:id:min"), Some(FieldValue::Text("a".to_owned())));
        assert_eq!(of("canonical"), Some(FieldValue::Text("http://x/".to_owned())));
        assert_eq!((of("field:none"), of("newest")), (None, None));
    }

    #[test]
    fn address_id_and_file_are_looked_at() {
        let settings = [("prefer", "*/in.jsonl,http://a.example/*,b*")];
        let of = |id: &str, url| asked(&settings, id, url, "{}").preference;
        assert_eq!(of("x", Some("http://a.example/1")), Some(1));
        assert_eq!(of("b1", None), Some(2));
        assert_eq!(of("x", None), None);
        let mut all = Settings::default();
        all.set(settings[0].0, settings[0].1).unwrap();
        let file = AskedFacts::of(&all).preference_of_file("crawl/in.jsonl");
        for (own, wanted) in [("b1", Some(0)), ("x", Some(0))] {
            let mut facts = asked(&settings, own, None, "{}");
            facts.prefer_file(file);
            assert_eq!(facts.preference, wanted);
            facts.prefer_file(None);
            assert_eq!(facts.preference, wanted);
        }
    }
}
