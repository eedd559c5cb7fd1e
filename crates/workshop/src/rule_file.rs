//! A file of rules that is edited step by step. What was written by hand stays as it is, including
//! comments.

use crate::selectors::within;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

/// Decision about a part of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// It is not main text.
    Drop,
    /// It is main text, in addition to the present main text.
    Keep,
    /// It is the only main text.
    Only,
    /// It has a field of the metadata, which has this key in rules.
    Field(&'static str),
}

/// Fields of the metadata that a part may have, by the names of their keys in rules.
pub(crate) const FIELDS: [&str; 4] = ["title", "author", "date", "modified"];

impl Action {
    /// Returns the decision with this name; `None` if absent. Fields have the names of their keys.
    pub(crate) fn named(name: &str) -> Option<Action> {
        Some(match name {
            "drop" => Action::Drop,
            "keep" => Action::Keep,
            "only" => Action::Only,
            name => Action::Field(FIELDS.into_iter().find(|key| *key == name)?),
        })
    }
}

/// Pages of a host to which a decision applies: those whose path matches the pattern, or all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scope {
    pub(crate) pattern: Option<String>,
}

impl Scope {
    /// All pages of the host.
    pub(crate) const SITE: Scope = Scope { pattern: None };

    /// Returns the scope of one page.
    pub(crate) fn page(path: &str) -> Scope {
        Scope {
            pattern: Some(literal(path, "$")),
        }
    }

    /// Returns the scope of the pages below a folder. For `/`, it is all pages.
    pub(crate) fn below(folder: &str) -> Scope {
        let pattern = match folder.contains('*') {
            true => literal(folder, ""),
            false => format!("{folder}*"),
        };
        Scope {
            pattern: (folder != "/").then_some(pattern),
        }
    }

    /// Returns whether every page of `other` is in this scope. A regular expression is only known to hold
    /// itself.
    fn holds(&self, other: &Scope) -> bool {
        match (&self.pattern, &other.pattern) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a == b || a.strip_suffix('*').is_some_and(|start| b.starts_with(start)),
        }
    }
}

/// Returns a pattern that matches exactly this path. Paths with a star become regular expressions, because
/// a star in a pattern matches any characters. If `end` is empty instead of `$`, such an expression matches
/// all paths that begin with the path.
fn literal(path: &str, end: &str) -> String {
    if !path.contains('*') {
        return path.to_owned();
    }
    let mut out = String::from("re:^");
    for c in path.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '/' | '-' | '_') {
            out.push('\\');
        }
        out.push(c);
    }
    out + end
}

/// An example that a rule must reproduce.
pub(crate) struct Example<'t> {
    pub(crate) url: &'t str,
    pub(crate) html: &'t str,
    pub(crate) text: &'t str,
}

/// A file of rules that is being edited.
pub(crate) struct RuleFile {
    document: DocumentMut,
}

impl RuleFile {
    /// Parses a file. An empty text yields a new file.
    ///
    /// # Errors
    /// If the text is not TOML.
    pub(crate) fn read(text: &str) -> Result<RuleFile, String> {
        let mut document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
        if document.get("format").is_none() {
            document["format"] = value(1);
        }
        Ok(RuleFile { document })
    }

    /// Returns the text of the file.
    pub(crate) fn text(&self) -> String {
        self.document.to_string()
    }

    /// Records a decision about the matches of a selector on the pages of a scope. `main` selects the
    /// present main text, for a rule that does not extract yet. Rules of this host for fewer pages get the
    /// decision as well, since they take precedence there.
    pub(crate) fn decide(
        &mut self,
        host: &str,
        scope: &Scope,
        action: Action,
        selector: &str,
        main: Option<&str>,
    ) {
        self.make_rule(host, scope);
        for rule in self.rules_mut().into_iter().flat_map(ArrayOfTables::iter_mut) {
            let inside = scope_of(rule, host).is_some_and(|inner| scope.holds(&inner));
            if inside {
                change(rule, action, selector, main);
            }
        }
    }

