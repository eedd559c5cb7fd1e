//! Foreign content: SVG and MathML (section 13.2.6.5).

use crate::parser::whatwg::elements::{ANNOTATION, FOREIGN, HTML_POINT, SVG, TEXT_POINT};
use crate::parser::whatwg::state::{Flow, ParserState};
use crate::parser::whatwg::token::{Run, TagToken};
use crate::tree::{Namespace, Tag};

impl ParserState<'_> {
    /// § The tree construction dispatcher, for character tokens: whether they are foreign content.
    #[inline]
    pub(crate) fn text_is_foreign(&self) -> bool {
        self.may_be_foreign() && {
            let categories = self.adjusted_categories();
            categories & FOREIGN != 0 && categories & (TEXT_POINT | HTML_POINT) == 0
        }
    }

    /// § The tree construction dispatcher, for start tags: whether they are foreign content.
    #[inline]
    pub(crate) fn start_is_foreign(&self, tag: Tag) -> bool {
        self.may_be_foreign() && {
            let categories = self.adjusted_categories();
            categories & FOREIGN != 0
                // `mglyph` and `malignmark` stay MathML inside text such as `<mi>`.
                && !(categories & TEXT_POINT != 0 && tag != Tag::MGLYPH && tag != Tag::MALIGNMARK)
                && !(categories & ANNOTATION != 0 && tag == Tag::SVG)
                && categories & HTML_POINT == 0
        }
    }

    pub(crate) fn foreign_text(&mut self, run: Run) {
        if self.frameset_ok && !self.is_space(run) {
            self.frameset_ok = false;
        }
        self.insert_text(run);
    }

    pub(crate) fn foreign_start(&mut self, token: TagToken) -> Flow {
        // SVG has a `font` element of its own, without these attributes.
        let breaks_out = match token.tag {
            Tag::FONT => ["color", "face", "size"]
                .iter()
                .any(|name| self.token_attribute(token, name).is_some()),
            tag => BREAK_OUT.contains(&tag),
        };
        if breaks_out {
            self.leave_foreign_content();
            return self.start_in_mode(token);
        }
        let svg = self.adjusted_categories() & SVG != 0;
        self.open_foreign(token, svg);
        Flow::Done
    }

    /// § "svg" and "math" start tags, and § "Any other start tag" in foreign content.
    pub(crate) fn open_foreign(&mut self, token: TagToken, svg: bool) {
        let mut categories = self.foreign_categories(svg, self.builder.dom.tag_name(token.tag));
        // An `annotation-xml` holds HTML if its `encoding` says so.
        if categories & ANNOTATION != 0 {
            let encoding = self.token_attribute(token, "encoding").unwrap_or_default();
            if encoding.eq_ignore_ascii_case("text/html")
                || encoding.eq_ignore_ascii_case("application/xhtml+xml")
            {
                categories |= HTML_POINT;
            }
        }
        let (namespace, name) = match svg {
            true => (Namespace::Svg, self.svg_name(token.tag)),
            false => (Namespace::MathMl, token.tag),
        };
        self.insert_foreign_element(token, namespace, name, categories);
    }

    fn leave_foreign_content(&mut self) {
        while let Some(open) = self.stack.last() {
            if self.ends_leaving(open.categories) {
                break;
            }
            self.stack.pop();
        }
    }

    pub(crate) fn foreign_end(&mut self, token: TagToken) -> Flow {
        if matches!(token.tag, Tag::BR | Tag::P) {
            self.leave_foreign_content();
            return self.end_in_mode(token);
        }
        // § Any other end tag
        // The stack holds at least `html`, so this does not underflow.
        let mut i = self.stack.len() - 1;
        loop {
            let open = self.stack.as_slice()[i];
            if i == 0 {
                return Flow::Done;
            }
            // § The loop ends at an HTML element. The current node is exempt.
            if open.categories & FOREIGN == 0 && i + 1 < self.stack.len() {
                return self.end_in_mode(token);
            }
            if open.tag == token.tag {
                self.stack.truncate(i);
                return Flow::Done;
            }
            i -= 1;
        }
    }

    /// Name of an SVG element, spelled as in the SVG standard.
    fn svg_name(&mut self, tag: Tag) -> Tag {
        // Tags with constants are lower case in SVG, too; only other names may need upper-case letters.
        let Some(i) = tag.0.checked_sub(Tag::KNOWN).map(usize::from) else {
            return tag;
        };
        // The spelling of each name is searched once per page.
        if let Some(&Some(name)) = self.svg_names.get(i) {
            return name;
        }
        let lower = self.builder.dom.tag_name(tag);
        let found = SVG_NAMES.iter().find(|name| name.eq_ignore_ascii_case(lower));
        let name = found.map_or(tag, |name| self.builder.tag(name));
        if i >= self.svg_names.len() {
            self.svg_names.resize(i + 1, None);
        }
        self.svg_names[i] = Some(name);
        name
    }
}

