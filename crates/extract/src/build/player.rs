//! Videos and sounds of the page, and the addresses at which a reader can play them.

use crate::analysis::blocks::elements::is_player_element;
use crate::build::formula::percent_decoded;
use crate::build::image::{address, title};
use crate::document::PlayerKind;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::Address;

/// Maximum number of elements inside a player that are searched for its source.
const MAX_INSIDE: usize = 64;

/// A video or sound found in the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundPlayer {
    pub(super) kind: PlayerKind,
    /// Address as written in the page, or address of the page that plays it; `None` if only a poster is
    /// known.
    pub(super) src: Option<String>,
    /// Address of the image shown before playing.
    pub(super) poster: Option<String>,
    pub(super) title: Option<String>,
}

/// Video or sound that an element plays; `None` if it plays nothing or if its player is unknown.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<FoundPlayer> {
    let tag = dom.html_tag(id)?;
    if !is_player_element(dom, id, tag) {
        return None;
    }
    let title = || {
        ["title", "aria-label", "playlabel"]
            .iter()
            .find_map(|name| own_title(dom, id, name))
    };
    let name = dom.name(id);
    if matches!(tag, Tag::VIDEO | Tag::AUDIO) || matches!(name, "amp-video" | "amp-audio") {
        // Pages that load players lazily keep the address in `data-src`.
        let src = ["src", "data-src"].iter().find_map(|name| address(dom, id, name));
        let src = src.or_else(|| of_source(dom, id));
        let poster = ["poster", "data-poster"]
            .iter()
            .find_map(|name| address(dom, id, name));
        let kind = match name {
            "audio" | "amp-audio" => PlayerKind::Audio,
            _ => PlayerKind::Video,
        };
        (src.is_some() || poster.is_some()).then_some(())?;
        return Some(FoundPlayer {
            kind,
            src,
            poster,
            title: title(),
        });
    }
    let (kind, src) = match name {
        "lite-youtube" | "amp-youtube" => (
            PlayerKind::Video,
            watch("https://www.youtube.com/watch?v=", &code(dom, id)?),
        ),
        "lite-vimeo" | "amp-vimeo" => (PlayerKind::Video, watch("https://vimeo.com/", &code(dom, id)?)),
        "amp-dailymotion" => (
            PlayerKind::Video,
            watch("https://www.dailymotion.com/video/", &code(dom, id)?),
        ),
        _ => {
            let names = [
                "src",
                "data-src",
                "data-lazy-src",
                "data-cookieblock-src",
                "data-cmp-src",
                "data",
            ];
            // The element's own address first; an `object` may give it in a `param` or `embed` inside.
            let own = names.iter().find_map(|name| known(&address(dom, id, name)?));
            own.or_else(|| inside(dom, id).find_map(|at| known(&movie(dom, at)?)))?
        }
    };
    Some(FoundPlayer {
        kind,
        src: Some(src),
        poster: None,
        title: title(),
    })
}

/// Nodes below an element, at most `MAX_INSIDE`.
fn inside<'d>(dom: &'d Dom<'_>, id: NodeId) -> impl Iterator<Item = NodeId> + 'd {
    dom.preorder(id).skip(1).take(MAX_INSIDE)
}

/// Address of the first `source` of a video or sound.
fn of_source(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let mut sources = inside(dom, id).filter(|at| dom.html_tag(*at) == Some(Tag::SOURCE));
    sources.find_map(|at| address(dom, at, "src").or_else(|| address(dom, at, "data-src")))
}

/// Address in an element inside an `object`: a `param`, or the fallback `embed`. `None` for other elements.
fn movie(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    match dom.html_tag(id)? {
        Tag::EMBED => address(dom, id, "src"),
        Tag::PARAM => {
            let name = dom.short_attr(id, "name", 16)?;
            let is_movie = ["movie", "src"]
                .iter()
                .any(|movie| name.eq_ignore_ascii_case(movie));
            is_movie.then(|| address(dom, id, "value")).flatten()
        }
        _ => None,
    }
}

/// Id of the video in a `lite-youtube`, `amp-vimeo` or similar element; `None` if it is missing or
/// malformed.
fn code(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let code = ["videoid", "data-videoid"]
        .iter()
        .find_map(|name| dom.short_attr(id, name, 64))?;
    is_code(code.trim()).then(|| code.trim().to_owned())
}