    /// Takes one of two candidates for the main text of a scope. Parts of the other candidate leave the
    /// rule, since it may have been taken before.
    pub(crate) fn take(&mut self, host: &str, scope: &Scope, taken: &Parts, other: &Parts) {
        self.make_rule(host, scope);
        let Some(rules) = self.rules_mut() else { return };
        let mut own = rules.iter_mut();
        let Some(rule) = own.find(|rule| scope_of(rule, host).as_ref() == Some(scope)) else {
            return;
        };
        // The number of words was that of the former parts.
        rule.remove(USUAL);
        for (key, new, old) in [
            ("extract", &taken.extract, &other.extract),
            ("remove", &taken.remove, &other.remove),
        ] {
            let before = rule.remove(key);
            // Removed parts stay removed. Extracted parts stay only if the scope has pages of other
            // layouts.
            let stays = key == "remove" || !taken.alone;
            let before = before.as_ref().and_then(Item::as_array).filter(|_| stays);
            let mut list = new.clone();
            let known = |list: &Array, entry: &Value| list.iter().any(|known| is_same(known, entry));
            for entry in before.into_iter().flat_map(Array::iter) {
                if !known(new, entry) && !known(old, entry) {
                    // Selectors that were written by hand follow those of the candidate.
                    push_below(&mut list, entry.clone());
                }
            }
            if !list.is_empty() {
                // The list has one selector per line, so another one is a new line in a comparison of
                // files.
                list.set_trailing_comma(true);
                rule[key] = value(list);
            }
        }
        for (key, item) in &taken.others {
            // A usual number of words describes one layout.
            if rule.get(key).is_none() && (*key != USUAL || taken.alone) {
                rule[key] = item.clone();
            }
        }
    }

    /// Adds an example to the rule with this index, replacing its examples with the same address.
    pub(crate) fn add_example(&mut self, number: usize, example: &Example<'_>) {
        let Some(rule) = self.rules_mut().and_then(|rules| rules.get_mut(number)) else {
            return;
        };
        let examples = rule
            .entry("example")
            .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let Some(examples) = examples.as_array_of_tables_mut() else {
            return;
        };
        examples.retain(|known| known.get("url").and_then(Item::as_str) != Some(example.url));
        let mut table = Table::new();
        table["url"] = value(example.url);
        table["html"] = text_value(example.html);
        table["text"] = text_value(example.text);
        examples.push(table);
    }

    /// Returns whether it has rules for this host alone.
    pub(crate) fn has_host(&self, host: &str) -> bool {
        let rules = self.document.get("rule").and_then(Item::as_array_of_tables);
        let mut rules = rules.into_iter().flat_map(ArrayOfTables::iter);
        rules.any(|rule| scope_of(rule, host).is_some())
    }

    /// Returns the rules; `None` if the file has another value in their place.
    fn rules_mut(&mut self) -> Option<&mut ArrayOfTables> {
        let item = self
            .document
            .entry("rule")
            .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        item.as_array_of_tables_mut()
    }

    /// Creates the rule of a scope, unless it exists. It begins as a copy of the narrowest rule that
    /// applied to its pages so far, since only one rule is applied to a page.
    fn make_rule(&mut self, host: &str, scope: &Scope) {
        let Some(rules) = self.rules_mut() else { return };
        let known: Vec<(usize, Scope)> = rules
            .iter()
            .enumerate()
            .filter_map(|(at, rule)| Some((at, scope_of(rule, host)?)))
            .collect();
        if known.iter().any(|(_, known)| known == scope) {
            return;
        }
        let broader = known.iter().filter(|(_, known)| known.holds(scope));
        // A longer pattern is narrower, since all broader patterns are beginnings of that of the scope.
        let nearest = broader.max_by_key(|(_, known)| known.pattern.as_ref().map_or(0, String::len));
        let mut rule = Table::new();
        let name = match &scope.pattern {
            Some(pattern) => format!("{host}{pattern}"),
            None => host.to_owned(),
        };
        rule["name"] = value(name);
        rule["hosts"] = value(Array::from_iter([host]));
        if let Some(pattern) = &scope.pattern {
            rule["paths"] = value(Array::from_iter([pattern.as_str()]));
        }
        if let Some(above) = nearest.and_then(|(at, _)| rules.get(*at)) {
            // Examples stay with the rule above.
            for key in ["extract", "remove", "usual_words"].iter().chain(&FIELDS) {
                if let Some(item) = above.get(key) {
                    rule[*key] = item.clone();
                }
            }
        }
        rules.push(rule);
    }
}

