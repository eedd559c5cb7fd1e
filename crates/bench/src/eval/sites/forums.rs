//! Generated sites: forum threads in the markup of several forum programs, and pages of records. The main
//! text is known by construction.
//!
//! The markup follows that of real programs; texts are invented words. Each site has threads of different
//! lengths, posts with quotes, varying author columns, recurring signatures, and navigation around the
//! posts.

use std::collections::BTreeSet;

use dehusk_html::narrow;
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

/// Returns invented prose: one sentence of `n` words of two or three syllables.
pub(super) fn prose(seed: u64, n: u64) -> String {
    const PARTS: &[&str] = &[
        "ba", "ko", "ri", "ten", "lo", "mar", "si", "dun", "ve", "pa", "gor", "li", "nes", "to", "ul", "ken",
        "da", "mi", "ros", "fe",
    ];
    let mut random = SplitMix64::new(seed);
    let mut out = String::new();
    for i in 0..n {
        let mut word = String::new();
        for _ in 0..2 + random.number() % 2 {
            word.push_str(PARTS[narrow::to_usize(random.number() % PARTS.len() as u64)]);
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

/// Generates one thread. Equal numbers give equal threads.
fn thread(site: u64, page: u64) -> Thread {
    let seed = |what: u64| site * 1_000_003 + page * 10_007 + what * 101;
    let mut random = SplitMix64::new(seed(0));
    let n = 2 + random.number() % 9;
    let posts = (0..n)
        .map(|i| {
            let person = random.number() % PEOPLE;
            let paragraphs = 1 + random.number() % 3;
            Post {
                // By person rather than by post: an author has the same name and signature on all pages of
                // a site.
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
                // The first post has no other post to quote. Of the others, every third quotes.
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

/// Returns the content of a post: its quote in the markup of the program, then its paragraphs.
fn paragraphs(post: &Post, quote: fn(&str) -> String) -> String {
    let quoted = post.quote.as_deref().map(quote).unwrap_or_default();
    quoted + &post.text.join("<br><br>")
}

/// Returns the signature of a post between two pieces of markup; empty if the author has no signature.
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

/// Posts in columns: the poster, and an area with the text and a bar for moderators, all in one wrapper.
const COLUMNS: Markup = Markup {
    name: "board in columns",
    page: |thread, posts| {
        format!(
            "<html><body><div id=wrapper><div id=header><h1 class=forumtitle><a href=/>The valley talks</a></h1></div><div id=main_menu>\
             <ul><li><a href=/>Home<li><a href=/help>Help<li><a href=/search>Search<li><a href=/login>Login</ul></div><div \
             class=navigate_section><ul><li><a href=/>The valley talks</a> &raquo;<li><a href=/g>General talk</a></ul></div><div \
             id=forumposts><div class=cat_bar><h3 class=catbg>Topic: {0}</h3></div><p id=whoisviewing>0 members and 1 guest are viewing this \
             topic.</p><form action=/q>{posts}</form></div><div class=pagesection><a href=/p>Print</a> <a href=/top>Go up</a></div><div \
             id=moderationbuttons>Jump to: General talk</div><div id=footer><ul><li>Software of a board<li>All times are of the \
             valley</ul></div></div></body></html>",
            thread.title
        )
    },
    post: |post| {
        format!(
            "<div class='windowbg'><div class=post_wrapper><div class=poster><h4><a href=/u>{0}</a></h4><ul><li class=postgroup>Full \
             Member<li class=avatar><img src=a.png alt=''><li class=postcount>Posts: {1}<li class=blurb>From the {4} side</ul></div><div \
             class=postarea><div class=flow><div class=keyinfo><h5><a href=/m>Re: answer to the topic</a></h5><div class=smalltext>&laquo; \
             Reply #{1} on: {2} &raquo;</div></div><ul class=quickbuttons><li><a href=/q>Quote</a></ul></div><div class=post><div \
             class=inner>{3}</div></div></div><div class=moderatorbar><div class='smalltext modified'>Last edit by {0}</div><div \
             class='smalltext reportlinks'><a href=/r>Report to moderator</a> Logged</div>{5}</div></div></div>",
            post.name,
            post.count,
            post.date,
            paragraphs(post, |q| format!(
                "<div class=quoteheader>Quote from somebody</div><blockquote>{q}</blockquote>"
            )),
            if post.count.is_multiple_of(2) {
                "sunny"
            } else {
                "windy"
            },
            signature(post, "<div class=signature>", "</div>")
        )
    },
};

/// Posts as articles with a cell for the member and a cell for the text, reactions and a signature.
const CELLS: Markup = Markup {
    name: "board in cells",
    page: |thread, posts| {
        format!(
            "<html><body><div class=p-pageWrapper><header class=p-header><a href=/>Riders of the valley</a></header><nav class=p-nav><a \
             href=/forums>Forums</a><a href=/new>What's new</a><a href=/members>Members</a></nav><div class=p-body><div class=p-title><h1>\
             {0}</h1></div><div class=p-description>Thread starter somebody, start date some day</div><div class=block-container>{posts}</div>\
             <div class=block-outer>You must log in or register to reply here.</div><aside class=p-sidebar><h3>Members online</h3><p>No \
             members online now.</p><h3>Share this page</h3><a href=/fb>Facebook</a></aside></div><footer>Terms and rules of the \
             valley</footer></div></body></html>",
            thread.title
        )
    },
    post: |post| {
        let text: String = post.text.iter().map(|p| format!("{p}<br><br>")).collect();
        let quote = post.quote.as_ref().map(|q| {
            format!("<blockquote class=quoteblock><div>Somebody said:</div><div>{q}</div></blockquote>")
        });
        format!(
            "<article class='message message--post'><div class=message-inner><div class=message-cell-user><section class=message-user><h4>\
             <a class=username href=/m>{0}</a></h4><h5 class=userTitle>Well known member</h5><dl><dt>Joined</dt><dd>{2}</dd></dl><dl><dt>\
             Messages</dt><dd>{1}</dd></dl><dl><dt>Reaction score</dt><dd>{1}</dd></dl></section></div><div class=message-cell-main><header \
             class=message-attribution><time>{2}</time> <a href=/p>#{1}</a></header><div class=message-body><div class=bbWrapper>{3}{4}\
             </div></div>{5}<footer class=message-footer><a href=/r>Report</a> <a href=/q>Reply</a><div class=reactionsBar>Reactions: {0} and \
             others</div></footer></div></div></article>",
            post.name,
            post.count,
            post.date,
            quote.unwrap_or_default(),
            text,
            signature(post, "<aside class=message-signature><div>", "</div></aside>")
        )
    },
};

/// Posts as items of a list with a box for the member, and buttons below the text.
const ITEMS: Markup = Markup {
    name: "board in items",
    page: |thread, posts| {
        format!(
            "<html><body><div class=above_body><a href=/>Forum of the valley</a><ul><li><a href=/faq>FAQ<li><a href=/cal>Calendar</ul></div>\
             <div id=pagetitle><h1>Thread: <span class=threadtitle><a href=/t>{0}</a></span></h1></div><div id=thread_controls>Thread \
             tools Search thread Display</div><ol id=posts>{posts}</ol><div class=thread_info><h4>Thread information</h4><p>Users browsing \
             this thread</p><p>There are currently 1 users browsing this thread.</p></div><div id=rules><h4>Posting permissions</h4><ul><li>You \
             may not post new threads<li>You may not post replies</ul></div><div class=below_body>All times are of the valley</div></body></html>",
            thread.title
        )
    },
    post: |post| {
        format!(
            "<li class='postbitlegacy postcontainer'><div class=posthead><span class=date>{2}</span> <a href=/p>#{1}</a></div><div \
             class=postdetails><div class=userinfo><a class=username href=/m>{0}</a><span class=usertitle>Senior member</span><dl \
             class=userinfo_extra><dt>Join date<dd>{2}<dt>Location<dd>The lower town<dt>Posts<dd>{1}</dl></div><div class=postbody><div \
             class=postrow><h2 class=title>Re: the topic of the thread</h2><div class=content><blockquote class='postcontent'>{3}</blockquote>\
             </div></div>{4}</div></div><div class=postfoot><a href=/q>Reply with quote</a></div></li>",
            post.name,
            post.count,
            post.date,
            paragraphs(post, |q| format!(
                "<div class=bbcode_container><div class=bbcode_quote>{q}</div></div>"
            )),
            signature(
                post,
                "<div class=after_content><blockquote class=signature>",
                "</blockquote></div>"
            )
        )
    },
};

/// Returns all generated sites of threads and records.
pub(crate) fn sites() -> Vec<Made> {
    [BOARD, TABLES, MODERN, RECORDS, COLUMNS, CELLS, ITEMS]
        .iter()
        .zip(1..)
        .map(|(markup, site)| made(markup, site))
        .collect()
}

/// Generates the pages and labels of one site.
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
        for post in &thread.posts {
            // Author, date and quote may be extracted or not.
            let quote = post.quote.iter().map(|q| format!("{q}\n")).collect::<String>();
            neutral.push_str(&format!("{}\n{}\n{quote}", post.name, post.date));
            // The signature is in neither text, so it counts as other text.
            gold.push_str(&format!("{}\n", post.text.join("\n")));
            wide.push_str(&format!(
                "{} {}\n{quote}{}\n",
                post.name,
                post.date,
                post.text.join("\n")
            ));
        }
        out.urls.push(format!("https://forum{site}.example/t/{page}"));
        let other = other(&html, &[&gold, &neutral]);
        out.html.push(html);
        out.labels.push(Label {
            gold,
            neutral,
            wide,
            other,
        });
    }
    out
}

/// Returns the lines of a page that are in none of the texts.
pub(super) fn other(html: &str, texts: &[&str]) -> String {
    let known: BTreeSet<&str> = texts
        .iter()
        .flat_map(|text| text.lines())
        .map(str::trim)
        .collect();
    let page = plain(html);
    let lines = page.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !known.contains(line))
        .collect();
    lines.join("\n")
}

/// Returns the text of a page, with a line break in place of each tag.
fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut tag = false;
    for c in html.chars() {
        match c {
            // Enough for generated pages: they have no `<` in attributes and no scripts.
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