/// Whether a text can be a video id: letters, digits and signs that need no escape in an address.
fn is_code(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Address of the page of a video.
fn watch(page: &str, code: &str) -> String {
    format!("{page}{code}")
}

/// Rule that turns the address of a frame into the address of the page that plays the same video.
#[derive(Clone, Copy)]
enum Page {
    /// The address of the frame itself, which also plays in a window of its own.
    Frame,
    /// This address, followed by the part of the path after the prefix.
    Path(&'static str),
    /// This address, followed by the next segment of the path after the prefix.
    Code(&'static str),
    /// This address, followed by the value of this parameter.
    Value(&'static str, &'static str),
    /// The value of this parameter is the address.
    Given(&'static str),
    /// This address, followed by the values of two parameters with `_` between.
    Pair(&'static str, &'static str, &'static str),
}

/// Known players: host (its subdomains match, too), start of the path, kind, rule for the page.
///
/// The first match counts: `/embed/videoseries` stands before `/embed/`.
const PLAYERS: &[(&str, &str, PlayerKind, Page)] = &[
    (
        "youtube.com",
        "/embed/videoseries",
        PlayerKind::Video,
        Page::Value("https://www.youtube.com/playlist?list=", "list"),
    ),
    (
        "youtube-nocookie.com",
        "/embed/videoseries",
        PlayerKind::Video,
        Page::Value("https://www.youtube.com/playlist?list=", "list"),
    ),
    (
        "youtube.com",
        "/embed/",
        PlayerKind::Video,
        Page::Code("https://www.youtube.com/watch?v="),
    ),
    (
        "youtube-nocookie.com",
        "/embed/",
        PlayerKind::Video,
        Page::Code("https://www.youtube.com/watch?v="),
    ),
    (
        "youtube.com",
        "/v/",
        PlayerKind::Video,
        Page::Code("https://www.youtube.com/watch?v="),
    ),
    (
        "youtube-nocookie.com",
        "/v/",
        PlayerKind::Video,
        Page::Code("https://www.youtube.com/watch?v="),
    ),
    (
        "player.vimeo.com",
        "/video/",
        PlayerKind::Video,
        Page::Code("https://vimeo.com/"),
    ),
    (
        "vimeo.com",
        "/moogaloop.swf",
        PlayerKind::Video,
        Page::Value("https://vimeo.com/", "clip_id"),
    ),
    (
        "dailymotion.com",
        "/embed/video/",
        PlayerKind::Video,
        Page::Code("https://www.dailymotion.com/video/"),
    ),
    (
        "dailymotion.com",
        "/swf/video/",
        PlayerKind::Video,
        Page::Code("https://www.dailymotion.com/video/"),
    ),
    (
        "dailymotion.com",
        "/player",
        PlayerKind::Video,
        Page::Value("https://www.dailymotion.com/video/", "video"),
    ),
    (
        "embed.ted.com",
        "/talks/",
        PlayerKind::Video,
        Page::Path("https://www.ted.com/talks/"),
    ),
    (
        "player.bilibili.com",
        "/player.html",
        PlayerKind::Video,
        Page::Value("https://www.bilibili.com/video/", "bvid"),
    ),
    ("player.youku.com", "/embed/", PlayerKind::Video, Page::Frame),
    (
        "v.qq.com",
        "/txp/iframe/player.html",
        PlayerKind::Video,
        Page::Frame,
    ),
    (
        "embed.nicovideo.jp",
        "/watch/",
        PlayerKind::Video,
        Page::Code("https://www.nicovideo.jp/watch/"),
    ),
    (
        "rutube.ru",
        "/play/embed/",
        PlayerKind::Video,
        Page::Code("https://rutube.ru/video/"),
    ),
    (
        "rutube.ru",
        "/video/embed/",
        PlayerKind::Video,
        Page::Code("https://rutube.ru/video/"),
    ),
    (
        "vk.com",
        "/video_ext.php",
        PlayerKind::Video,
        Page::Pair("https://vk.com/video", "oid", "id"),
    ),
    (
        "vkvideo.ru",
        "/video_ext.php",
        PlayerKind::Video,
        Page::Pair("https://vkvideo.ru/video", "oid", "id"),
    ),
    (
        "ok.ru",
        "/videoembed/",
        PlayerKind::Video,
        Page::Code("https://ok.ru/video/"),
    ),
    (
        "facebook.com",
        "/plugins/video.php",
        PlayerKind::Video,
        Page::Given("href"),
    ),
    ("tiktok.com", "/embed/", PlayerKind::Video, Page::Frame),
    ("tiktok.com", "/player/", PlayerKind::Video, Page::Frame),
    ("player.twitch.tv", "/", PlayerKind::Video, Page::Frame),
    (
        "clips.twitch.tv",
        "/embed",
        PlayerKind::Video,
        Page::Value("https://clips.twitch.tv/", "clip"),
    ),
    (
        "streamable.com",
        "/e/",
        PlayerKind::Video,
        Page::Code("https://streamable.com/"),
    ),
    (
        "streamable.com",
        "/o/",
        PlayerKind::Video,
        Page::Code("https://streamable.com/"),
    ),
    (
        "loom.com",
        "/embed/",
        PlayerKind::Video,
        Page::Code("https://www.loom.com/share/"),
    ),
    ("wistia.net", "/embed/", PlayerKind::Video, Page::Frame),
    ("wistia.com", "/embed/", PlayerKind::Video, Page::Frame),
    ("vidyard.com", "/", PlayerKind::Video, Page::Frame),
    ("players.brightcove.net", "/", PlayerKind::Video, Page::Frame),
    ("cdn.jwplayer.com", "/players/", PlayerKind::Video, Page::Frame),
    (
        "content.jwplatform.com",
        "/players/",
        PlayerKind::Video,
        Page::Frame,
    ),
    (
        "iframe.mediadelivery.net",
        "/embed/",
        PlayerKind::Video,
        Page::Frame,
    ),
    (
        "odysee.com",
        "/$/embed/",
        PlayerKind::Video,
        Page::Path("https://odysee.com/"),
    ),
    ("rumble.com", "/embed/", PlayerKind::Video, Page::Frame),
    (
        "bitchute.com",
        "/embed/",
        PlayerKind::Video,
        Page::Code("https://www.bitchute.com/video/"),
    ),
    (
        "archive.org",
        "/embed/",
        PlayerKind::Video,
        Page::Path("https://archive.org/details/"),
    ),
    (
        "w.soundcloud.com",
        "/player",
        PlayerKind::Audio,
        Page::Given("url"),
    ),
    (
        "open.spotify.com",
        "/embed/",
        PlayerKind::Audio,
        Page::Path("https://open.spotify.com/"),
    ),
    (
        "open.spotify.com",
        "/embed-podcast/",
        PlayerKind::Audio,
        Page::Path("https://open.spotify.com/"),
    ),
    (
        "embed.podcasts.apple.com",
        "/",
        PlayerKind::Audio,
        Page::Path("https://podcasts.apple.com/"),
    ),
    (
        "embed.music.apple.com",
        "/",
        PlayerKind::Audio,
        Page::Path("https://music.apple.com/"),
    ),
    ("bandcamp.com", "/EmbeddedPlayer", PlayerKind::Audio, Page::Frame),
    ("mixcloud.com", "/widget/iframe/", PlayerKind::Audio, Page::Frame),
    ("widget.deezer.com", "/", PlayerKind::Audio, Page::Frame),
    ("player.simplecast.com", "/", PlayerKind::Audio, Page::Frame),
    (
        "html5-player.libsyn.com",
        "/embed/",
        PlayerKind::Audio,
        Page::Frame,
    ),
    ("play.libsyn.com", "/embed/", PlayerKind::Audio, Page::Frame),
    ("buzzsprout.com", "/", PlayerKind::Audio, Page::Frame),
    ("player.megaphone.fm", "/", PlayerKind::Audio, Page::Frame),
    ("embed.acast.com", "/", PlayerKind::Audio, Page::Frame),
    ("share.transistor.fm", "/e/", PlayerKind::Audio, Page::Frame),
    ("podbean.com", "/player", PlayerKind::Audio, Page::Frame),
    ("omny.fm", "/shows/", PlayerKind::Audio, Page::Frame),
    ("anchor.fm", "/", PlayerKind::Audio, Page::Frame),
];

/// Kind and page of a known player, from the address of its frame; `None` if the player is unknown.
fn known(src: &str) -> Option<(PlayerKind, String)> {
    // `//host/...` is read as HTTPS. Relative addresses have no host, so they match no known player.
    let absolute = match src.strip_prefix("//") {
        Some(rest) => format!("https://{rest}"),
        None => src.to_owned(),
    };
    let address = Address::split(&absolute).filter(|address| {
        ["http", "https"]
            .iter()
            .any(|scheme| address.scheme.eq_ignore_ascii_case(scheme))
    })?;
    let host = address.host().to_ascii_lowercase();
    let (path, query) = address
        .path_and_query
        .split_once('?')
        .unwrap_or((address.path_and_query, ""));
    // `www.youtube.com` is the host `youtube.com`; `notyoutube.com` is not.
    let is_host = |known: &str| {
        host.strip_suffix(known)
            .is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let found = PLAYERS
        .iter()
        .find(|(known, start, ..)| is_host(known) && path.starts_with(start));
    let Some((_, start, kind, page)) = found else {
        // PeerTube runs on any host. Its ids are UUIDs: 36 characters, or 22 in the short form.
        let code = path
            .strip_prefix("/videos/embed/")
            .filter(|code| code.len() >= 22 && is_code(code))?;
        return Some((
            PlayerKind::Video,
            format!("{}://{}/videos/watch/{code}", address.scheme, address.authority),
        ));
    };
    // Pages that escape `&` twice leave `amp;` before the name.
    let value = |name: &str| {
        let pairs = query
            .split('&')
            .map(|pair| pair.strip_prefix("amp;").unwrap_or(pair));
        let value = pairs
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)?
            .1;
        Some(percent_decoded(value)).filter(|value| !value.trim().is_empty())
    };
    let coded = |name: &str| value(name).filter(|value| is_code(value));
    // `find` has checked that the path begins with `start`.
    let rest = &path[start.len()..];
    // Without a valid id, the frame itself is the page.
    let own = || Some(absolute.clone());
    let page = match *page {
        Page::Frame => own(),
        Page::Path(page) => {
            let rest = rest.trim_end_matches('/');
            if rest.is_empty() {
                own()
            } else {
                Some(format!("{page}{rest}"))
            }
        }
        Page::Code(page) => {
            // Flash players append parameters with `&`: `/v/abc&hl=en`.
            let code = rest.split(['/', '&']).next().unwrap_or_default();
            if is_code(code) {
                Some(watch(page, code))
            } else {
                own()
            }
        }
        Page::Value(page, name) => coded(name).map(|code| watch(page, &code)).or_else(own),
        Page::Given(name) => value(name)
            // API addresses such as `https://api.soundcloud.com/tracks/1` show nothing to a reader.
            .filter(|value| dehusk_html::url::is_web(value) && !value.contains("://api."))
            .or_else(own),
        Page::Pair(page, first, second) => match (coded(first), coded(second)) {
            (Some(first), Some(second)) => Some(format!("{page}{first}_{second}")),
            _ => own(),
        },
    };
    page.map(|page| (*kind, page))
}

/// Title in an attribute; `None` if it is missing or only names the player.
fn own_title(dom: &Dom<'_>, id: NodeId, name: &str) -> Option<String> {
    let title = title(dom, id, name)?;
    // Some titles begin with the player: `Spotify Embed: On mills`.
    let title = match title.split_once(": ") {
        Some((player, rest)) if names_player(player) => rest.trim(),
        _ => &title,
    };
    (!title.is_empty() && !names_player(title)).then(|| title.to_owned())
}

/// Whether all words of a title describe the player: `YouTube video player`, `Embedded content`.
fn names_player(title: &str) -> bool {
    const WORDS: &[&str] = &[
        "youtube",
        "vimeo",
        "dailymotion",
        "spotify",
        "soundcloud",
        "wistia",
        "bandcamp",
        "player",
        "video",
        "videos",
        "audio",
        "podcast",
        "music",
        "media",
        "embed",
        "embedded",
        "iframe",
        "frame",
        "content",
        "widget",
        "playlist",
        "from",
        "the",
        "a",
        "of",
        "play",
        "on",
        "html5",
        "vidéo",
        "lecteur",
        "видео",
        "плеер",
        "видеоплеер",
        "reproductor",
        "de",
        "vídeo",
        "動画",
        "视频",
        "播放器",
    ];
    let mut words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.all(|word| {
        WORDS.contains(&word.to_lowercase().as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use dehusk_html::Parser;

    use super::*;

    #[test]
    fn the_page_of_a_known_player_is_found() {
        for (src, want) in [
            (
                "https://www.youtube.com/embed/a-B_3?rel=0&autoplay=1",
                "https://www.youtube.com/watch?v=a-B_3",
            ),
            (
                "//www.youtube-nocookie.com/embed/xyz",
                "https://www.youtube.com/watch?v=xyz",
            ),
            (
                "https://youtube.com/embed/videoseries?si=1&amp;list=PL9",
                "https://www.youtube.com/playlist?list=PL9",
            ),
            (
                "http://www.youtube.com/v/abc&hl=en",
                "https://www.youtube.com/watch?v=abc",
            ),
            (
                "https://player.vimeo.com/video/77?h=0#t=5",
                "https://vimeo.com/77",
            ),
            (
                "https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/u/t&color=f",
                "https://soundcloud.com/u/t",
            ),
            (
                "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1",
                "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1",
            ),
            (
                "https://open.spotify.com/embed/episode/4a?utm=x",
                "https://open.spotify.com/episode/4a",
            ),
            (
                "https://vk.com/video_ext.php?oid=-5&id=6&hash=1",
                "https://vk.com/video-5_6",
            ),
            (
                "https://tube.example/videos/embed/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f",
                "https://tube.example/videos/watch/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f",
            ),
            (
                "https://www.facebook.com/plugins/video.php?href=javascript:x",
                "https://www.facebook.com/plugins/video.php?href=javascript:x",
            ),
        ] {
            assert_eq!(known(src).map(|(_, page)| page).as_deref(), Some(want), "{src}");
        }
        for src in [
            "https://www.googletagmanager.com/ns.html?id=x",
            "https://notyoutube.com/embed/x",
            "https://www.facebook.com/plugins/like.php?href=x",
            "/embed/x",
            "javascript:void(0)",
            "https://ads.example/videos/embed/x",
        ] {
            assert_eq!(known(src), None, "{src}");
        }
    }

    fn found(html: &str) -> Option<FoundPlayer> {
        let (dom, _) = Parser::default().parse(html);
        dom.preorder(NodeId::DOCUMENT).find_map(|id| read(&dom, id))
    }

    #[test]
    fn sources_posters_and_titles_are_found() {
        let player = |kind, src: Option<&str>, poster: Option<&str>, title: Option<&str>| FoundPlayer {
            kind,
            src: src.map(str::to_owned),
            poster: poster.map(str::to_owned),
            title: title.map(str::to_owned),
        };
        let (video, audio) = (PlayerKind::Video, PlayerKind::Audio);
        for (html, want) in [
            (
                "<video poster=p.jpg title='A tour'><source src=a.webm><source src=b.mp4>No.</video>",
                player(video, Some("a.webm"), Some("p.jpg"), Some("A tour")),
            ),
            ("<video poster=p.jpg>", player(video, None, Some("p.jpg"), None)),
            (
                "<audio src=a.mp3 aria-label=audio></audio>",
                player(audio, Some("a.mp3"), None, None),
            ),
            (
                "<iframe src='about:blank' data-src='//www.youtube.com/embed/x' title='YouTube video player'>",
                player(video, Some("https://www.youtube.com/watch?v=x"), None, None),
            ),
            (
                "<iframe src='https://open.spotify.com/embed/episode/4' title='Spotify Embed: On mills'>",
                player(
                    audio,
                    Some("https://open.spotify.com/episode/4"),
                    None,
                    Some("On mills"),
                ),
            ),
            (
                "<object><param name=movie value='http://www.youtube.com/v/x'><embed src='http://www.youtube.com/v/y'></object>",
                player(video, Some("https://www.youtube.com/watch?v=x"), None, None),
            ),
            (
                "<lite-youtube videoid=x playlabel='Play: Mills'></lite-youtube>",
                player(
                    video,
                    Some("https://www.youtube.com/watch?v=x"),
                    None,
                    Some("Mills"),
                ),
            ),
            (
                "<amp-vimeo data-videoid=5></amp-vimeo>",
                player(video, Some("https://vimeo.com/5"), None, None),
            ),
        ] {
            assert_eq!(found(html), Some(want), "{html}");
        }
        for html in [
            "<video></video>",
            "<video src=blob:x></video>",
            "<iframe src=/form></iframe>",
            "<object data=a.swf></object>",
            "<lite-youtube videoid='a\"b'>",
        ] {
            assert_eq!(found(html), None, "{html}");
        }
    }
}