/// Key of the number of words that a page usually has.
const USUAL: &str = "usual_words";

/// The parts that a candidate keeps and drops, as selectors of a rule.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    extract: Array,
    remove: Array,
    /// Places of fields, and the usual number of words.
    others: Vec<(&'static str, Item)>,
    /// Whether all pages of the scope have the layout of the candidate.
    alone: bool,
}

impl Parts {
    /// Reads the first rule of a file. With `outer`, its selectors match only inside elements of this name.
    ///
    /// # Errors
    /// If the text is not TOML.
    pub(crate) fn read(text: &str, outer: Option<&str>, alone: bool) -> Result<Parts, String> {
        let document = RuleFile::read(text)?.document;
        // A template that found no main text yields no rule.
        let rules = document.get("rule").and_then(Item::as_array_of_tables);
        let Some(rule) = rules.and_then(|rules| rules.get(0)) else {
            return Ok(Parts::default());
        };
        let list = |key: &str| {
            let mut list = rule
                .get(key)
                .and_then(Item::as_array)
                .cloned()
                .unwrap_or_default();
            for entry in list.iter_mut() {
                // Entries have the same indentation as entries that a decision adds.
                let before = entry.decor().prefix().and_then(|prefix| prefix.as_str());
                let comment = before.unwrap_or_default().trim_end().to_owned();
                entry.decor_mut().set_prefix(format!("{comment}\n    "));
                if let (Some(outer), Some(entry)) = (outer, entry.as_inline_table_mut()) {
                    narrow(entry, outer);
                }
            }
            list
        };
        let keys = FIELDS.into_iter().chain([USUAL]);
        Ok(Parts {
            extract: list("extract"),
            remove: list("remove"),
            others: keys
                .filter_map(|key| Some((key, rule.get(key)?.clone())))
                .collect(),
            alone,
        })
    }

    /// Returns whether the candidate keeps nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.extract.is_empty()
    }
}

/// Restricts a selector to matches inside elements of a name such as `body.story`.
fn narrow(entry: &mut InlineTable, outer: &str) {
    for (kind, inside) in [
        ("css", within as fn(&str, &str) -> String),
        ("xpath", within_xpath),
    ] {
        if let Some(selector) = entry.get(kind).and_then(Value::as_str) {
            let selector = inside(outer, selector);
            entry.insert(kind, selector.into());
        }
    }
}

/// Like [`within`], for an XPath that begins with `//`. Names with escapes and names of `html` do not
/// restrict it. XPath has no such escapes.
fn within_xpath(outer: &str, path: &str) -> String {
    let end = outer.find(['#', '.']).unwrap_or(outer.len());
    let (tag, mut rest) = outer.split_at(end);
    // A quotation mark would end the string in a condition.
    if outer.contains(['\\', '\'']) || tag == "html" {
        return path.to_owned();
    }
    let mut out = format!("//{tag}");
    while let Some(kind) = rest.chars().next() {
        // A name ends where the next id or class begins.
        let end = rest[1..].find(['#', '.']).map_or(rest.len(), |at| at + 1);
        let name = &rest[1..end];
        out.push_str(&match kind {
            '#' => format!("[@id='{name}']"),
            _ => format!("[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"),
        });
        rest = &rest[end..];
    }
    out + path
}

/// Returns whether two entries of lists are the same selector.
fn is_same(a: &Value, b: &Value) -> bool {
    let selector = |entry: &Value| {
        let table = entry.as_inline_table()?;
        let text = |kind: &str| table.get(kind).and_then(Value::as_str).map(str::to_owned);
        Some((text("css"), text("xpath")))
    };
    // Entries that are not selectors differ from all others.
    selector(a).is_some_and(|selector| selector != (None, None)) && selector(a) == selector(b)
}

