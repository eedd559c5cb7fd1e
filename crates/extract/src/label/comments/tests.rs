use crate::label::comments::comment::Comment;
use crate::{Extracted, Options, Page, extract};

const STORY: &str = "<h1>The river rose</h1><p>The river rose by two meters in one night, and the lower streets of the town were under \
    water by noon, so that people carried furniture and books up the stairs to the first floors of their houses.</p>\
    <p>By noon the wind had turned and the water fell a little, so that the ferry could cross again, first empty, then with \
    the mail and at last with the children from the school on the island, who had slept on the benches.</p>\
    <p>The mayor said that the wall would be built this summer, after eleven years of waiting for the money from the capital, \
    and that nobody on the island would have to sleep on a bench again because of some rain in the hills.</p>";

fn extracted(body: &str) -> Extracted {
    let page = format!("<title>The river rose</title><body><article>{STORY}</article>{body}");
    extract(&Page::decoded(&page), &Options::default().with_comments(true))
}

fn comment(author: Option<&str>, date: Option<&str>, depth: usize, text: &str) -> Comment {
    Comment {
        author: author.map(str::to_owned),
        date: date.map(str::to_owned),
        depth,
        reply_to: depth.checked_sub(1),
        first: false,
        text: text.to_owned(),
    }
}

#[test]
fn comments_are_told_from_the_text_with_writer_and_date() {
    let list = "<section id=comments><h2>2 comments</h2><ol class=comment-list>\
        <li class='comment even' id=comment-1><div class=comment-author><cite class=fn>Vera</cite> <span class=says>says:</span></div>\
        <div class=comment-metadata><a href=#c1><time datetime=2024-03-05T10:00>March 5</time></a></div>\
        <div class=comment-content><p>Our cellar was full of water in the spring.</p><p>It took a week to dry.</p></div>\
        <a class=comment-reply-link href=#>Reply</a>\
        <ol class=children><li class='comment odd' id=comment-2><div class=comment-author><cite class=fn>Ivan</cite></div>\
        <div class=comment-content><p>Ours, too, and nobody came to help.</p></div></li></ol></li></ol>\
        <form class=comment-form><label>Write what you think about it</label><textarea></textarea></form></section>";
    let found = extracted(list);
    let want = [
        comment(
            Some("Vera"),
            Some("2024-03-05"),
            0,
            "Our cellar was full of water in the spring.\nIt took a week to dry.",
        ),
        comment(Some("Ivan"), None, 1, "Ours, too, and nobody came to help."),
    ];
    assert_eq!(found.comments.as_deref(), Some(&want[..]));
    assert!(
        found.text.contains("The mayor said") && !found.text.contains("cellar"),
        "{}",
        found.text
    );
}

#[test]
fn microdata_come_before_names() {
    let list = "<div><div itemscope itemtype=https://schema.org/Comment><span itemprop=author>Vera</span>\
        <meta itemprop=datePublished content=2024-03-05><p itemprop=text>Our cellar was full of water.</p></div></div>\
        <div class=comment><p>Not this one.</p></div><div class=comment><p>Nor this.</p></div>";
    let found = extracted(list).comments.unwrap();
    assert_eq!(
        found,
        [comment(Some("Vera"), None, 0, "Our cellar was full of water.")]
    );
}

#[test]
fn notices_about_comments_are_none() {
    for body in [
        "<div id=comments><p>No comments yet, be the first to write one.</p></div>",
        "<div class=comments-link><a href=#c>12 comments</a></div>",
        "<div id=comments><h3>Comments</h3><p>Sign in to write.</p><form class=comment-form><label>Name</label></form></div>",
        "<div class='page with-comments'><p>A line.</p><p>Another line.</p></div>",
    ] {
        assert_eq!(extracted(body).comments.as_deref(), Some(&[][..]), "{body}");
    }
}

/// A page that declares itself a thread, with posts of the given class.
fn thread(class: &str) -> String {
    let post = |who: &str, text: &str| {
        format!(
            "<div class='{class}'><div class=username>{who}</div><div class=body><p>{text}</p></div></div>"
        )
    };
    let posts = [
        post(
            "Vera",
            "How do I dry a cellar after the river was in it for a whole week? The walls are made of stone and lime.",
        ),
        post(
            "Ivan",
            "Open all windows, wait for dry weather, and do not heat it from the inside before June, or the walls crack.",
        ),
        post(
            "Olga",
            "We rented a machine for it, which took a day for every room and was as loud as a train in a tunnel.",
        ),
    ];
    format!(
        "<script type=application/ld+json>{{\"@type\":\"DiscussionForumPosting\",\"headline\":\"Wet cellar\"}}</script>\
         <title>Wet cellar</title><body><h1>Wet cellar</h1><div class=posts>{}</div>",
        posts.join("")
    )
}

#[test]
fn replies_stand_in_the_text_of_a_thread_and_apart() {
    let page = thread("message");
    let options = Options::default().with_comments(true);
    let found = extract(&Page::decoded(&page), &options);
    let writers = |found: &Extracted| -> Vec<_> {
        let comments = found.comments.iter().flatten();
        comments
            .map(|c| (c.author.clone().unwrap_or_default(), c.first))
            .collect()
    };
    let all =
        [("Vera", true), ("Ivan", false), ("Olga", false)].map(|(name, first)| (name.to_owned(), first));
    assert_eq!(writers(&found), all, "the first post is what the others answer");
    assert!(
        found.text.contains("How do I dry") && found.text.contains("We rented"),
        "{}",
        found.text
    );
    let found = extract(&Page::decoded(&page), &options.without_comments(true));
    assert!(
        found.text.contains("How do I dry") && !found.text.contains("We rented"),
        "{}",
        found.text
    );
    assert_eq!(writers(&found), all);
}

