//! The numbers that learning and applying go by, in one place: so that each can be varied to see what rests on it.

/// Makes [`Settings`] out of a list: what each number says, its name, its usual value.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident = $usual:literal,)*) => {
        /// The numbers that learning a site's template and applying it go by. Nobody need change them: they are here for
        /// experiments, and change from version to version.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub(in crate::site) $name: f64,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings::USUAL
            }
        }

        impl Settings {
            /// The values that templates are learnt with.
            pub const USUAL: Settings = Settings { $($name: $usual,)* };

            /// Names of all numbers.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The number of this name; none if there is no such number.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// The same with another value for one number; none if there is no such number. Any value is allowed, whether it
            /// makes sense or not.
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
    /// How alike the classes of two elements must be to count as one part: shared classes by all classes of both (Jaccard).
    alike = 0.34,
    /// Share of pages on which the number of fellows must be the same for their place to tell them apart.
    steady = 0.9,
    /// Share of the pages below which a part gets no role of its own.
    rare = 0.05,
    /// Share of the pages that must have a class or id for it to belong to the site.
    common_name = 0.1,
    /// The same for one with a digit, as numbers count posts, categories and dates.
    common_number = 0.5,

    // Lines.
    /// Share of a line's tokens in links from which on it counts as linked.
    linked_line = 0.6,
    /// Share of the other pages with the role that must have a line for it to repeat.
    repeated_line = 0.5,
    /// Tokens of a run of lines that are not free from which on they count in full.
    run = 10.0,
    /// What a label counts by comparison with a menu: the least that such lines count.
    label = 0.15,
    /// Words of a line that does not come again by chance.
    long_line = 4.0,
    /// Words of a line of content that bounds the text.
    anchor = 6.0,

    // Containers: worth of a token of each kind, a free one that the page-level method keeps being worth 1.
    /// What a repeated token costs.
    repeated_cost = 1.0,
    /// What a linked token costs.
    linked_cost = 0.4,
    /// How much of that is forgiven where both page-level methods keep repeated lines.
    forgiven = 0.7,
    /// Price of each container, as a share of all that speaks for any.
    price = 0.06,
    /// Log odds that the page-level method reaches for main text where it knows its way.
    sure = 2.0,
    /// Least share of free text that must be left when parts named as comments or navigation are not looked at.
    least_free = 0.25,
    /// Least share of what both page-level methods keep that containers must hold.
    least_agreed = 0.6,
    /// Share of it that the part has that stands in where they do not.
    agreed = 0.9,

    // Records and slots.
    /// Tokens of free text that each record has on average.
    record = 20.0,
    /// Share of a container's free text that its records have.
    records = 0.5,
    /// Share of the pages that have a slot: not everybody signs, and on an index page are the beginnings of many texts,
    /// without what stands around each of them on its own page.
    slot_pages = 0.8,
    /// How often a slot stands in a container or record at least.
    slot_least = 0.5,
    /// How often a slot stands there at most: what stands there more often is one of many.
    slot_most = 1.25,
    /// Share of a container's free text up to which a slot cannot be the text itself.
    slot_size = 0.2,

    // Cuts: weights of what speaks for a cut, each times a share.
    /// What stands once in every container or record.
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
    around = 1.5,
    /// A name of what surrounds a text.
    name = 1.5,
    /// A tag of what surrounds a text.
    tag = 1.5,
    /// A name of comments that a page-level method does not keep.
    comments = 3.0,
    /// What the page-level methods do not keep.
    vote = 2.0,
    /// How much of their vote the second opinion can take away.
    second = 0.2,
    // What speaks against one.
    /// The evidence below which nothing is cut.
    bias = 2.3,
    /// A tag of text without names.
    bare = 1.0,
    /// A tag of words within a line.
    inline = 1.0,
    /// More such parts for each container or record than a slot has.
    many = 0.5,
    /// Long parts: times the logarithm of their length.
    long = 0.3,
    // What must hold besides.
    /// Share of a part that lies before or after the text if that is where it stands.
    edge = 0.5,
    /// Share of the free text of a container from which on only some signs cut.
    large = 0.35,
    /// Share that both page-level methods must drop of a slot as large.
    large_vote = 0.8,

    // Applying.
    /// Share of a page's words that must stand in known parts for the layout to count as known.
    known = 0.5,
    /// Least share of the words the page-level method keeps that a template must keep, where there are enough of them.
    least_voted = 0.15,
    /// How much the page-level chance of a single line counts, in log odds, against the evidence for its part.
    line = 1.0,
}
