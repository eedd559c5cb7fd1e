//! Generated sites: forum threads in the markup of several forum programs, and pages of records. The main text is known
//! by construction.
//!
//! The markup follows that of real programs; texts are invented words. Each site has threads of different lengths,
//! posts with quotes, varying author columns, recurring signatures, and navigation around the posts.

use dehusk_pipeline::dedup::SplitMix64;

use dehusk_lab::metrics::main_text::Label;

/// A generated site: name, addresses, pages and labels.
pub(crate) struct Made {
    pub(crate) name: &'static str,
    pub(crate) urls: Vec<String>,
    pub(crate) html: Vec<String>,
    pub(crate) labels: Vec<Label>,
}

/// Number of pages of each site.
const PAGES: u64 = 14;
/// Number of authors.
const PEOPLE: u64 = 9;

/// Invented prose of `n` words of a few syllables, as one sentence.
fn prose(seed: u64, n: u64) -> String {
    const PARTS: &[&str] = &[
        "ba", "ko", "ri", "ten", "lo", "mar", "si", "dun", "ve", "pa", "gor", "li", "nes", "to", "ul", "ken",
        "da", "mi", "ros", "fe",
    ];
    let mut random = SplitMix64::new(seed);
    let mut out = String::new();
    for i in 0..n {
        let mut word = String::new();
        for _ in 0..2 + random.number() % 2 {
            word.push_str(PARTS[(random.number() % PARTS.len() as u64) as usize]);
        }
        if i == 0 {
            word[..1].make_ascii_uppercase();
        }
        out.push_str(if i == 0 {
            ""
        } else if i % 9 == 8 {
            ", "
        } else {
            " "
        });
        out.push_str(&word);
    }
    out + "."
}

/// One post of a thread.
struct Post {
    name: String,
    date: String,
    count: u64,
    /// The paragraphs of the post.
    text: Vec<String>,
    quote: Option<String>,
    signature: Option<String>,
}

struct Thread {
    title: String,
    posts: Vec<Post>,
}

fn thread(site: u64, page: u64) -> Thread {
    let seed = |what: u64| site * 1_000_003 + page * 10_007 + what * 101;
    let mut random = SplitMix64::new(seed(0));
    let n = 2 + random.number() % 9;
    let posts = (0..n)
        .map(|i| {
            let person = random.number() % PEOPLE;
            let paragraphs = 1 + random.number() % 3;
            Post {
                name: prose(site * 77 + person, 1).replace('.', ""),
                date: format!(
                    "{:02}.{:02}.20{:02}",
                    1 + random.number() % 28,
                    1 + random.number() % 12,
                    8 + random.number() % 15
                ),
                count: random.number() % 4000,
                text: (0..paragraphs)
                    .map(|p| prose(seed(10 + 7 * i + p), 8 + random.number() % 60))
                    .collect(),
                quote: (i > 0 && random.number().is_multiple_of(3)).then(|| prose(seed(500 + i), 12)),
                signature: (!person.is_multiple_of(3)).then(|| prose(site * 991 + person, 7 + person)),
            }
        })
        .collect();
    Thread {
        title: prose(seed(900), 5).replace('.', ""),
        posts,
    }
}

/// The markup of a forum program for a page and for a post.
struct Markup {
    name: &'static str,
    page: fn(&Thread, &str) -> String,
    post: fn(&Post) -> String,
}

fn paragraphs(post: &Post, quote: fn(&str) -> String) -> String {
    let quoted = post.quote.as_deref().map(quote).unwrap_or_default();
    quoted + &post.text.join("<br><br>")
}

fn signature(post: &Post, before: &str, after: &str) -> String {
    post.signature
        .as_ref()
        .map(|s| format!("{before}{s}{after}"))
        .unwrap_or_default()
}

/// Lists of posts in `div`s, as in bulletin boards of the 2000s and 2010s.
const BOARD: Markup = Markup {
    name: "board in divs",
    page: |thread, posts| {
        format!(
            "<html><head><title>{0} - Board</title></head><body id=phpbb class='section-viewtopic'><div id=wrap>\
             <div id=page-header><h1>The board of the valley</h1><p>For all who live here</p><ul class=linklist><li><a href=/>Board \
             index</a><li><a href=/faq>Questions and answers</a><li><a href=/login>Log in</a></ul></div><div id=page-body>\
             <h2 class=topic-title><a href=#>{0}</a></h2><div class=action-bar><a href=/reply>Post a reply</a> <span>Search this \
             topic</span></div>{posts}<div class=action-bar><a href=/reply>Post a reply</a></div><h3>Who is online</h3><p>Users \
             browsing this forum: no registered users</p></div><div id=page-footer>Powered by the software of a board</div></div>",
            thread.title
        )
    },
    post: |post| {
        format!(
            "<div class='post has-profile bg2'><div class=inner><dl class=postprofile><dt><a href=/u>{0}</a></dt><dd>Posts: {1}</dd><dd>\
             Joined: {2}</dd></dl><div class=postbody><h3><a href=#>Re: the topic</a></h3><p class=author>by <strong>{0}</strong> \u{bb} {2}</p>\
             <div class=content>{3}</div>{4}</div></div></div><hr class=divider>",
            post.name,
            post.count,
            post.date,
            paragraphs(post, |q| format!(
                "<blockquote><div><cite>somebody wrote:</cite>{q}</div></blockquote>"
            )),
            signature(post, "<div class=signature>", "</div>")
        )
    },
};