/// Appends an entry on a line of its own. A comment after the last entry stays in front of the new one.
fn push_below(list: &mut Array, mut entry: Value) {
    let comment = list.trailing().as_str().unwrap_or_default().trim_end().to_owned();
    entry.decor_mut().set_prefix(format!("{comment}\n    "));
    entry.decor_mut().set_suffix("");
    list.push_formatted(entry);
    list.set_trailing("\n");
}

/// Returns the scope of a rule for this host alone; `None` for rules with several hosts or patterns, which
/// were written by hand.
fn scope_of(rule: &Table, host: &str) -> Option<Scope> {
    let texts = |key: &str| -> Option<Vec<String>> {
        let list = rule.get(key)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    };
    (texts("hosts")?.as_slice() == [host]).then_some(())?;
    match texts("paths").unwrap_or_default().as_slice() {
        [] => Some(Scope::SITE),
        [one] => Some(Scope {
            pattern: Some(one.clone()),
        }),
        _ => None,
    }
}

/// Applies a decision to a rule.
fn change(rule: &mut Table, action: Action, selector: &str, main: Option<&str>) {
    match action {
        Action::Drop => {
            remove(rule, "extract", selector);
            add(rule, "remove", selector);
        }
        Action::Keep => {
            remove(rule, "remove", selector);
            // A rule that extracts nothing leaves the main text to other methods. As soon as it extracts a
            // part, it decides alone, so it names the present main text as well.
            if rule.get("extract").is_none()
                && let Some(main) = main.filter(|main| *main != selector)
            {
                add(rule, "extract", main);
            }
            add(rule, "extract", selector);
        }
        Action::Only => {
            remove(rule, "remove", selector);
            rule.remove("extract");
            add(rule, "extract", selector);
        }
        Action::Field(key) => {
            let mut expression = InlineTable::new();
            expression.insert("css", selector.into());
            // An inline table keeps the field above the tables of examples.
            rule[key] = value(expression);
        }
    }
}

/// Returns whether an entry of a list is this selector.
fn is_selector(entry: &Value, selector: &str) -> bool {
    let css = entry.as_inline_table().and_then(|table| table.get("css"));
    css.and_then(Value::as_str) == Some(selector)
}

/// Adds a selector to a list of a rule, unless the list has it.
fn add(rule: &mut Table, key: &str, selector: &str) {
    let list = rule
        .entry(key)
        .or_insert_with(|| value(Array::new()))
        .as_array_mut();
    // A value of another type was written by hand. Reading the rules reports it.
    let Some(list) = list else { return };
    if list.iter().any(|entry| is_selector(entry, selector)) {
        return;
    }
    let mut entry = InlineTable::new();
    entry.insert("css", selector.into());
    list.push(entry);
    // Each selector has a line of its own.
    for entry in list.iter_mut() {
        let before = entry.decor().prefix().and_then(|prefix| prefix.as_str());
        if !before.is_some_and(|prefix| prefix.contains('\n')) {
            entry.decor_mut().set_prefix("\n    ");
        }
    }
    list.set_trailing_comma(true);
    list.set_trailing("\n");
}

/// Removes a selector from a list of a rule, and the list if it gets empty.
fn remove(rule: &mut Table, key: &str, selector: &str) {
    let Some(list) = rule.get_mut(key).and_then(Item::as_array_mut) else {
        return;
    };
    list.retain(|entry| !is_selector(entry, selector));
    if list.is_empty() {
        rule.remove(key);
    }
}

/// Returns a string value that is easy to read in the file: a literal string, multi-line if needed, unless
/// the text requires escapes.
fn text_value(text: &str) -> Item {
    let plain = !text.contains("'''") && !text.chars().any(|c| c.is_control() && c != '\n');
    let literal = match text.contains('\n') {
        true => format!("'''\n{text}'''"),
        false => format!("'{text}'"),
    };
    let fits = plain && !text.ends_with('\'') && (text.contains('\n') || !text.contains('\''));
    // The literal is read back, so a case that the conditions overlook yields a string with escapes instead
    // of another text.
    match literal.parse::<Value>() {
        Ok(read) if fits && read.as_str() == Some(text) => Item::Value(read),
        _ => value(text),
    }
}

#[cfg(test)]
mod tests;
