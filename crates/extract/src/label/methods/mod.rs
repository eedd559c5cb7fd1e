//! The methods, in one file or folder each.

pub(crate) mod all_text;
pub(crate) mod boilerpipe;
pub(crate) mod boilerpipe_article;
pub(crate) mod boilerpipe_canola;
pub(crate) mod boilerpipe_default;
pub(crate) mod boilerpipe_largest;
pub(crate) mod boilerpipe_numwords;
pub(crate) mod default;
pub(crate) mod density;
pub(crate) mod keywords;
pub(crate) mod markup;
pub(crate) mod readability;
pub(crate) mod sentences;
pub(crate) mod visual;
