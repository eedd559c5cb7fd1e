//! Structured data of a page (JSON-LD, microdata and RDFa) in one form.

use std::collections::HashMap;

use dehusk_html::budget::Meter;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::clean_text::clean_text;
use super::elements::MetadataElements;
use super::kind::short;
use super::sources::annotations::{MICRODATA, RDFA, Syntax};
use super::sources::json_ld::{parse, scripts, strip_wrapping, unescape};
use crate::analysis::json::{Object, Value};

/// Structured data of a page, and the facts in it that programs ask for most.
///
/// At most 10 000 items and values are read, and 300 names of properties of an item.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StructuredData {
    /// Items that are not values of other items: those of JSON-LD, of microdata and of RDFa, each in document order.
    pub items: Vec<Item>,
    /// Rating of the first item that has one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rating: Option<Rating>,
    /// Price of the first item that has one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub price: Option<Price>,
    /// Identifiers of the first item that has some, such as ISBN and GTIN.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub identifiers: Vec<Identifier>,
}

/// A thing that structured data describe.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Item {
    /// `json-ld`, `microdata` or `rdfa`.
    pub source: &'static str,
    /// Types without their addresses, such as `Recipe`.
    pub types: Vec<String>,
    /// Identifier: its `@id`, `itemid` or `resource`, as written.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub id: Option<String>,
    /// Properties: each name once, with one value or more.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_map"))]
    pub properties: Vec<(String, Vec<ItemValue>)>,
}

/// A value of a property.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum ItemValue {
    /// A text, an address, or a number as it is written.
    Text(String),
    /// Another item.
    Item(Item),
}

/// A rating as the page gives it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rating {
    /// The rating.
    pub value: f64,
    /// The best possible rating, if it is given. It is usually 5.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub best: Option<f64>,
    /// Number of ratings or reviews.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub count: Option<u64>,
}

/// A price as the page gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Price {
    /// The amount as written; of a range, the lowest one.
    pub amount: String,
    /// The currency as written, usually by ISO 4217.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub currency: Option<String>,
}

/// An identifier of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Identifier {
    /// Its kind, such as `isbn`; `identifier` if it has none.
    pub name: String,
    /// The identifier as written.
    pub value: String,
}

