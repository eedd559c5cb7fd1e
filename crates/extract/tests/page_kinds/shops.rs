//! Pages of shops: products, what is beside them, and lists of them.

use super::{around, default};

#[test]
fn headings_of_filters_go() {
    let items: String = ["Harbour boots", "Weir waders", "Mill clogs", "Lock slippers"]
        .iter()
        .map(|name| {
            format!(
                "<li class=item><h3>{name}</h3><p>Made of felt and cork in the old rope works, and dry after an hour by the stove.</p><p>$84.50</p></li>"
            )
        })
        .collect();
    for (tag, option) in [
        ("h3", "<li><a href='?f={n}'>{name}</a></li>"),
        (
            "h4",
            "<li><a href='?f={n}'><span>{name}</span><span>{n}</span></a></li>",
        ),
        ("h4", "<li><label><input type=checkbox>{name} ({n})</label></li>"),
    ] {
        let filter = |heading: &str, names: &[&str]| {
            let options = names
                .iter()
                .enumerate()
                .map(|(n, name)| option.replace("{name}", name).replace("{n}", &n.to_string()));
            format!(
                "<div class=facet><{tag}>{heading}</{tag}><ul>{}</ul></div>",
                options.collect::<String>()
            )
        };
        let filters = filter("Colour", &["Black", "Brown", "Blue"])
            + &filter("Heel Height", &["Flat", "Low", "High"])
            + &filter("Size", &["38", "39", "40", "41"]);
        for body in [
            format!("<div>{filters}</div><ul>{items}</ul>"),
            format!("<ul>{items}</ul><div>{filters}</div>"),
        ] {
            let got = default(&around(&format!("<main><h1>Shoes</h1>{body}</main>"))).text;
            assert!(got.contains("Weir waders"), "{tag}: {got}");
            assert!(
                !got.contains("Heel Height") && !got.contains("Colour"),
                "{tag}: {got}"
            );
        }
    }
}

#[test]
fn names_of_cards_stand_once() {
    for card in [
        "<li><a href=/{n}>{name}</a><div><h3><a href=/{n}>{name}</a></h3></div><p>Regular price $19.99</p></li>",
        "<li><div><h3>{name}</h3></div><div class=info><h3>{name}</h3><p>Regular price $19.99</p></div></li>",
        "<li><h4><a href=/{n}>{name}</a></h4><div><h4><a href=/{n}>{name}</a></h4><p>Regular price $19.99</p></div></li>",
    ] {
        let cards: String = ["Harbour roast", "Weir roast", "Mill roast", "Lock roast"]
            .iter()
            .enumerate()
            .map(|(n, name)| card.replace("{name}", name).replace("{n}", &n.to_string()))
            .collect();
        let got = default(&around(&format!("<main><h1>Coffee</h1><ul>{cards}</ul></main>"))).text;
        assert_eq!(got.matches("Weir roast").count(), 1, "{card}: {got}");
    }
}

#[test]
fn other_products_below_a_product_go() {
    let others: String = ["Harbour boots", "Weir waders", "Mill clogs", "Lock slippers"]
        .iter()
        .map(|name| format!("<li><a href=/p/x><img src=x.jpg>{name}</a><span>€ 84,50</span></li>"))
        .collect();
    for heading in ["Customers also bought", "Ähnliche Produkte", "Похожие товары"] {
        let page = around(&format!(
            "<main><h1>Felt boots</h1><p>Made of felt and cork in the old rope works, these boots are dry after an hour by the stove, and warm on the ice.</p>\
             <h2>Details</h2><ul><li>Sole of cork, 2 cm</li><li>Felt of grey wool</li></ul><div><h2>{heading}</h2><ul>{others}</ul></div></main>"
        ));
        let got = default(&page).text;
        assert!(
            got.contains("Sole of cork") && !got.contains("Mill clogs") && !got.contains(heading),
            "{heading}: {got}"
        );
    }
}

#[test]
fn reviews_of_a_product_go() {
    let reviews = [
        (
            "Ilse B.",
            "12 March 2019",
            "They kept my feet dry for a whole winter on the ice, and the felt is still as it was.",
        ),
        (
            "weirman",
            "3 May 2019",
            "A size too small, but the rope works sent me another pair within the week.",
        ),
    ];
    for (heading, row) in [
        (
            "<h2>2 Reviews</h2><p>4.7 out of 5</p>",
            "<div><p>{who}, {day}</p><p>{text}</p></div>",
        ),
        (
            "<h3>Kundenbewertungen</h3>",
            "<li><b>{who}</b> <time>{day}</time><br>{text}</li>",
        ),
        (
            "<h2>Отзывы (2)</h2>",
            "<section><h4>{who}</h4><span>{day}</span><div>{text}</div></section>",
        ),
    ] {
        let rows: String = reviews
            .iter()
            .map(|(who, day, text)| {
                row.replace("{who}", who)
                    .replace("{day}", day)
                    .replace("{text}", text)
            })
            .collect();
        let page = around(&format!(
            "<script type=application/ld+json>{{\"@type\":\"Product\",\"name\":\"Felt boots\"}}</script><h1>Felt boots</h1>\
             <p>Made of felt and cork in the old rope works, these boots are dry after an hour by the stove, and warm on the ice.</p>\
             <p>The sole is two centimetres of cork, glued with resin, and can be renewed by any shoemaker who still has a press.</p>\
             <h2>Details</h2><ul><li>Sole of cork, 2 cm</li><li>Felt of grey wool</li></ul><div>{heading}<div>{rows}</div></div>"
        ));
        let got = default(&page).text;
        assert!(
            got.contains("Sole of cork") && !got.contains("size too small"),
            "{heading}: {got}"
        );
    }
}
