use crate::label::comments::comment::Comment;
use crate::label::comments::signs;
use crate::{Extracted, Options, Page, extract};

const STORY: &str = "<h1>The river rose</h1><p>The river rose by two meters in one night, and the lower streets of the town were under \
    water by noon, so that people carried furniture and books up the stairs to the first floors of their houses.</p>\
    <p>By noon the wind had turned and the water fell a little, so that the ferry could cross again, first empty, then with \
    the mail and at last with the children from the school on the island, who had slept on the benches.</p>\
    <p>The mayor said that the wall would be built this summer, after eleven years of waiting for the money from the capital, \
    and that nobody on the island would have to sleep on a bench again because of some rain in the hills.</p>";

#[test]
fn a_day_of_the_week_before_a_date_is_no_part_of_a_name() {
    for (line, want) in [
        ("Submitted by Marco on Sat, 21/06/2008 - 7:11pm.", "Marco"),
        ("Nora Quay am Mo. 05.03.2012", "Nora Quay"),
        ("Ann, Monday 5 March 2012", "Ann"),
        ("Sun Li 5 March 2012", "Sun Li"),
        ("Sun 5 March 2012", "Sun"),
    ] {
        assert_eq!(signs::name(line).as_deref(), Some(want), "{line}");
    }
}

#[test]
fn labels_of_days_write_no_comments() {
    let page = "<title>State of the pumps</title><h1>State of the pumps</h1><p>Pump: 2.4.7 (cellar), filter 5.5.9, with the long hose</p>\
        <p>Built: Sep 18 2017 16:37:45</p><hr><p>Current time: Friday, 22-Nov-2019 10:15:30</p><p>Restarted: Friday, 22-Nov-2019 09:56:57</p>\
        <p>Checked: Friday, 22-Nov-2019 09:58:57</p><p>Load: 1.22 0.96 0.63 and 1133 runs of all pumps in the cellar since then</p>";
    let found = extract(&Page::decoded(page), &Options::default().with_comments(true));
    assert!(found.comments.is_none_or(|comments| comments.is_empty()));
}

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

/// Five posts: number, writer, day in March 2014, and text.
const POSTS: [(usize, &str, usize, &str); 5] = [
    (
        1,
        "Vera",
        4,
        "How do I dry a cellar after the river was in it for a whole week? The walls are made of lime.",
    ),
    (
        2,
        "Ivan",
        14,
        "Open all windows, wait for dry weather, and do not heat it from the inside before June.",
    ),
    (
        3,
        "Vera",
        15,
        "Thank you! And the floor? It is clay, and it stays as soft as butter when we walk on it.",
    ),
    (
        4,
        "old oak",
        16,
        "We rented a machine for it, which took a day for every room and was as loud as a train.",
    ),
    (
        5,
        "Olga",
        17,
        "Clay needs a summer. Put gravel on it, and some boards, and keep the door open at night.",
    ),
];

/// Writer, day and text of the comments of a page whose body has `row` for each of [`POSTS`], between `above` and `below`.
fn read(
    title: &str,
    above: &str,
    row: impl Fn(usize, &str, usize, &str) -> String,
    below: &str,
) -> Vec<[String; 3]> {
    let posts = POSTS.map(|(i, who, day, text)| row(i, who, day, text)).concat();
    let page = format!("<title>{title}</title><body><h1>{title}</h1>{above}{posts}{below}");
    let found = extract(&Page::decoded(&page), &Options::default().with_comments(true));
    let comments = found.comments.unwrap().into_iter();
    comments
        .map(|c| [c.author.unwrap_or_default(), c.date.unwrap_or_default(), c.text])
        .collect()
}

/// What [`read`] returns if all is right.
fn right() -> Vec<[String; 3]> {
    let posts = POSTS.iter();
    posts
        .map(|(_, who, day, text)| [(*who).to_owned(), format!("2014-03-{day:02}"), (*text).to_owned()])
        .collect()
}

#[test]
fn rows_without_names_hold_name_head_and_text_apart() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<tr><td class='row{}'><span class=name><a name={i}></a><b>{who}</b></span><br><span class=postdetails>Site Admin<br>Joined: \
             12 Jan 2003<br>Posts: 14{i}<br>Location: Riverside</span></td><td class='row{}'><table><tr><td><span class=postdetails>Posted: \
             Mar {day}, 2014 4:58 pm Post subject: Re: Wet cellar, part {i}</span></td><td><a href=q>Quote</a></td></tr><tr><td colspan=2><hr>\
             </td></tr><tr><td colspan=2><span class=postbody>{text}</span></td></tr></table></td></tr><tr><td><a href=#top>Back to top</a>\
             </td><td><a href=profile.php?u={i}><img alt=profile></a></td></tr>",
            i % 2 + 1,
            i % 2 + 1
        )
    };
    let head = "<table class=forumline><tr><th>Author</th><th>Message</th></tr>";
    assert_eq!(read("Wet cellar", head, row, "</table>"), right());
}

