//! The classes that blocks have.

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum BlockClass {
    /// The title of the page, or a copy of it.
    Title,
    /// Who wrote the text.
    Byline,
    /// When the text was written or changed.
    Date,
    /// What is written under an image, a film or a table.
    Caption,
    /// Who made or owns an image.
    Credit,
    /// Pointers to other texts.
    Related,
    /// Advertisements, and requests to subscribe, follow, share or pay.
    Promotion,
    /// What a reader wrote.
    Comment,
    /// What a page says in place of a text: that there is none, or none for this reader.
    Notice,
    /// Any other main text.
    Body,
    /// Any other text that is not main text.
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

    /// Name in records.
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

    /// The class with this name.
    pub(crate) fn find(name: &str) -> Option<BlockClass> {
        BlockClass::ALL.into_iter().find(|class| class.name() == name)
    }
}
