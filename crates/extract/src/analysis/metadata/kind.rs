//! Kinds of pages, and the declarations that name them.

/// Kind of a page: declared by schema.org or OpenGraph, or seen from its parts. Most pages declare no kind,
/// and some a wrong one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum PageKind {
    /// A page of a site, without a more specific kind.
    Website,
    /// A list of other pages or things.
    Listing,
    /// A person or an organization.
    Profile,
    /// A text of its own: news, a blog, a paper, documentation.
    Article,
    /// Something to listen to.
    Audio,
    /// Something to watch.
    Video,
    /// An event with a place and a date.
    Event,
    /// A book.
    Book,
    /// A recipe.
    Recipe,
    /// A vacant position.
    Job,
    /// Something to buy.
    Product,
    /// A question with answers, or several questions.
    Question,
    /// A thread of a forum.
    Forum,
    /// Documentation of a program, a language or an interface.
    Documentation,
}

impl PageKind {
    /// Whether the main text of such a page consists of contributions by several people.
    pub(crate) fn is_thread(self) -> bool {
        matches!(self, PageKind::Forum | PageKind::Question)
    }

    /// Name in records, such as `article`.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Website => "website",
            PageKind::Listing => "listing",
            PageKind::Profile => "profile",
            PageKind::Article => "article",
            PageKind::Audio => "audio",
            PageKind::Video => "video",
            PageKind::Event => "event",
            PageKind::Book => "book",
            PageKind::Recipe => "recipe",
            PageKind::Job => "job",
            PageKind::Product => "product",
            PageKind::Question => "question",
            PageKind::Forum => "forum",
            PageKind::Documentation => "documentation",
        }
    }

    /// Returns the kind of a type of schema.org, given without its address; `None` for other types.
    pub(super) fn of_schema_org(name: &str) -> Option<PageKind> {
        Some(match name {
            "WebSite" | "WebPage" => PageKind::Website,
            "CollectionPage" | "ItemList" | "SearchResultsPage" | "OfferCatalog" => PageKind::Listing,
            "ProfilePage" | "AboutPage" | "ContactPage" => PageKind::Profile,
            "DiscussionForumPosting" => PageKind::Forum,
            "QAPage" | "Question" => PageKind::Question,
            "Product" | "ProductGroup" | "IndividualProduct" => PageKind::Product,
            "Recipe" => PageKind::Recipe,
            "JobPosting" => PageKind::Job,
            "Book" => PageKind::Book,
            "PodcastEpisode" | "AudioObject" | "MusicRecording" | "MusicAlbum" => PageKind::Audio,
            "VideoObject" | "Movie" | "TVEpisode" => PageKind::Video,
            "Review" | "HowTo" => PageKind::Article,
            // Shops and companies mark a list of questions at the end of any page with this type.
            "FAQPage" => PageKind::Website,
            "TechArticle" | "APIReference" => PageKind::Documentation,
            _ if name.ends_with("Event") => PageKind::Event,
            _ if is_article_type(name) => PageKind::Article,
            _ => return None,
        })
    }

    /// Returns the kind of an `og:type`; `None` for unknown ones.
    pub(super) fn of_open_graph(name: &str) -> Option<PageKind> {
        let name = name.to_ascii_lowercase();
        Some(match name.split(['.', ':']).next().unwrap_or("") {
            "website" => PageKind::Website,
            "article" | "blog" => PageKind::Article,
            "profile" => PageKind::Profile,
            "product" | "og" if name.contains("product") => PageKind::Product,
            "product" => PageKind::Product,
            "video" => PageKind::Video,
            "music" => PageKind::Audio,
            "book" | "books" => PageKind::Book,
            "event" => PageKind::Event,
            _ => return None,
        })
    }

    /// Returns the more specific of the kinds of two objects: an article that contains a video is an
    /// article, and a page of a site that is a product is a product.
    pub(super) fn more_specific(known: Option<PageKind>, new: Option<PageKind>) -> Option<PageKind> {
        match (known, new) {
            (Some(PageKind::Website | PageKind::Listing), Some(new)) if new > PageKind::Listing => Some(new),
            (Some(known), _) => Some(known),
            (None, new) => new,
        }
    }
}

/// Types of schema.org that describe an article.
pub(super) const ARTICLES: &[&str] = &[
    "Article",
    "AdvertiserContentArticle",
    "NewsArticle",
    "AnalysisNewsArticle",
    "AskPublicNewsArticle",
    "BackgroundNewsArticle",
    "OpinionNewsArticle",
    "ReportageNewsArticle",
    "ReviewNewsArticle",
    "Report",
    "SatiricalArticle",
    "ScholarlyArticle",
    "MedicalScholarlyArticle",
    "SocialMediaPosting",
    "BlogPosting",
    "LiveBlogPosting",
    "DiscussionForumPosting",
    "TechArticle",
    "APIReference",
];

/// Whether a type of schema.org describes an article. The type may have its address or not.
pub(crate) fn is_article_type(name: &str) -> bool {
    ARTICLES.contains(&short(name))
}

/// Returns the last part of a type: `Article` of `http://schema.org/Article` and `schema:Article`.
pub(super) fn short(name: &str) -> &str {
    name.rsplit(['/', ':']).next().unwrap_or(name)
}
