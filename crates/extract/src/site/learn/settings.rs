//! All parameters of learning and applying templates, so that experiments can vary each of them.

/// Defines [`Settings`] by a list of parameters with documentation, name and default.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident = $usual:literal,)*) => {
        /// The parameters of learning and applying templates. They are for experiments, and change from version to version.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub(crate) $name: f64,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings::USUAL
            }
        }

        impl Settings {
            /// The default values.
            pub const USUAL: Settings = Settings { $($name: $usual,)* };

            /// Names of all parameters.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The value of a parameter; `None` if there is no such parameter.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// The settings with another value for a parameter; `None` if there is no such parameter. Any value is allowed.
            pub fn with(mut self, name: &str, value: f64) -> Option<Settings> {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return None,
                }
                Some(self)
            }
        }
    };
}

settings! {
    // Roles.
    /// Least Jaccard similarity of the classes of two elements that count as one part.
    similar = 0.34,
    /// Share of pages on which the number of siblings must be the same for their position to tell them apart.
    steady = 0.9,
    /// Share of the pages below which a part gets no role of its own.
    rare = 0.05,
    /// Share of the pages that must have a class or id for it to be a name of the site.
    common_name = 0.1,
    /// The same for a class or id with a digit, as digits number posts, categories and dates.
    common_number = 0.5,

    // Lines.
    /// Share of a line's tokens in links from which on it counts as linked.
    linked_line = 0.6,
    /// Share of the other pages with the role that must have a text for it to repeat.
    repeated_line = 0.5,
    /// Tokens of a run of lines that are not free from which on it counts in full.
    run = 10.0,
    /// Weight of the shortest such run, such as a label inside the text; a menu has weight 1.
    label = 0.15,
    /// Least words of a line that is hardly on two pages by coincidence.
    long_line = 4.0,
    /// Least words of a line of content for the main text to begin or end with it.
    bound_line = 6.0,

    // Containers: what tokens of each class cost, where a free one that is surely main text is worth 1.
    /// What a repeated token costs.
    repeated_cost = 1.0,
    /// What a linked token costs.
    linked_cost = 0.4,
    /// Share of the cost of repeated tokens that is waived where both page-level extractors keep them.
    forgiven = 0.7,
    /// Price of each container, as a share of the worth of all free text.
    price = 0.06,
    /// Log odds that the page-level extractor reaches for main text on sites that suit it.
    sure = 2.0,
    /// Least share of free text that must be left when parts named as comments or navigation are ignored.
    least_free = 0.25,
    /// Least share of what both page-level extractors keep that containers must hold.
    least_agreed = 0.6,
    /// Share of it that the one part holds which replaces containers that hold less.
    agreed = 0.9,

    // Records and slots.
    /// Least mean tokens of free text in a record.
    record = 20.0,
    /// Least share of a container's free text that its records hold.
    records = 0.5,
    /// Least share of the pages that have a slot. Not every post is signed, and an index page shows the beginnings of many
    /// texts without what stands around each of them on its own page.
    slot_pages = 0.8,
    /// Least mean number of a slot in a container or record.
    slot_least = 0.5,
    /// Largest mean number of a slot there; parts that occur more often are no slots.
    slot_most = 1.25,
    /// Share of a container's free text below which a slot cannot be the main text itself.
    slot_size = 0.2,

    // Cuts: weights for a cut, each multiplied by a share.
    /// A part that stands once in every container or record.
    slot = 0.3,
    /// Links.
    links = 0.7,
    /// Links of a slot, in addition.
    slot_links = 1.0,
    /// Lines that repeat.
    repeated = 0.5,
    /// Lines of a slot that repeat, in addition.
    slot_repeated = 1.0,
    /// A slot before or after the text; links and repeated lines there.
    outer = 1.5,
    /// A class or id that names something around a text.
    name = 1.5,
    /// A tag of something around a text.
    tag = 1.5,
    /// A class or id that names comments, where a page-level extractor drops most of the part.
    comments = 3.0,
    /// Text that the page-level extractors drop.
    vote = 2.0,
    /// Share of that weight which the second extractor can take away.
    second = 0.2,
    // Weights against a cut.
    /// Sum that must be exceeded for a cut.
    bias = 2.3,
    /// A tag of text without classes and id.
    bare = 1.0,
    /// A tag of words within a line.
    inline = 1.0,
    /// A larger number of such parts in each container or record than slots have.
    many = 0.5,
    /// Long parts: times the logarithm of their length in words.
    long = 0.3,
    // Conditions of a cut beside the sum.
    /// Least share of a part before or after the text for the part to count as standing there.
    edge = 0.5,
    /// Share of the free text of a container above which only the strongest signs cut.
    large = 0.35,
    /// Share that both page-level extractors must drop of a slot as large as that.
    large_vote = 0.8,

    // Applying.
    /// Share of a page's words that must be in known parts for the layout to count as known.
    known = 0.5,
    /// Least share of the words kept by the page-level extractor that a template must keep, where there are enough of them.
    least_voted = 0.15,
    /// Weight of the page-level log odds of a single line against the score of its part.
    line = 1.0,
}