#[cfg(feature = "serde")]
fn as_map<S: serde::Serializer>(
    properties: &[(String, Vec<ItemValue>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(properties.iter().map(|(name, values)| (name, values)))
}

/// Maximum number of items and values.
const MAX_VALUES: usize = 10_000;
/// Maximum bytes of a text.
const MAX_TEXT: usize = 8 << 10;
/// Maximum number of bytes of all texts: elements nest, so each may contain the whole page.
const MAX_TEXTS: usize = 4 << 20;
/// Maximum number of nodes of an element that are read for its text.
const MAX_NODES: usize = 400;
/// Maximum number of names of properties of an item: each name is compared with those before it.
const MAX_NAMES: usize = 300;
/// Maximum number of elements between a property and its item.
const MAX_ABOVE: usize = 64;
/// Maximum depth of items in items.
const MAX_DEPTH: usize = 16;

/// Reads the structured data of a page.
pub(super) fn read(dom: &Dom<'_>, elements: &MetadataElements, meter: &mut Meter<'_>) -> StructuredData {
    let mut reader = Reader {
        values: MAX_VALUES,
        bytes: MAX_TEXTS,
    };
    let mut items = Vec::new();
    for (_, text) in scripts(dom, elements, meter) {
        // A malformed script has a warning already.
        if let Ok(value) = parse(strip_wrapping(&text), |_| true, meter) {
            reader.add_objects(&value, &mut items);
        }
    }
    for syntax in [&MICRODATA, &RDFA] {
        items.extend(reader.marked(dom, elements, syntax, meter));
    }
    StructuredData {
        rating: items.iter().find_map(rating),
        price: items.iter().find_map(price),
        identifiers: items
            .iter()
            .map(identifiers)
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
        items,
    }
}

/// Index of the item that owns an item, and the names of the properties that it is a value of.
type ValueOf = (usize, Vec<String>);

/// Items, values and bytes that may still be read.
struct Reader {
    values: usize,
    bytes: usize,
}

impl Reader {
    /// Returns a clean text; `None` if it is blank or the limits are reached.
    fn text(&mut self, text: &str) -> Option<String> {
        let text = clean_text(&text[..text.floor_char_boundary(MAX_TEXT)])?;
        self.values = self.values.checked_sub(1)?;
        self.bytes = self.bytes.checked_sub(text.len())?;
        Some(text)
    }

    /// Adds the objects of a script that are not values of others, also the objects in arrays and graphs.
    fn add_objects(&mut self, value: &Value<'_>, out: &mut Vec<Item>) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match value {
                Value::Array(items) => pending.extend(items.iter().rev()),
                Value::Object(object) => {
                    // The owner of a `@graph` is read, too: `object` skips members that begin with `@`.
                    if let Some(graph) = object.get("@graph") {
                        pending.push(graph);
                    }
                    out.extend(self.object(object, 0));
                }
                _ => {}
            }
        }
    }

    /// Returns the item of an object; `None` if it has neither a type nor a property, or is nested too deep.
    ///
    /// Recursion is safe: the depth is bounded by [`MAX_DEPTH`].
    fn object(&mut self, object: &Object<'_>, depth: usize) -> Option<Item> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.values = self.values.checked_sub(1)?;
        let mut item = Item {
            source: "json-ld",
            ..Item::default()
        };
        for (name, value) in object.members() {
            match name {
                "@type" => {
                    let types = texts(value).into_iter().map(|name| short(name).to_owned());
                    item.types = types.collect();
                }
                "@id" => item.id = value.as_str().and_then(|id| self.text(id)),
                _ if name.starts_with('@') => {}
                _ => {
                    // A single value is written without a list.
                    let values = match value {
                        Value::Array(all) => all.as_slice(),
                        one => std::slice::from_ref(one),
                    };
                    let values = values.iter().filter_map(|value| self.value(value, depth));
                    let values: Vec<ItemValue> = values.collect();
                    item.add(short(name), values);
                }
            }
        }
        // At the top, an object with nothing but an id refers to another item.
        (!item.types.is_empty() || !item.properties.is_empty() || depth > 0 && item.id.is_some())
            .then_some(item)
    }

    fn value(&mut self, value: &Value<'_>, depth: usize) -> Option<ItemValue> {
        match value {
            Value::String(text) => self.text(&unescape(text)?).map(ItemValue::Text),
            Value::Number(number) => self.text(&number.to_string()).map(ItemValue::Text),
            Value::Object(object) => {
                // `{"@value": "..."}` is a text with a type or a language.
                if let Some(inner) = object.get("@value").filter(|inner| !inner.is_nested()) {
                    return self.value(inner, depth + 1);
                }
                self.object(object, depth + 1).map(ItemValue::Item)
            }
            // Lists in lists are not valid, and `true` and `null` say nothing without a vocabulary.
            Value::Array(_) | Value::Other => None,
        }
    }

    /// Reads the items that attributes mark, and returns the items that are not values of others.
    fn marked(
        &mut self,
        dom: &Dom<'_>,
        elements: &MetadataElements,
        syntax: &Syntax,
        meter: &mut Meter<'_>,
    ) -> Vec<Item> {
        // Items in document order, each with its parent item and the names of its properties there.
        let mut found: Vec<(Item, Option<ValueOf>)> = Vec::new();
        let mut items: HashMap<NodeId, usize> = HashMap::new();
        for marked in &elements.marked {
            let id = marked.element;
            // Departs from microdata: an `itemscope` without a type is not an item, and its properties go to the item
            // around it.
            let is_item = marked.has(syntax.types);
            if !is_item && !marked.has(syntax.property) || self.values == 0 {
                continue;
            }
            if !meter.step(8) {
                break;
            }
            let names: Vec<String> = dom
                .known_attr(id, syntax.property)
                .unwrap_or_default()
                .split_ascii_whitespace()
                .take(8)
                .map(|name| short(name).to_owned())
                .collect();
            // Elements come in document order, so the owner of a property is known already.
            let owner = dom
                .ancestors(id)
                .take(MAX_ABOVE)
                .find_map(|at| items.get(&at).copied());
            if is_item {
                let Some(values) = self.values.checked_sub(1) else {
                    break;
                };
                self.values = values;
                items.insert(id, found.len());
                let item = self.item(dom, id, syntax);
                found.push((
                    item,
                    owner.filter(|_| !names.is_empty()).map(|owner| (owner, names)),
                ));
            } else if let Some(owner) = owner
                && let Some(text) = self.element_text(dom, id)
            {
                for name in &names {
                    found[owner].0.add(name, vec![ItemValue::Text(text.clone())]);
                }
            }
        }
        // Backwards, so that each item is complete before it becomes a value.
        let mut tops = Vec::new();
        while let Some((item, parent)) = found.pop() {
            // The owner has a smaller index, so it is still in `found`.
            match parent.and_then(|(at, names)| Some((found.get_mut(at)?, names))) {
                Some(((owner, _), names)) if item.depth() < MAX_DEPTH => {
                    if let Some((last, others)) = names.split_last() {
                        for name in others {
                            // Copies in copies would grow without a bound.
                            let Some(values) = self.values.checked_sub(item.size()) else {
                                break;
                            };
                            self.values = values;
                            owner.add(name, vec![ItemValue::Item(item.clone())]);
                        }
                        owner.add(last, vec![ItemValue::Item(item)]);
                    }
                }
                _ => tops.push(item),
            }
        }
        tops.reverse();
        tops.iter_mut().for_each(Item::restore_order);
        tops
    }

    fn item(&mut self, dom: &Dom<'_>, id: NodeId, syntax: &Syntax) -> Item {
        let types = dom.known_attr(id, syntax.types).unwrap_or_default();
        let names = types.split_ascii_whitespace().take(8);
        let names = names.map(|name| short(name).to_owned());
        let id_attr = if syntax.types == AttrName::ITEMTYPE {
            "itemid"
        } else {
            "resource"
        };
        Item {
            source: syntax.name,
            types: names.filter(|name| !name.is_empty()).collect(),
            id: dom.attr(id, id_attr).and_then(|id| self.text(&id)),
            properties: Vec::new(),
        }
    }

    /// Returns the value of an element: of an attribute if it has one for values, else its text.
    fn element_text(&mut self, dom: &Dom<'_>, id: NodeId) -> Option<String> {
        let address = match dom.html_tag(id) {
            Some(Tag::A | Tag::LINK) => Some(AttrName::HREF),
            Some(Tag::IMG | Tag::IFRAME | Tag::SOURCE | Tag::VIDEO | Tag::AUDIO | Tag::EMBED) => {
                Some(AttrName::SRC)
            }
            Some(Tag::TIME) => Some(AttrName::DATETIME),
            _ => None,
        };
        // `content` is meant for programs, so it precedes an address and the text.
        let mut attrs = [Some(AttrName::CONTENT), address].into_iter().flatten();
        if let Some(value) = attrs.find_map(|attr| dom.known_attr(id, attr)) {
            return self.text(&value);
        }
        let mut text = String::new();
        for node in dom.preorder(id).take(MAX_NODES) {
            if dom.is_text(node) {
                text.push_str(&dom.text(node));
                text.push(' ');
            }
            if text.len() > MAX_TEXT {
                break;
            }
        }
        self.text(&text)
    }
}

