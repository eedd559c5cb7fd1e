//! Lists of parts of names, searched all at once.

use aho_corasick::AhoCorasick;

/// Lists of parts of names. Finding which lists a name is on costs one pass over the name, however many lists there are.
#[derive(Debug)]
pub(crate) struct WordLists {
    automaton: AhoCorasick,
    /// Bits of the lists that each part is on, in the order of the parts.
    lists: Vec<u32>,
}

impl WordLists {
    /// Lists that each stand for a bit. Case does not matter for ASCII letters.
    pub(crate) fn new<'w>(lists: impl IntoIterator<Item = (u32, &'w [&'w str])>) -> Self {
        let parts = lists
            .into_iter()
            .flat_map(|(bit, parts)| parts.iter().map(move |&part| (part, bit)));
        let (parts, lists): (Vec<&str>, Vec<u32>) = parts.unzip();
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(parts);
        let automaton = automaton.expect("some hundred short parts fit an automaton");
        WordLists { automaton, lists }
    }

    /// Bits of the lists of which a part stands in `name`.
    pub(crate) fn find(&self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let hits = self.automaton.find_overlapping_iter(name);
        hits.fold(0, |bits, hit| bits | self.lists[hit.pattern().as_usize()])
    }
}