/// Posts in tables, as in boards of about 2005.
const TABLES: Markup = Markup {
    name: "board in tables",
    page: |thread, posts| {
        format!(
            "<html><body><table class=tborder width='100%'><tr><td class=navbar><a href=/>Main page of the forum</a> &gt; <a href=/f2>\
             Talk about everything</a></td><td class=alt2>Welcome, guest. Name and password:</td></tr></table><h1>{0}</h1>\
             <div id=posts>{posts}</div><table class=tborder><tr><td class=thead>Similar threads</td></tr><tr><td>No similar threads \
             were found</td></tr></table><div class=smallfont align=center>All times are in the time of the valley</div></body></html>",
            thread.title
        )
    },
    post: |post| {
        format!(
            "<table class=tborder cellpadding=6><tr><td class=thead>{2}</td></tr><tr><td class=alt2><a class=bigusername href=/m>{0}</a>\
             <div class=smallfont>Member of the board</div><div class=smallfont>Posts: {1}</div></td></tr><tr><td class=alt1><div>{3}\
             </div>{4}</td></tr><tr><td class=alt2><a href=/report>Report this post</a> <a href=/q>Reply with quote</a></td></tr></table>",
            post.name,
            post.count,
            post.date,
            paragraphs(post, |q| format!(
                "<div class=quote><table><tr><td class=alt2>{q}</td></tr></table></div>"
            )),
            signature(post, "<div>__________________<br>", "</div>")
        )
    },
};

/// Articles with paragraphs, as in current forum programs.
const MODERN: Markup = Markup {
    name: "board of articles",
    page: |thread, posts| {
        format!(
            "<html><body><header class=d-header><a href=/>Community of the valley</a><nav><a href=/latest>Latest</a><a href=/top>Top</a>\
             </nav></header><main><div class=topic-header><h1>{0}</h1></div><div class=post-stream>{posts}</div><section \
             class=suggested-topics><h3>Suggested topics</h3><ul><li><a href=/a>How to find your way here</a><li><a href=/b>Rules of the \
             house</a></ul></section></main><footer>Made with care in the valley</footer></body></html>",
            thread.title
        )
    },
    post: |post| {
        let text: String = post.text.iter().map(|p| format!("<p>{p}</p>")).collect();
        let quote = post
            .quote
            .as_ref()
            .map(|q| format!("<aside class=quote><blockquote><p>{q}</p></blockquote></aside>"));
        format!(
            "<article class='topic-post regular'><div class=topic-avatar><img src=a.png alt=''></div><div class=topic-body><div \
             class=topic-meta-data><span class=username>{0}</span><span class=post-date>{1}</span></div><div class='cooked'>{2}{3}</div>\
             <div class=post-controls><button>Like this post</button><button>Share a link</button></div>{4}</div></article>",
            post.name,
            post.date,
            quote.unwrap_or_default(),
            text,
            signature(post, "<div class=user-signature>", "</div>")
        )
    },
};

/// Reviews of a product: records that are main text together with a description.
const RECORDS: Markup = Markup {
    name: "pages of records",
    page: |thread, posts| {
        format!(
            "<html><body><div class=top><a href=/>Shop of the valley</a><a href=/cart>Your basket is empty</a></div><div class=catalog>\
             <h1>{0}</h1><div class=rows>{posts}</div></div><div class=bottom>Delivery on working days only</div></body></html>",
            thread.title
        )
    },
    post: |post| {
        format!(
            "<div class=row><div class=row-head><b>{0}</b> <i>{1}</i></div><div class=row-text>{2}</div><div class=row-tools><a href=/y>Was \
             this of use to you?</a></div>{3}</div>",
            post.name,
            post.date,
            paragraphs(post, |q| format!("<div class=row-quote>{q}</div>")),
            signature(post, "<div class=row-sign>", "</div>")
        )
    },
};

/// All generated sites.
pub(crate) fn sites() -> Vec<Made> {
    [BOARD, TABLES, MODERN, RECORDS]
        .iter()
        .zip(1..)
        .map(|(markup, site)| made(markup, site))
        .collect()
}

fn made(markup: &Markup, site: u64) -> Made {
    let mut out = Made {
        name: markup.name,
        urls: Vec::new(),
        html: Vec::new(),
        labels: Vec::new(),
    };
    for page in 0..PAGES {
        let thread = thread(site, page);
        let posts: String = thread.posts.iter().map(markup.post).collect();
        let html = (markup.page)(&thread, &posts);
        let (mut gold, mut neutral, mut wide) = (
            String::new(),
            thread.title.clone() + "\n",
            thread.title.clone() + "\n",
        );
        let mut signatures = String::new();
        for post in &thread.posts {
            // Author, date and quote may be extracted or not.
            let quote = post.quote.iter().map(|q| format!("{q}\n")).collect::<String>();
            neutral.push_str(&format!("{} {} {}\n{quote}", post.name, post.date, post.count));
            gold.push_str(&format!("{}\n", post.text.join("\n")));
            wide.push_str(&format!(
                "{} {}\n{quote}{}\n",
                post.name,
                post.date,
                post.text.join("\n")
            ));
            signatures.push_str(&signature(post, "", "\n"));
        }
        let frame = (markup.page)(
            &Thread {
                title: String::new(),
                posts: Vec::new(),
            },
            "",
        );
        out.urls.push(format!("https://forum{site}.example/t/{page}"));
        out.html.push(html);
        out.labels.push(Label {
            gold,
            neutral,
            wide,
            other: plain(&frame) + "\n" + &signatures,
        });
    }
    out
}

/// The text of a page, with a line break in place of each tag.
fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut tag = false;
    for c in html.chars() {
        match c {
            '<' => {
                tag = true;
                out.push('\n');
            }
            '>' => tag = false,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    out
}