/// Returns the texts of a value or of a list of values.
fn texts<'v>(value: &'v Value<'_>) -> Vec<&'v str> {
    match value {
        Value::Array(all) => all.iter().take(8).filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

impl Item {
    /// Adds values to a property. A new property is dropped if the item has `MAX_NAMES` of them.
    fn add(&mut self, name: &str, values: Vec<ItemValue>) {
        if values.is_empty() || name.is_empty() {
            return;
        }
        let place = self.properties.iter().position(|(known, _)| known == name);
        match place {
            Some(at) => self.properties[at].1.extend(values),
            None if self.properties.len() < MAX_NAMES => self.properties.push((name.to_owned(), values)),
            None => {}
        }
    }

    /// Returns the number of levels of items inside this item; 0 if no value is an item.
    ///
    /// Recursion is safe: items deeper than [`MAX_DEPTH`] are not put into others.
    fn depth(&self) -> usize {
        let inner = self.values().filter_map(ItemValue::item);
        inner.map(|item| 1 + item.depth()).max().unwrap_or(0)
    }

    /// Returns the number of items and values in this item, itself included. Recursion is safe as in [`Item::depth`].
    fn size(&self) -> usize {
        let of_value = |value: &ItemValue| 1 + value.item().map_or(0, Item::size);
        1 + self.values().map(of_value).sum::<usize>()
    }

    /// Reverses the items among the values of each property, which were added backwards.
    fn restore_order(&mut self) {
        for (_, values) in &mut self.properties {
            let places = values
                .iter()
                .enumerate()
                .filter(|(_, value)| value.item().is_some());
            let places: Vec<usize> = places.map(|(at, _)| at).collect();
            for (first, last) in places.iter().zip(places.iter().rev()) {
                if first >= last {
                    break;
                }
                values.swap(*first, *last);
            }
            for value in values {
                if let ItemValue::Item(item) = value {
                    item.restore_order();
                }
            }
        }
    }

    fn values(&self) -> impl Iterator<Item = &ItemValue> {
        self.properties.iter().flat_map(|(_, values)| values)
    }

    /// Returns the first value of a property.
    fn get(&self, name: &str) -> Option<&ItemValue> {
        let (_, values) = self.properties.iter().find(|(known, _)| known == name)?;
        values.first()
    }

    /// Returns the first text of a property.
    fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }
}

impl ItemValue {
    fn text(&self) -> Option<&str> {
        match self {
            ItemValue::Text(text) => Some(text),
            ItemValue::Item(_) => None,
        }
    }

    fn item(&self) -> Option<&Item> {
        match self {
            ItemValue::Item(item) => Some(item),
            ItemValue::Text(_) => None,
        }
    }
}

/// Reads a number with a decimal comma or point; `None` for other texts.
fn number(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Rating of an item; `None` without a numeric value.
fn rating(item: &Item) -> Option<Rating> {
    let of = item.get("aggregateRating")?.item()?;
    let count = ["ratingCount", "reviewCount"]
        .into_iter()
        .find_map(|name| of.text(name));
    Some(Rating {
        value: number(of.text("ratingValue")?)?,
        best: of.text("bestRating").and_then(number),
        count: count.and_then(|count| {
            // `1,234 ratings` are 1234.
            let digits: String = count.chars().filter(char::is_ascii_digit).collect();
            digits.parse().ok()
        }),
    })
}

/// Price of the first offer that states one.
fn price(item: &Item) -> Option<Price> {
    let (_, offers) = item.properties.iter().find(|(name, _)| name == "offers")?;
    offers.iter().filter_map(ItemValue::item).find_map(|offer| {
        // A price may be described by an object of its own.
        let described = || offer.get("priceSpecification").and_then(ItemValue::item);
        let amount = |of: &Item| {
            let names = ["price", "lowPrice"];
            names
                .into_iter()
                .find_map(|name| of.text(name))
                .map(str::to_owned)
        };
        let currency = |of: &Item| of.text("priceCurrency").map(str::to_owned);
        Some(Price {
            amount: amount(offer).or_else(|| amount(described()?))?,
            currency: currency(offer).or_else(|| currency(described()?)),
        })
    })
}

/// Identifiers of an item: properties with known names, and values of `identifier`.
fn identifiers(item: &Item) -> Vec<Identifier> {
    const NAMES: &[&str] = &[
        "isbn",
        "issn",
        "doi",
        "gtin",
        "gtin8",
        "gtin12",
        "gtin13",
        "gtin14",
        "mpn",
        "sku",
        "asin",
        "productID",
        "serialNumber",
    ];
    let mut out = Vec::new();
    for (name, values) in &item.properties {
        if name == "identifier" {
            for value in values {
                let found = match value {
                    ItemValue::Text(text) => Some((name.clone(), text.clone())),
                    // `{"@type": "PropertyValue", "propertyID": "doi", "value": "10.1000/1"}`
                    ItemValue::Item(of) => of.text("value").map(|value| {
                        let kind = ["propertyID", "name"].into_iter().find_map(|name| of.text(name));
                        (kind.unwrap_or(name).to_owned(), value.to_owned())
                    }),
                };
                out.extend(found.map(|(name, value)| Identifier { name, value }));
            }
        } else if NAMES.contains(&name.as_str()) {
            let texts = values.iter().filter_map(ItemValue::text);
            out.extend(texts.map(|value| Identifier {
                name: name.clone(),
                value: value.to_owned(),
            }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Page, extract};

    fn read(html: &str) -> StructuredData {
        let options = Options::default().with_structured(true);
        extract(&Page::decoded(html), &options)
            .metadata
            .structured
            .unwrap()
    }

    const JSON_LD: &str = r##"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
        {"@type":"WebSite","@id":"#site","name":"Mill &amp; Shop"},
        {"@type":["Product","schema:Thing"],"name":"Hull paint","sku":"HP-7","isbn":9780000000002,
         "aggregateRating":{"@type":"AggregateRating","ratingValue":"4,5","reviewCount":12,"bestRating":5},
         "offers":[{"@type":"Offer","price":12.50,"priceCurrency":"EUR"}],"isPartOf":{"@id":"#site"}}]}</script>"##;
    const MICRODATA: &str = r#"<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Hull paint</b><i itemprop=sku>HP-7</i>
        <meta itemprop=isbn content=9780000000002>
        <div itemprop=aggregateRating itemscope itemtype=http://schema.org/AggregateRating><i itemprop=ratingValue>4.5</i>
        <i itemprop=bestRating>5</i><i itemprop=reviewCount>12 reviews</i></div>
        <div itemprop=offers itemscope itemtype=https://schema.org/Offer><i itemprop=price content=12.5>12,50</i>
        <i itemprop=priceCurrency>EUR</i></div></div>"#;
    const RDFA: &str = r##"<div vocab="https://schema.org/" typeof="Product" resource="#p"><b property=name>Hull paint</b><i property=sku>HP-7</i>
        <i property="schema:isbn">9780000000002</i>
        <div property=aggregateRating typeof=AggregateRating><i property=ratingValue>4.5</i><i property=bestRating>5</i>
        <i property=ratingCount>12</i></div>
        <div property=offers typeof=Offer><i property=price>12.5</i><i property=priceCurrency>EUR</i></div></div>"##;

    #[test]
    fn every_syntax_gives_the_same_facts() {
        for html in [JSON_LD, MICRODATA, RDFA] {
            let got = read(html);
            let rating = got.rating.unwrap();
            assert_eq!(
                (rating.value, rating.best, rating.count),
                (4.5, Some(5.0), Some(12)),
                "{html}"
            );
            let price = got.price.unwrap();
            assert_eq!(
                (price.amount.as_str(), price.currency.as_deref()),
                ("12.5", Some("EUR")),
                "{html}"
            );
            let found: Vec<(&str, &str)> = got
                .identifiers
                .iter()
                .map(|one| (one.name.as_str(), one.value.as_str()))
                .collect();
            assert_eq!(found, [("sku", "HP-7"), ("isbn", "9780000000002")], "{html}");
            let product = got.items.last().unwrap();
            assert_eq!(
                (product.types[0].as_str(), product.text("name")),
                ("Product", Some("Hull paint"))
            );
        }
        let site = &read(JSON_LD).items[0];
        assert_eq!(
            (site.id.as_deref(), site.text("name")),
            (Some("#site"), Some("Mill & Shop"))
        );
        assert_eq!(read("<p>The river rose.").items, []);
        assert!(
            extract(&Page::decoded(JSON_LD), &Options::default())
                .metadata
                .structured
                .is_none()
        );
    }

    #[test]
    fn items_are_values_in_their_order() {
        let got = read(
            r#"<div itemscope itemtype=x:Recipe><p itemprop=step itemscope itemtype=x:Step><b itemprop=text>first</b></p>
            <p itemprop="step stage" itemscope itemtype=x:Step><b itemprop=text>second</b></p></div><i itemprop=lost>x</i>"#,
        );
        let [recipe] = got.items.as_slice() else {
            panic!("{got:?}")
        };
        let steps = |name: &str| -> Vec<&str> {
            let (_, values) = recipe.properties.iter().find(|(known, _)| known == name).unwrap();
            values
                .iter()
                .filter_map(|value| value.item()?.text("text"))
                .collect()
        };
        assert_eq!(
            (steps("step"), steps("stage")),
            (vec!["first", "second"], vec!["second"])
        );
    }

    #[test]
    fn hostile_data_are_bounded() {
        let nested = "<div itemprop='a b c d e f g h' itemscope itemtype=T>x".repeat(300);
        let names = format!(
            "<div itemscope itemtype=T>{}",
            "<i itemprop='a b c d e f g h'>text</i>".repeat(20_000)
        );
        let json = format!(
            r#"<script type="application/ld+json">{{"a":{}1{}}}</script>"#,
            r#"{"a":"#.repeat(100),
            "}".repeat(100)
        );
        for html in [nested, names, json] {
            let got = read(&html);
            assert!(got.items.iter().map(Item::size).sum::<usize>() <= 9 * MAX_VALUES);
            assert!(got.items.iter().all(|item| item.depth() <= MAX_DEPTH));
        }
    }
}