#[test]
fn entries_of_guest_books_have_no_names() {
    let bold = |_: usize, who: &str, day: usize, text: &str| {
        format!(
            "<tr><td><b>{who}</b> wrote on March {day}, 2014:</td></tr><tr><td>{text}</td></tr><tr><td><hr></td></tr>"
        )
    };
    let labels = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<tr><td>Name:</td><td>{who}</td></tr><tr><td>Date:</td><td>{day} March 2014</td></tr><tr><td>From:</td><td>Village {i}</td></tr>\
             <tr><td colspan=2>{text}</td></tr>"
        )
    };
    let lines = |i: usize, who: &str, day: usize, text: &str| {
        format!("<p><a href='mailto:x{i}@example.org'>{who}</a> - {day} March 2014<br>{text}</p><hr>")
    };
    let of = |entries: Vec<[String; 3]>| -> Vec<[String; 2]> {
        entries.into_iter().map(|[who, day, _]| [who, day]).collect()
    };
    let title = "Guest book of the river house";
    assert_eq!(of(read(title, "<table>", bold, "</table>")), of(right()), "bold");
    assert_eq!(
        of(read(title, "<table>", labels, "</table>")),
        of(right()),
        "labels"
    );
    assert_eq!(of(read(title, "", lines, "")), of(right()), "lines");
    // News with dates are not entries.
    assert_eq!(
        read("News of the river house", "<table>", labels, "</table>"),
        Vec::<[String; 3]>::new()
    );
}

#[test]
fn a_name_without_markup_is_at_the_same_place_in_all_posts() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<div class=blockpost><h2><a href=#p{i}>2014-03-{day:02} 10:11:12</a></h2><div class=postleft><dl><dt><strong>{who}</strong></dt>\
             <dd class=usertitle><strong>Member</strong></dd><dd>Registered: 2010-01-0{i}</dd><dd>Posts: {i}4</dd></dl></div>\
             <div class=postright><h3>Re: Wet cellar</h3><div class=postmsg><p>{text}</p></div></div></div>"
        )
    };
    assert_eq!(
        read("Wet cellar / Cellars", "<div class=forum>", row, "</div>"),
        right()
    );
}

#[test]
fn names_in_quotations_and_mentions_are_not_the_writer() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        let quote = match i {
            2 | 4 => "<p><a class=username href=/members/1>@Mila</a> <b>Rank</b></p>",
            _ => "",
        };
        format!(
            "<div class=post><div class=body>{quote}<p>{text}</p></div><div class=side><b><a href=/members/{who}>{who}</a></b> <a \
             href=/members/{who}>View profile</a> <time datetime=2014-03-{day:02}>March</time></div></div>"
        )
    };
    let found = read("Wet cellar", "<div class=thread>", row, "</div>");
    let names: Vec<_> = found.iter().map(|[who, ..]| who.as_str()).collect();
    assert_eq!(names, POSTS.map(|(_, who, ..)| who));
}

#[test]
fn a_day_in_the_text_or_of_a_change_is_not_the_date() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<tr><td><a href=/u/{i}/{who}>{who}</a><div style='margin:1em'>{text}<br>Born: June {i}, 197{i}</div><small><span class=xdate>\
             3/{day}/2014</span>. Edited 4/2{i}/2014 #{i}</small></td></tr>"
        )
    };
    let found = read("Wet cellar", "<table class=forum>", row, "</table>");
    let days: Vec<_> = found.iter().map(|[_, day, _]| day.as_str()).collect();
    // The first day could be in March or April; the others cannot.
    assert_eq!(
        days,
        [
            "2014-03-04",
            "2014-03-14",
            "2014-03-15",
            "2014-03-16",
            "2014-03-17"
        ],
        "{found:?}"
    );
}

#[test]
fn an_icon_without_an_end_tag_hides_no_posts() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<article class=message><div><h4 class=username>{who}</h4></div><time datetime=2014-03-{day:02}>March</time><ul><li><a \
             href=/share/{i}><i class=icon aria-hidden=true /></a></li></ul><div class=message-body>{text}</div></article>"
        )
    };
    assert_eq!(read("Wet cellar", "", row, ""), right());
}

#[test]
fn classes_beside_a_role_and_classes_that_alternate_do_not_matter() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<div class='topic-post comment has-profile byuser'><div class='{}'><div class=reply-author><a class='username rank--bold' href=/m/{i}>{who}</a>\
             <time datetime=2014-03-{day:02}>March</time></div><div class=reply-content><p>Hello.<br>{text}</p></div></div></div>",
            if i.is_multiple_of(2) { "even" } else { "odd" }
        )
    };
    let mut want = right();
    want.iter_mut()
        .for_each(|[_, _, text]| *text = format!("Hello.\n{text}"));
    let found = read("Wet cellar", "<div id=topic>", row, "</div>");
    // A greeting that all posts share is taken for a label.
    let texts: Vec<_> = found
        .iter()
        .map(|[who, day, text]| (who, day, text.ends_with('.')))
        .collect();
    let wanted: Vec<_> = want.iter().map(|[who, day, _]| (who, day, true)).collect();
    assert_eq!(texts, wanted);
}

