//! The sets of labelled pages that models are trained on: their names, their weights, and their definitions
//! of main text.
//!
//! Sets differ in what they label as main text besides the body. Some include title and captions, some
//! leave them out, and some are inconsistent. Where the labels of a set are inconsistent about a class of
//! lines, they are no evidence, and the lines of the class get weight 0 ([`SetInfo::is_open`]).

use dehusk_pipeline::extract::training::BlockClass;

/// A set of labelled pages.
pub(super) struct SetInfo {
    /// Name of its archive without extensions.
    pub(super) name: &'static str,
    /// Description for the heads of the models.
    pub(super) about: &'static str,
    pub(super) licence: &'static str,
    /// Weight of each of its pages.
    pub(super) worth: f32,
    /// Classes of lines that are labelled inconsistently.
    open: &'static [BlockClass],
}

/// A well-labelled set of pages from mixed domains.
const GOOD: SetInfo = SetInfo {
    name: "",
    about: "",
    licence: "",
    worth: 1.0,
    open: &[],
};

/// A set whose labels have trailing extras, cut texts or missing headings.
const FAIR: SetInfo = SetInfo { worth: 0.7, ..GOOD };

/// The sets that are trained on. All others are used only for scoring; for example, `zh_news` shows how
/// well the trees generalize.
pub(super) const TRAINED: &[SetInfo] = &[
    SetInfo {
        name: "canola",
        about: "CANOLA of the KrdWrd project",
        licence: "CC-BY-SA-4.0",
        ..GOOD
    },
    SetInfo {
        name: "cleaneval_dev",
        about: "CleanEval 2007, half of the pages",
        licence: "labels: none stated",
        ..GOOD
    },
    SetInfo {
        name: "daniel_dev",
        about: "Daniel 2.1 corpus, half of the hosts",
        licence: "repository GPL-3.0",
        ..GOOD
    },
    SetInfo {
        name: "harvest",
        about: "Harvest forum threads",
        licence: "Apache-2.0",
        ..GOOD
    },
    SetInfo {
        name: "magic_html",
        about: "magic-html articles and forum pages",
        licence: "Apache-2.0",
        open: &[BlockClass::Title],
        ..FAIR
    },
    SetInfo {
        name: "mercury",
        about: "fixtures of Mercury Parser",
        licence: "MIT",
        open: &[BlockClass::Title],
        ..FAIR
    },
    SetInfo {
        name: "mercury_bear",
        about: "fixtures of Mercury Parser as kept by Shiny Frog",
        licence: "MIT",
        open: &[BlockClass::Title],
        ..FAIR
    },
    SetInfo {
        name: "misinformation",
        about: "news of the misinformation crawler",
        licence: "MIT",
        ..GOOD
    },
    SetInfo {
        name: "newspaper",
        about: "fixtures of newspaper",
        licence: "MIT",
        open: &[BlockClass::Caption],
        ..FAIR
    },
    SetInfo {
        name: "newspaper4k",
        about: "fixtures of newspaper4k",
        licence: "MIT",
        ..FAIR
    },
    SetInfo {
        name: "sites-dev",
        about: "sixteen sites of static pages labelled by hand",
        licence: "licences per site",
        ..GOOD
    },
    SetInfo {
        name: "sites-more",
        about: "twenty-six more sites labelled by hand",
        licence: "licences per site",
        ..GOOD
    },
    SetInfo {
        name: "sites-third",
        about: "sixteen sites of forums, shops, wikis and other hard kinds labelled by hand",
        licence: "licences per site",
        ..GOOD
    },
    SetInfo {
        name: "trafilatura_dev",
        about: "evaluation strings of trafilatura, half of the domains",
        licence: "Apache-2.0",
        ..GOOD
    },
    SetInfo {
        name: "wcxb_dev",
        about: "Web Content Extraction Benchmark, development split",
        licence: "CC-BY-4.0",
        open: &[BlockClass::Title],
        ..GOOD
    },
];

impl SetInfo {
    /// Returns the set with this name, or `None` if it is not trained on.
    pub(super) fn find(name: &str) -> Option<&'static SetInfo> {
        TRAINED.iter().find(|set| set.name == name)
    }

    /// Whether the set labels lines of this class inconsistently.
    pub(super) fn is_open(&self, class: BlockClass) -> bool {
        self.open.contains(&class)
    }
}