#[test]
fn nothing_is_read_unless_asked_for() {
    let page = thread("message");
    assert_eq!(extract(&Page::decoded(&page), &Options::default()).comments, None);
}

/// A thread of the given rows, below a heading.
fn rows(rows: &[String]) -> Vec<Comment> {
    let page = format!(
        "<title>Wet cellar</title><body><h1>Wet cellar</h1><div class=list>{}</div>",
        rows.join("")
    );
    let options = Options::default().with_comments(true);
    extract(&Page::decoded(&page), &options).comments.unwrap()
}

const ANSWERS: [(&str, &str); 3] = [
    (
        "Vera",
        "How do I dry a cellar after the river was in it for a whole week, walls of stone and lime?",
    ),
    (
        "Ivan",
        "Open all windows, wait for dry weather, and do not heat it from the inside before June.",
    ),
    (
        "Olga",
        "We rented a machine for it, which took a day for every room and was loud as a train.",
    ),
];

#[test]
fn the_date_is_that_of_the_post_and_not_that_on_which_a_member_joined() {
    let post = |(i, (who, text)): (usize, &(&str, &str))| {
        format!(
            "<section class='e{i}'><div class=side><a href=/members/{i}/>{who}</a><dl><dt>Joined:</dt><dd>Jan {}, 2001</dd>\
             <dt>Messages:</dt><dd>14{i}</dd></dl></div><div class=main><div>Posted Mar {}, 2012 at 10:11 AM</div><div class=words>{text}</div>\
             <div class=signature>Member since the flood of 1999, and still no wall.</div></div></section>",
            i + 4,
            i + 1
        )
    };
    let found = rows(&ANSWERS.iter().enumerate().map(post).collect::<Vec<_>>());
    let dates: Vec<_> = found
        .iter()
        .map(|c| c.date.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(dates, ["2012-03-01", "2012-03-02", "2012-03-03"], "{found:?}");
    let writers: Vec<_> = found
        .iter()
        .map(|c| c.author.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(writers, ["Vera", "Ivan", "Olga"]);
    let texts: Vec<_> = found.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ANSWERS.map(|(_, text)| text));
}

#[test]
fn a_post_may_be_several_rows_of_a_table() {
    let row = |(i, (who, text)): (usize, &(&str, &str))| {
        format!(
            "<tr><td><a href=/user/{who}>{who}</a>: 1{i}.03.2012 10:11</td></tr><tr><td>{text}</td></tr><tr><td><hr></td></tr>"
        )
    };
    let table = ANSWERS.iter().enumerate().map(row).collect::<String>();
    let found = rows(&[format!("<table>{table}</table>")]);
    let texts: Vec<_> = found
        .iter()
        .map(|c| (c.author.as_deref(), c.text.as_str()))
        .collect();
    assert_eq!(texts, ANSWERS.map(|(who, text)| (Some(who), text)));
}

#[test]
fn teasers_are_no_posts() {
    let teaser = |(i, (who, text)): (usize, &(&str, &str))| {
        format!(
            "<div class=post><h2><a href=/story-{i}>Story number {i} of the flood</a></h2><div class=meta>By <a class=author href=/author/{who}>\
             {who}</a> on March {}, 2012</div><p>{text}</p></div>",
            i + 1
        )
    };
    let found = rows(&ANSWERS.iter().enumerate().map(teaser).collect::<Vec<_>>());
    assert_eq!(found, []);
}

#[test]
fn what_is_answered_is_told_by_links_of_quotations_and_by_names() {
    let post = |(i, (who, text)): (usize, &(&str, &str))| {
        let quoted = match i {
            0 => String::new(),
            _ => "<blockquote><a href='/t#p0'>↑</a> Vera wrote: for a whole week</blockquote>".to_owned(),
        };
        format!(
            "<div class=post id=p{i}><a class=username href=/u/{who}>{who}</a> <time datetime=2012-03-0{}>March</time>\
             <div class=content>{quoted}<p>{text}</p></div></div>",
            i + 1
        )
    };
    let found = rows(&ANSWERS.iter().enumerate().map(post).collect::<Vec<_>>());
    assert_eq!(
        found.iter().map(|c| c.reply_to).collect::<Vec<_>>(),
        [None, Some(0), Some(0)]
    );
    let comment = |(i, (who, text)): (usize, &(&str, &str))| {
        format!(
            "<div class='comment depth-{}'><b class=author>{who}</b> <time datetime=2012-03-0{}>March</time><p>{text}</p></div>",
            i.min(1) + 1,
            i + 1
        )
    };
    let found = rows(&ANSWERS.iter().enumerate().map(comment).collect::<Vec<_>>());
    let places: Vec<_> = found.iter().map(|c| (c.depth, c.reply_to)).collect();
    assert_eq!(places, [(0, None), (1, Some(0)), (1, Some(0))]);
}
