//! The sets of labelled pages that the model is grown from: what they are, what their labels are worth, and what they take for main text.
//!
//! Sets differ in what they count as main text besides the body: some have the title and captions in, some leave them out, and some are
//! of two minds. Where a line of such a class contradicts what the others of its set have, the label is no evidence about lines, and
//! the line gets no weight ([`SetInfo::is_open`]).

use dehusk_pipeline::extract::training::BlockClass;

/// One set.
pub(super) struct SetInfo {
    /// Name of its archive, without extensions.
    pub(super) name: &'static str,
    /// What it is, for the heads of the models.
    pub(super) about: &'static str,
    pub(super) licence: &'static str,
    /// What a page of it weighs.
    pub(super) worth: f32,
    /// Classes of which the labels are of two minds.
    open: &'static [BlockClass],
}

/// A set of pages of mixed domains, labelled well.
const GOOD: SetInfo = SetInfo {
    name: "",
    about: "",
    licence: "",
    worth: 1.0,
    open: &[],
};

/// A set with trailing extras, cut texts or lost headings.
const FAIR: SetInfo = SetInfo { worth: 0.7, ..GOOD };

/// The sets that are trained on. All others are only judged by: `zh_news` shows how far what was learnt travels.
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
    /// The set with this name, if it is trained on.
    pub(super) fn find(name: &str) -> Option<&'static SetInfo> {
        TRAINED.iter().find(|set| set.name == name)
    }

    /// Whether the set is of two minds about lines of a class.
    pub(super) fn is_open(&self, class: BlockClass) -> bool {
        self.open.contains(&class)
    }
}