/// Start tags that end foreign content. `font` ends it only with certain attributes and is not listed.
#[rustfmt::skip]
const BREAK_OUT: &[Tag] = &[
    Tag::B, Tag::BIG, Tag::BLOCKQUOTE, Tag::BODY, Tag::BR, Tag::CENTER, Tag::CODE, Tag::DD, Tag::DIV, Tag::DL, Tag::DT,
    Tag::EM, Tag::EMBED, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::HEAD, Tag::HR, Tag::I, Tag::IMG,
    Tag::LI, Tag::LISTING, Tag::MENU, Tag::META, Tag::NOBR, Tag::OL, Tag::P, Tag::PRE, Tag::RUBY, Tag::S, Tag::SMALL,
    Tag::SPAN, Tag::STRONG, Tag::STRIKE, Tag::SUB, Tag::SUP, Tag::TABLE, Tag::TT, Tag::U, Tag::UL, Tag::VAR,
];

/// SVG elements whose names contain upper-case letters.
#[rustfmt::skip]
const SVG_NAMES: &[&str] = &[
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
    "radialGradient", "textPath",
];

/// SVG attributes whose names contain upper-case letters.
#[rustfmt::skip]
const SVG_ATTRIBUTES: &[&str] = &[
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant",
    "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength",
    "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits",
    "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength", "patternContentUnits",
    "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
    "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
    "xChannelSelector", "yChannelSelector", "zoomAndPan",
];

/// Attributes that have their own namespace in foreign elements.
const FOREIGN_ATTRIBUTES: &[&str] = &[
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
    "xml:lang",
    "xml:space",
    "xmlns",
    "xmlns:xlink",
];

/// § "adjust MathML attributes", "adjust SVG attributes" and "adjust foreign attributes": prefix and local
/// name of an attribute in the tree, from its name in the source.
#[cfg_attr(not(any(test, feature = "reference")), allow(dead_code))]
pub(crate) fn adjusted_attribute(namespace: Namespace, name: &str) -> (&'static str, String) {
    let lower = name.to_ascii_lowercase();
    if namespace == Namespace::Html {
        return ("", lower);
    }
    if FOREIGN_ATTRIBUTES.contains(&lower.as_str()) {
        return match lower.split_once(':') {
            Some(("xlink", local)) => ("xlink", local.to_owned()),
            Some(("xml", local)) => ("xml", local.to_owned()),
            Some((_, local)) => ("xmlns", local.to_owned()),
            None => ("xmlns", lower),
        };
    }
    let adjusted = match namespace {
        Namespace::Svg => SVG_ATTRIBUTES
            .iter()
            .find(|a| a.eq_ignore_ascii_case(&lower))
            .copied(),
        _ => (lower == "definitionurl").then_some("definitionURL"),
    };
    ("", adjusted.map_or(lower, str::to_owned))
}
