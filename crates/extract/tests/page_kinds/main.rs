//! Kinds of pages on which `default` has gone wrong: portals whose feeds stand between paragraphs, and pages without main text.

mod shops;

use dehusk_extract::{Extracted, Options, Page, WarningKind, extract};

fn default(html: &str) -> Extracted {
    extract(&Page::decoded(html), &Options::default())
}

/// Returns a page whose middle stands between the menu and the footer of a shop.
fn around(middle: &str) -> String {
    let menu = |names: &[&str]| -> String {
        names
            .iter()
            .map(|name| format!("<li><a href=\"/{name}\">{name}</a></li>"))
            .collect()
    };
    let top = menu(&[
        "Home", "Sale", "Shoes", "Coats", "Gifts", "Help", "Stores", "Returns", "Sizes", "Cart",
    ]);
    let foot = menu(&[
        "About us", "Careers", "Press", "Privacy", "Terms", "Imprint", "Contact", "Cookies",
    ]);
    format!(
        "<!doctype html><title>Shop</title><body><header><nav class=menu><ul>{top}</ul></nav></header><main>{middle}</main>\
         <footer class=footer><ul class=footer-links>{foot}</ul><p class=copyright>© 2024 Shop. All rights reserved.</p></footer></body>"
    )
}

/// A page of a news portal: menu, story with related items between its paragraphs, feed, footer.
struct Portal {
    language: &'static str,
    menu: &'static [&'static str],
    title: &'static str,
    byline: &'static str,
    date: &'static str,
    paragraphs: [&'static str; 4],
    caption: &'static str,
    credit: &'static str,
    related: &'static str,
    subscribe: &'static str,
    feed: [&'static str; 4],
    /// First sentences of the stories of the feed.
    summaries: [&'static str; 4],
    typo: &'static str,
    footer: &'static str,
}

const RUSSIAN: Portal = Portal {
    language: "ru",
    menu: &[
        "Главная",
        "Политика",
        "Общество",
        "Спорт",
        "Культура",
        "Видео",
        "Фото",
    ],
    title: "Река вышла из берегов у старой мельницы",
    byline: "Автор: Анна Лисицына",
    date: "5 марта 2024, 14:30",
    paragraphs: [
        "Ночью вода в реке поднялась на два метра, и к полудню мельница стояла в воде. Дорога в город была закрыта до вечера следующего дня.",
        "По словам жителей, такого паводка в этих местах не было с середины прошлого века. «Мы успели вывести скотину и вынести книги», — рассказал мельник.",
        "Спасатели привезли лодки и насосы. К утру вода начала уходить, но подвалы десяти домов ещё затоплены, и работы продолжаются.",
        "Администрация обещает восстановить мост к началу лета. Решение о помощи пострадавшим должны принять на этой неделе.",
    ],
    caption: "Мельница утром во вторник",
    credit: "Фото: РИА Новости",
    related: "Читайте также: Мост старого города закрыли на ремонт до осени",
    subscribe: "Подпишитесь на наш Telegram-канал, чтобы узнавать новости первыми",
    feed: [
        "В музее открылась выставка старых карт города",
        "Хоккейная команда проиграла третий матч подряд",
        "На рынке подорожали яблоки и мёд нового урожая",
        "Школьники посадили сто деревьев у вокзала",
    ],
    summaries: [
        "Выставка продлится до конца месяца, вход на неё свободный для школьников и студентов.",
        "Решающая шайба влетела в ворота за минуту до конца основного времени встречи.",
        "По сравнению с прошлым годом килограмм яблок стоит на треть дороже, подсчитали в управлении торговли.",
        "Саженцы лип и клёнов привезли из питомника, расположенного в соседнем районе области.",
    ],
    typo: "Нашли ошибку? Выделите её и нажмите Ctrl+Enter",
    footer: "© 2024 Городские новости. Все права защищены. Использование материалов только со ссылкой на источник.",
};

const UKRAINIAN: Portal = Portal {
    language: "uk",
    menu: &[
        "Головна",
        "Політика",
        "Суспільство",
        "Спорт",
        "Культура",
        "Відео",
        "Фото",
    ],
    title: "Річка вийшла з берегів біля старого млина",
    byline: "Автор: Ганна Лисиця",
    date: "5 березня 2024, 14:30",
    paragraphs: [
        "Уночі вода в річці піднялася на два метри, і до полудня млин стояв у воді. Дорога до міста була закрита до вечора наступного дня.",
        "За словами мешканців, такої повені тут не було з середини минулого століття. «Ми встигли вивести худобу й винести книги», — розповів мельник.",
        "Рятувальники привезли човни та насоси. До ранку вода почала спадати, але підвали десяти будинків ще затоплені, і роботи тривають.",
        "Адміністрація обіцяє відбудувати міст до початку літа. Рішення про допомогу постраждалим мають ухвалити цього тижня.",
    ],
    caption: "Млин уранці у вівторок",
    credit: "Фото: Укрінформ",
    related: "Читайте також: Міст старого міста закрили на ремонт до осені",
    subscribe: "Підписуйтесь на наш Telegram-канал, щоб дізнаватися новини першими",
    feed: [
        "У музеї відкрилася виставка старих мап міста",
        "Хокейна команда програла третій матч поспіль",
        "На ринку подорожчали яблука та мед нового врожаю",
        "Школярі посадили сто дерев біля вокзалу",
    ],
    summaries: [
        "Виставка триватиме до кінця місяця, вхід на неї вільний для школярів і студентів.",
        "Вирішальна шайба влетіла у ворота за хвилину до кінця основного часу зустрічі.",
        "Порівняно з минулим роком кілограм яблук коштує на третину дорожче, підрахували в управлінні торгівлі.",
        "Саджанці лип і кленів привезли з розсадника, розташованого в сусідньому районі області.",
    ],
    typo: "Знайшли помилку? Виділіть її та натисніть Ctrl+Enter",
    footer: "© 2024 Міські новини. Усі права захищено. Використання матеріалів лише з посиланням на джерело.",
};

const BELARUSIAN: Portal = Portal {
    language: "be",
    menu: &[
        "Галоўная",
        "Палітыка",
        "Грамадства",
        "Спорт",
        "Культура",
        "Відэа",
        "Фота",
    ],
    title: "Рака выйшла з берагоў каля старога млына",
    byline: "Аўтар: Ганна Лісіца",
    date: "5 сакавіка 2024, 14:30",
    paragraphs: [
        "Уначы вада ў рацэ паднялася на два метры, і да поўдня млын стаяў у вадзе. Дарога ў горад была закрытая да вечара наступнага дня.",
        "Паводле слоў жыхароў, такой паводкі тут не было з сярэдзіны мінулага стагоддзя. «Мы паспелі вывесці жывёлу і вынесці кнігі», — расказаў млынар.",
        "Ратавальнікі прывезлі лодкі і помпы. Да раніцы вада пачала сыходзіць, але падвалы дзесяці дамоў яшчэ затопленыя, і работы працягваюцца.",
        "Адміністрацыя абяцае аднавіць мост да пачатку лета. Рашэнне пра дапамогу пацярпелым павінны прыняць на гэтым тыдні.",
    ],
    caption: "Млын раніцай у аўторак",
    credit: "Фота: БелТА",
    related: "Чытайце таксама: Мост старога горада закрылі на рамонт да восені",
    subscribe: "Падпісвайцеся на наш Telegram-канал, каб даведвацца пра навіны першымі",
    feed: [
        "У музеі адкрылася выстава старых мап горада",
        "Хакейная каманда прайграла трэці матч запар",
        "На рынку падаражэлі яблыкі і мёд новага ўраджаю",
        "Школьнікі пасадзілі сто дрэў каля вакзала",
    ],
    summaries: [
        "Выстава будзе працаваць да канца месяца, уваход на яе вольны для школьнікаў і студэнтаў.",
        "Рашаючая шайба заляцела ў вароты за хвіліну да канца асноўнага часу сустрэчы.",
        "У параўнанні з мінулым годам кілаграм яблыкаў каштуе на траціну даражэй, падлічылі ва ўпраўленні гандлю.",
        "Саджанцы ліп і клёнаў прывезлі з гадавальніка, размешчанага ў суседнім раёне вобласці.",
    ],
    typo: "Знайшлі памылку? Вылучыце яе і націсніце Ctrl+Enter",
    footer: "© 2024 Гарадскія навіны. Усе правы абаронены. Выкарыстанне матэрыялаў толькі са спасылкай на крыніцу.",
};

const KAZAKH: Portal = Portal {
    language: "kk",
    menu: &[
        "Басты бет",
        "Саясат",
        "Қоғам",
        "Спорт",
        "Мәдениет",
        "Видео",
        "Фото",
    ],
    title: "Ескі диірменнің жанында өзен арнасынан асты",
    byline: "Авторы: Айгүл Сейітова",
    date: "2024 жылғы 5 наурыз, 14:30",
    paragraphs: [
        "Түнде өзендегі су екі метрге көтеріліп, түске қарай диірмен суда тұрды. Қалаға баратын жол келесі күннің кешіне дейін жабылды.",
        "Тұрғындардың айтуынша, мұндай тасқын бұл жерде өткен ғасырдың ортасынан бері болған емес. «Біз малды шығарып, кітаптарды алып үлгердік», — деді диірменші.",
        "Құтқарушылар қайықтар мен сорғылар әкелді. Таңға қарай су қайта бастады, бірақ он үйдің жертөлесі әлі су астында, жұмыс жалғасып жатыр.",
        "Әкімдік көпірді жаздың басына дейін қалпына келтіруге уәде берді. Зардап шеккендерге көмек туралы шешім осы аптада қабылдануы тиіс.",
    ],
    caption: "Сейсенбі күні таңертеңгі диірмен",
    credit: "Сурет: ҚазАқпарат",
    related: "Тағы оқыңыз: Ескі қаланың көпірі күзге дейін жөндеуге жабылды",
    subscribe: "Жаңалықтарды бірінші болып білу үшін Telegram арнамызға жазылыңыз",
    feed: [
        "Мұражайда қаланың ескі карталарының көрмесі ашылды",
        "Хоккей командасы қатарынан үшінші ойында жеңілді",
        "Базарда жаңа өнімнің алмасы мен балы қымбаттады",
        "Оқушылар вокзал жанына жүз ағаш отырғызды",
    ],
    summaries: [
        "Көрме айдың соңына дейін жалғасады, оқушылар мен студенттерге кіру тегін.",
        "Шешуші шайба кездесудің негізгі уақыты аяқталуға бір минут қалғанда қақпаға кірді.",
        "Өткен жылмен салыстырғанда алманың келісі үштен бірге қымбаттағанын сауда басқармасы есептеді.",
        "Жөке мен үйеңкі көшеттері облыстың көрші ауданындағы тәлімбақтан әкелінді.",
    ],
    typo: "Қате таптыңыз ба? Оны белгілеп, Ctrl+Enter басыңыз",
    footer: "© 2024 Қала жаңалықтары. Барлық құқықтар қорғалған. Материалдарды тек дереккөзге сілтеме жасап пайдалануға болады.",
};

const ENGLISH: Portal = Portal {
    language: "en",
    menu: &[
        "Home", "Politics", "Society", "Sport", "Culture", "Video", "Photos",
    ],
    title: "River leaves its bed at the old mill",
    byline: "By Ann Lee",
    date: "March 5, 2024, 2:30 pm",
    paragraphs: [
        "The river rose by two metres in the night, and by noon the mill stood in the water. The road to the town was closed until the evening of the next day.",
        "People who live there say that there has been no such flood since the middle of the last century. \"We brought out the cattle and the books,\" said the miller.",
        "Rescuers came with boats and pumps. By morning the water began to fall, but the cellars of ten houses are still flooded, and work goes on.",
        "The council promises a new bridge by the beginning of summer. It will decide about help for those who lost their homes this week.",
    ],
    caption: "The mill on Tuesday morning",
    credit: "Photo: Ann Lee / Getty Images",
    related: "Read also: Bridge of the old town closed for repairs until autumn",
    subscribe: "Sign up to our newsletter and get the news of the town to your inbox every morning",
    feed: [
        "Museum shows old maps of the town",
        "Hockey team loses its third game in a row",
        "Apples and honey are dearer at the market",
        "Pupils plant a hundred trees at the station",
    ],
    summaries: [
        "The show will be open until the end of the month, and pupils and students need no ticket.",
        "The deciding goal fell a minute before the end of the regular time of the match.",
        "Compared with last year a kilogram of apples costs a third more, the office of trade has found.",
        "The young limes and maples came from a nursery in the next district of the county.",
    ],
    typo: "See something wrong? Tell us about it",
    footer: "© 2024 Town News. All rights reserved. Reproduction only with a link to the source.",
};

impl Portal {
    fn html(&self) -> String {
        let links = |items: &[&str]| -> String {
            let items = items.iter().enumerate();
            items
                .map(|(i, item)| format!("<li><a href=\"/{i}\">{item}</a></li>"))
                .collect()
        };
        let feed = links(&self.feed);
        let [first, second, third, last] = self.paragraphs;
        format!(
            "<!doctype html><html lang={0}><title>{1}</title><body><header><div class=logo>News</div><nav><ul>{2}</ul></nav></header>\
             <div class=wrap><div class=col-main><h1>{1}</h1><div class=info><span class=author>{3}</span> <span class=date>{4}</span></div>\
             <p>{first}</p><figure><img src=\"/m.jpg\"><figcaption>{5}</figcaption></figure><p class=credit>{6}</p><p>{second}</p>\
             <div class=inset><a href=\"/7\">{7}</a></div><p>{third}</p><div class=tg>{8}</div><p>{last}</p><div class=typo>{9}</div></div>\
             <div class=col-side><h3>…</h3><ul class=feed>{feed}</ul></div></div><footer><p>{10}</p></footer></body></html>",
            self.language,
            self.title,
            links(self.menu),
            self.byline,
            self.date,
            self.caption,
            self.credit,
            self.related,
            self.subscribe,
            self.typo,
            self.footer,
        )
    }
}

#[test]
fn what_stands_between_the_paragraphs_of_a_portal_is_left_out() {
    for portal in [&RUSSIAN, &UKRAINIAN, &BELARUSIAN, &KAZAKH, &ENGLISH] {
        let text = default(&portal.html()).text;
        for paragraph in portal.paragraphs {
            assert!(
                text.contains(paragraph),
                "{}: {paragraph:?} is missing",
                portal.language
            );
        }
        let feeds = portal.feed.iter().chain(portal.menu);
        let others = [&portal.related, &portal.subscribe, &portal.footer, &portal.typo];
        for other in feeds.chain(others) {
            let is_there = text.lines().any(|line| line == *other);
            assert!(!is_there, "{}: {other:?} is in the text: {text}", portal.language);
        }
    }
}

/// A manner in which portals put other stories into the column of the text.
type Manner = fn(&Portal) -> String;

/// Manners of old portals that no name or tag gives away, with how many stories may be kept: what is known to
/// be wrong.
const MANNERS: [(&str, usize, Manner); 5] = [
    ("headlines with times below the text", 0, |portal| {
        let times = ["14:10", "13:55", "13:20", "12:47"];
        let items = portal.feed.iter().zip(times);
        items
            .map(|(item, time)| format!("<div class=b>{time} <a href=/a/{time}>{item}</a></div>"))
            .collect()
    }),
    (
        "headlines with their first sentences below the text",
        5,
        |portal| {
            let items = portal.feed.iter().zip(portal.summaries);
            items
                .map(|(item, summary)| {
                    format!("<div class=b><a href=/a/1>{item}</a><div>{summary}</div></div>")
                })
                .collect()
        },
    ),
    ("a table of headlines below the text", 0, |portal| {
        let items = portal.feed.iter();
        let cells: String = items
            .map(|item| format!("<td><img src=/i.jpg><br><a href=/a/2>{item}</a></td>"))
            .collect();
        format!("<table><tr>{cells}</tr></table>")
    }),
    ("lines parted by breaks", 0, |portal| {
        let items = portal.feed.iter();
        items.map(|item| format!("<a href=/a/3>{item}</a><br>")).collect()
    }),
    ("headlines under a heading that is a plain line", 0, |portal| {
        let related = portal.related.split(':').next().unwrap_or_default();
        let items = portal.feed.iter();
        let links: String = items
            .map(|item| format!("<p><a href=/a/4>{item}</a></p>"))
            .collect();
        format!("<p><b>{related}</b></p>{links}")
    }),
];

impl Portal {
    /// A page as of 2010, laid out by tables and without any name that says what a cell holds.
    fn old_html(&self, manner: Manner) -> String {
        let menu: String = self
            .menu
            .iter()
            .map(|name| format!("<a href=/m>{name}</a> | "))
            .collect();
        let [first, second, third, last] = self.paragraphs;
        format!(
            "<html lang={0}><title>{1}</title><body><table width=100%><tr><td colspan=2>{2}</td></tr><tr><td width=70%><div class=t1>{1}</div>\
             <div class=t2>{3}, {4}</div><div class=t3><p>{first}</p><p>{second}</p><p>{third}</p><p>{last}</p></div>{5}</td>\
             <td width=30%><div class=t4>…</div></td></tr><tr><td colspan=2>{6}</td></tr></table></body></html>",
            self.language,
            self.title,
            menu,
            self.byline,
            self.date,
            manner(self),
            self.footer,
        )
    }
}

#[test]
fn other_stories_below_the_text_of_an_old_portal_are_left_out() {
    for portal in [&RUSSIAN, &UKRAINIAN, &BELARUSIAN, &KAZAKH, &ENGLISH] {
        for (name, most, manner) in MANNERS {
            let text = default(&portal.old_html(manner)).text;
            for paragraph in portal.paragraphs {
                assert!(
                    text.contains(paragraph),
                    "{}, {name}: {paragraph:?} is missing",
                    portal.language
                );
            }
            let others = portal
                .feed
                .iter()
                .chain(&portal.summaries)
                .chain([&portal.footer]);
            let kept: Vec<_> = others.filter(|other| text.contains(**other)).collect();
            assert!(
                kept.len() <= most,
                "{}, {name}: {kept:?} are in the text: {text}",
                portal.language
            );
        }
    }
}

#[test]
fn pages_without_main_text_give_none_and_say_so() {
    for (kind, middle) in [
        (
            "a shop before its program ran",
            "<div id=root><div class=spinner></div></div><noscript></noscript>",
        ),
        (
            "a form to log in",
            "<form action=/login><label>Email</label><input name=e><label>Password</label><input name=p type=password>\
             <button>Log in</button><a href=/forgot>Forgot password?</a></form>",
        ),
        ("nothing at all", ""),
    ] {
        let out = default(&around(middle));
        assert_eq!(out.text, "", "{kind}");
        let kinds: Vec<WarningKind> = out.warnings.iter().map(|warning| warning.kind).collect();
        assert!(kinds.contains(&WarningKind::NoMainText), "{kind}: {kinds:?}");
    }
}

#[test]
fn notices_in_place_of_a_text_are_none_and_are_quoted() {
    for (language, title, middle, says) in [
        (
            "en",
            "Page not found - Shop",
            "<h1>Sorry!</h1><p>We have looked everywhere for it. Perhaps you followed an old link, or somebody took it down. \
             Try the search above, or go back to the start page and begin from there.</p><a href=/>Start page</a>",
            "Page not found",
        ),
        (
            "en",
            "Shop",
            "<h1>404</h1><p>The page you are looking for might have been removed or had its name changed.</p>",
            "404",
        ),
        (
            "en",
            "Shop",
            "<h2>No results for “blue teapot”</h2><p>Check the spelling or use more general words.</p>",
            "No results",
        ),
        (
            "en",
            "Shop",
            "<p>You must be logged in to see this order.</p><form action=/login><input name=e><button>Log in</button></form>",
            "You must be logged in",
        ),
        (
            "en",
            "Shop",
            "<noscript>-</noscript><div id=app><p>Please enable JavaScript to run this shop.</p></div>",
            "enable JavaScript",
        ),
        (
            "ru",
            "Магазин",
            "<h1>Страница не найдена</h1><p>Возможно, её удалили или вы ошиблись в адресе. Вернитесь на главную.</p>",
            "Страница не найдена",
        ),
        (
            "ru",
            "Магазин",
            "<p>По вашему запросу ничего не найдено. Попробуйте написать иначе.</p>",
            "ничего не найдено",
        ),
        (
            "de",
            "Laden",
            "<h1>Seite nicht gefunden</h1><p>Leider gibt es diese Seite nicht mehr.</p>",
            "Seite nicht gefunden",
        ),
        (
            "zh",
            "商店",
            "<h1>您访问的页面不存在</h1><p>请返回首页。</p>",
            "页面不存在",
        ),
    ] {
        let page = around(middle).replace("<title>Shop", &format!("<title>{title}"));
        let out = default(&page.replace("<html", &format!("<html lang={language}")));
        assert_eq!(out.text, "", "{says}");
        let warning = out
            .warnings
            .iter()
            .find(|warning| warning.kind == WarningKind::NoMainText);
        let message = warning
            .map(|warning| warning.message.as_str())
            .unwrap_or_default();
        assert!(message.contains(says), "{says}: {message:?}");
    }
    // What begins so and goes on is a text.
    for text in [
        "Not found in any library until last year, the letter of the miller describes the great flood day by day. ".repeat(4),
        "The page you are looking for in the old book is the one with the map of the river. ".repeat(6),
    ] {
        let out = default(&around(&format!("<h1>The letter</h1><p>{text}</p>")));
        assert!(out.text.contains(text.trim()), "{:?}", out.text);
    }
}

#[test]
fn a_shop_with_a_text_has_it() {
    let text =
        "The river rose by two metres in the night, and by noon the mill stood in the water. ".repeat(3);
    assert!(
        default(&around(&format!("<h1>News</h1><p>{text}</p>")))
            .text
            .contains("the mill stood")
    );
}

#[test]
fn comments_below_their_number_go() {
    let text = "<p>The river rose by two metres in the night, and by noon the mill stood in the water.</p>"
        .repeat(2);
    let says = [
        (
            "Ilse B.",
            "I remember the old man well. He once sent us home because we had no lamp.",
        ),
        (
            "weirman",
            "Great find, but why did it take the town so long to look into its own loft?",
        ),
        (
            "Tom H.",
            "My aunt is named in the ledger of 1931, with her first boat. Thank you!",
        ),
    ];
    for (heading, row) in [
        (
            "<h3>3 comments</h3>",
            "<div><p><b>{who}</b></p><p>{text}</p></div>",
        ),
        (
            "<h4>Comments (3)</h4>",
            "<div><i>{who}</i><div>{text}</div></div>",
        ),
        (
            "<h2>Kommentare (3)</h2>",
            "<section><h6>{who}</h6>{text}</section>",
        ),
    ] {
        let rows: String = says
            .iter()
            .map(|(who, text)| row.replace("{who}", who).replace("{text}", text))
            .collect();
        let got = default(&around(&format!(
            "<div><h1>The river</h1>{text}{heading}{rows}</div>"
        )))
        .text;
        assert!(
            got.contains("the mill stood") && !got.contains("lamp") && !got.contains("ledger"),
            "{got}"
        );
    }
}

#[test]
fn related_pages_of_a_manual_stay_without_its_footer() {
    let text = "<h2>NAME</h2><p>weirlog - read the log of a gauge</p><h2>DESCRIPTION</h2><p>weirlog prints the levels that a gauge wrote, oldest first. Without a file it reads standard input.</p>";
    for (see, foot) in [
        (
            "<h2>SEE ALSO</h2><p><a href=/g.1>weirgate(1)</a>, <a href=/g.5>gauge(5)</a>, <a href=/c.1>cat(1)</a></p>",
            "<div class=footer><a href=/>Pages by name</a> | <a href=/s>Sections</a><p>Pages are under their own licences.</p></div>",
        ),
        (
            "<h2>See also</h2><ul><li><a href=/g.1>weirgate(1)</a></li><li><a href=/g.5>gauge(5)</a></li></ul>",
            "<footer><a href=/>Pages by name</a></footer>",
        ),
        (
            "<section><h2>See Also</h2><p><a href=/g.1><code>weirgate</code></a> and <a href=/g.5><code>gauge</code></a></p></section>",
            "<div id=footer><a href=/>Pages by name</a> <a href=/s>Sections</a></div>",
        ),
    ] {
        let page = format!("<title>weirlog(1)</title><body><h1>weirlog(1)</h1>{text}{see}<hr>{foot}");
        let got = default(&page).text;
        assert!(
            got.contains("weirgate") && !got.contains("Pages by name"),
            "{got}"
        );
    }
}