#[test]
fn boxes_that_share_the_name_of_posts_are_not_posts() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        format!(
            "<div class=windowbg><div class=poster><a href='/x?action=profile;u={i}'>{who}</a></div><div class=smalltext>Mar {day}, 2014, 10:11 \
             AM</div><div class=inner>{text}</div></div>"
        )
    };
    let above = "<div class=windowbg>Welcome, guest. Please enter the forum or become a member of it.</div>";
    assert_eq!(read("Wet cellar", above, row, ""), right());
}

#[test]
fn one_post_with_another_subject_makes_no_teasers_of_the_others() {
    let row = |i: usize, who: &str, day: usize, text: &str| {
        let subject = if i == 5 {
            "Cheap gravel for all of you"
        } else {
            "Wet cellar after the flood"
        };
        format!(
            "<div class=message><table><tr><td><div class=message-author><a href='/profile?{i}'>{who}</a></div><small><b><a href='/read?{i}'>{subject}\
             </a></b><br>{day}-March-2014 20:1{i}</small></td></tr></table><div class=message-body>{text}</div></div>"
        )
    };
    assert_eq!(read("Wet cellar after the flood", "", row, ""), right());
}

#[test]
fn the_opening_post_begins_below_the_title() {
    let reply = |_: usize, who: &str, day: usize, text: &str| {
        format!(
            "<li class=comment><a class=username href=/u/{who}>{who}</a> <time datetime=2014-03-{day:02}>March</time><div class=body>{text}</div>\
             </li>"
        )
    };
    let question = "Can anyone help with this please? My cellar was under water for a week, and the walls are still wet.";
    let above = format!(
        "<div class='item forumite'><a class=username href=/u/Mila>Mila</a> <time datetime=2014-03-02>March 2</time><div class=question><p>\
         {question}</p></div></div><ul class=comments>"
    );
    let replies = POSTS.map(|(i, who, day, text)| reply(i, who, day, text)).concat();
    let page = format!(
        "<title>Wet cellar</title><body><main><div class=notice><p>The town asks all readers to keep the river wall clear of boats and carts, \
         this week and the next.</p></div><h1>Wet cellar</h1>{above}{replies}</ul></main>"
    );
    let found = extract(&Page::decoded(&page), &Options::default().with_comments(true));
    let comments = found.comments.unwrap();
    let opening = &comments[0];
    assert_eq!(
        (opening.author.as_deref(), opening.date.as_deref(), opening.first),
        (Some("Mila"), Some("2014-03-02"), true)
    );
    assert_eq!(opening.text, question);
    assert_eq!(comments.len(), 6);
}

/// A text with two comments, below the path to it.
fn below_path(path: &str, comments: &str, one: &str) -> String {
    let comment = |who: &str, text: &str| {
        format!(
            "<div class='{one}'><div class=submitted>Submitted by <a href=/user/{who}>{who}</a> on 25/08/2013 - 16:59</div>\
             <div class=content><p>{text}</p></div></div>"
        )
    };
    format!(
        "<title>Wet cellar</title><body>{path}<h1>Wet cellar</h1><div class=node><p>The river was in our cellar for a whole week, and the \
         walls of it are made of stone and lime, so that they have not dried since.</p><p>Does anybody know what to do about it before \
         the winter comes?</p></div><div id={comments}>{}{}</div>",
        comment(
            "Ivan",
            "Open all windows, wait for dry weather, and do not heat it from the inside before June, or the walls crack."
        ),
        comment(
            "Olga",
            "We rented a machine for it, which took a day for every room and was as loud as a train in a tunnel."
        ),
    )
}

#[test]
fn comments_below_the_path_of_a_forum_are_the_subject() {
    for (path, comments, one) in [
        (
            "<div class=breadcrumb><a href=/>Home</a> » <a href=/forum>Forums</a> » <a href=/forum/4>Hardware</a></div>",
            "comments",
            "comment",
        ),
        (
            "<ul id=breadcrumbs><li><a href=/>Haus</a><li><a href=/f>Foren</a><li><a href=/f/4>Keller</a></ul>",
            "kommentare",
            "comment-item",
        ),
        (
            "<nav aria-label=path class=site-crumbs><a href=/>Главная</a> / <a href=/t>Форум</a></nav>",
            "comments-area",
            "comment-body",
        ),
    ] {
        let text = |page: &str| extract(&Page::decoded(page), &Options::default()).text;
        let thread = text(&below_path(path, comments, one));
        assert!(
            thread.contains("whole week") && thread.contains("Open all windows"),
            "{thread}"
        );
        // The same comments below an article: a site whose name has the word "forum" is not a thread.
        for path in [
            "",
            "<div class=breadcrumb><a href=/>Home</a> » <a href=/n>News of the forum for the valley</a></div>",
        ] {
            let article = text(&below_path(path, comments, one));
            assert!(
                article.contains("whole week") && !article.contains("Open all windows"),
                "{article}"
            );
        }
    }
}
