//! The classes of blocks.

/// Class of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum BlockClass {
    /// The title of the page, or a copy of it.
    Title,
    /// The author of the text.
    Byline,
    /// The date on which the text was written or changed.
    Date,
    /// Text under an image, a video or a table.
    Caption,
    /// The maker or owner of an image.
    Credit,
    /// Pointers to other texts.
    Related,
    /// Advertisements, and requests to subscribe, follow, share or pay.
    Promotion,
    /// Text by a reader.
    Comment,
    /// A message in place of a text: that no text exists, or that this reader may not see it.
    Notice,
    /// Any other main text.
    Body,
    /// Any other text outside the main text.
    Other,
}

impl BlockClass {
    /// All classes.
    pub const ALL: [BlockClass; 11] = [
        BlockClass::Title,
        BlockClass::Byline,
        BlockClass::Date,
        BlockClass::Caption,
        BlockClass::Credit,
        BlockClass::Related,
        BlockClass::Promotion,
        BlockClass::Comment,
        BlockClass::Notice,
        BlockClass::Body,
        BlockClass::Other,
    ];

    /// Returns the name used in records.
    pub fn name(self) -> &'static str {
        match self {
            BlockClass::Title => "title",
            BlockClass::Byline => "byline",
            BlockClass::Date => "date",
            BlockClass::Caption => "caption",
            BlockClass::Credit => "credit",
            BlockClass::Related => "related",
            BlockClass::Promotion => "promotion",
            BlockClass::Comment => "comment",
            BlockClass::Notice => "notice",
            BlockClass::Body => "body",
            BlockClass::Other => "other",
        }
    }

    /// Returns the class with this name.
    pub(crate) fn find(name: &str) -> Option<BlockClass> {
        BlockClass::ALL.into_iter().find(|class| class.name() == name)
    }
}
