//! Lists of tag names shared by several rules of section 13.2.6.4, as patterns.

/// Start tags that are handled "using the rules for the 'in head' insertion mode".
#[rustfmt::skip]
macro_rules! metadata_tags {
    () => {
        Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META | Tag::NOFRAMES | Tag::SCRIPT | Tag::STYLE
        | Tag::TEMPLATE | Tag::TITLE
    };
}

/// Elements whose start tag closes an open paragraph, and whose end tag closes them together with
/// everything open inside.
#[rustfmt::skip]
macro_rules! block_tags {
    () => {
        Tag::ADDRESS | Tag::ARTICLE | Tag::ASIDE | Tag::BLOCKQUOTE | Tag::CENTER | Tag::DETAILS | Tag::DIALOG
        | Tag::DIR | Tag::DIV | Tag::DL | Tag::FIELDSET | Tag::FIGCAPTION | Tag::FIGURE | Tag::FOOTER | Tag::HEADER
        | Tag::HGROUP | Tag::MAIN | Tag::MENU | Tag::NAV | Tag::OL | Tag::SEARCH | Tag::SECTION | Tag::SUMMARY
        | Tag::UL
    };
}

/// Formatting elements except `a` and `nobr`, which have their own rules.
#[rustfmt::skip]
macro_rules! plain_formatting_tags {
    () => {
        Tag::B | Tag::BIG | Tag::CODE | Tag::EM | Tag::FONT | Tag::I | Tag::S | Tag::SMALL | Tag::STRIKE
        | Tag::STRONG | Tag::TT | Tag::U
    };
}

/// Headings.
#[rustfmt::skip]
macro_rules! heading_tags {
    () => {
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
    };
}

/// Parts of a table.
#[rustfmt::skip]
macro_rules! table_part_tags {
    () => {
        Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::TBODY | Tag::TD | Tag::TFOOT | Tag::TH | Tag::THEAD
        | Tag::TR
    };
}

pub(crate) use {block_tags, heading_tags, metadata_tags, plain_formatting_tags, table_part_tags};
