//! Requests and answers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Form, Path, Query, Request, State};
use axum::http::{Response, StatusCode};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use axum::{Router, http::Method};
use dehusk_pipeline::{Cancel, Error, catch_panic};
use tokio::net::TcpListener;

use crate::beside;
use crate::fields::Fields;
use crate::guard::Guard;
use crate::reply::Reply;

use crate::views;
use crate::workshop::Workshop;

/// Time between looks at whether the work was cancelled.
const LOOK: Duration = Duration::from_millis(50);

type Pairs = Vec<(String, String)>;
type Shared = State<Arc<Workshop>>;

/// Answers requests until the work is cancelled. `listening` is told the address once somebody may ask.
pub(crate) fn run(
    workshop: Workshop,
    address: SocketAddr,
    names: &[String],
    cancel: &Cancel,
    listening: &mut dyn FnMut(&str),
) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::failed(format!("cannot begin to serve: {error}")))?;
    let served = runtime.block_on(async {
        let failed = |error: std::io::Error| {
            Error::failed(format!("cannot listen on {address}: {error}"))
                .with_help("name another port with --listen, or none: 127.0.0.1:0")
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let own = listener.local_addr().map_err(failed)?;
        let shown = match own.ip().is_unspecified() {
            true => SocketAddr::from(([127, 0, 0, 1], own.port())),
            false => own,
        };
        let first = format!("http://{shown}{}/", workshop.base);
        let routes = routes(Arc::new(workshop), Guard::new(own, names));
        listening(&first);
        let ended = async {
            while cancel.check().is_ok() {
                tokio::time::sleep(LOOK).await;
            }
        };
        // Nobody waits for requests that are open: whoever ends the program means it.
        tokio::select! {
            served = axum::serve(listener, routes) => served.map_err(failed),
            () = ended => Ok(()),
        }
    });
    runtime.shutdown_background();
    served
}

fn routes(workshop: Arc<Workshop>, guard: Guard) -> Router {
    let own = Router::new()
        .route("/", get(sites))
        .route("/site", get(site))
        .route("/page/{number}", get(page))
        .route("/frame/{number}", get(frame))
        .route("/sheet/{number}/{at}", get(sheet))
        .route("/beside/{number}", get(asked))
        .route("/changes", get(changes))
        .route("/methods/{number}", get(methods))
        .route("/learn", get(choose).post(learn))
        .route("/clusters", get(clusters))
        .route("/cluster", get(cluster))
        .route("/mark", post(mark))
        .route("/labelled", post(labelled))
        .route("/measures", get(measures))
        .route("/label/{number}", get(label))
        .route("/label", post(save_label))
        .route("/rule", post(rule))
        .route("/undo", post(undo))
        .route("/text", post(text))
        .route("/save", post(save))
        .route(
            "/style.css",
            get(|| file("text/css; charset=utf-8", include_str!("assets/style.css"))),
        )
        .route(
            "/frame.css",
            get(|| file("text/css; charset=utf-8", include_str!("assets/frame.css"))),
        )
        .route(
            "/app.js",
            get(|| file("text/javascript; charset=utf-8", include_str!("assets/app.js"))),
        )
        .with_state(Arc::clone(&workshop));
    Router::new()
        .nest(&workshop.base, own)
        // Routes that are nested leave out the slash at the end.
        .route(&format!("{}/", workshop.base), get(sites).with_state(workshop))
        .fallback(unknown)
        .layer(middleware::from_fn_with_state(guard, checked))
}

/// Refuses what did not come from this program's own pages.
async fn checked(State(guard): State<Guard>, request: Request, next: Next) -> Response<Body> {
    match guard.refuses(request.method(), request.headers()) {
        Some(why) => plain(StatusCode::FORBIDDEN, why),
        None => next.run(request).await,
    }
}

/// An answer that tells nobody anything.
fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Reply::File("text/plain; charset=utf-8", format!("{text}\n").into_bytes()).response();
    *response.status_mut() = status;
    response
}

async fn unknown(method: Method) -> Response<Body> {
    let _ = method;
    plain(
        StatusCode::NOT_FOUND,
        "nothing is here: use the address that the program printed",
    )
}

/// Does work that may take a while on a thread of its own.
async fn answer(
    workshop: Arc<Workshop>,
    work: impl FnOnce(&Workshop) -> Result<Reply, Error> + Send + 'static,
) -> Response<Body> {
    let done = tokio::task::spawn_blocking(move || {
        let made = catch_panic(|| work(&workshop));
        let made =
            made.unwrap_or_else(|panic| Err(Error::failed(format!("a defect of this program: {panic}"))));
        made.unwrap_or_else(|error| views::shell::failed(&workshop, &error))
    });
    match done.await {
        Ok(reply) => reply.response(),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "a defect of this program"),
    }
}

async fn file(kind: &'static str, text: &'static str) -> Response<Body> {
    Reply::File(kind, text.as_bytes().to_vec()).response()
}

async fn sites(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        Ok(views::sites::show(workshop, &Fields(query)))
    })
    .await
}

async fn site(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| views::site::show(workshop, &Fields(query))).await
}

async fn page(
    State(workshop): Shared,
    Path(number): Path<usize>,
    Query(query): Query<Pairs>,
) -> Response<Body> {
    answer(workshop, move |workshop| {
        views::page::show(workshop, number, &Fields(query))
    })
    .await
}

async fn frame(State(workshop): Shared, Path(number): Path<usize>) -> Response<Body> {
    answer(workshop, move |workshop| views::page::frame(workshop, number)).await
}

async fn sheet(State(workshop): Shared, Path((number, at)): Path<(usize, usize)>) -> Response<Body> {
    answer(workshop, move |workshop| beside::sheet(workshop, number, at)).await
}

async fn asked(
    State(workshop): Shared,
    Path(number): Path<usize>,
    Query(query): Query<Pairs>,
) -> Response<Body> {
    answer(workshop, move |workshop| {
        beside::answer(workshop, number, &Fields(query))
    })
    .await
}

async fn changes(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        views::changes::show(workshop, &Fields(query))
    })
    .await
}

async fn methods(State(workshop): Shared, Path(number): Path<usize>) -> Response<Body> {
    answer(workshop, move |workshop| views::methods::show(workshop, number)).await
}

async fn choose(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        Ok(views::learn::choose(workshop, &Fields(query)))
    })
    .await
}

async fn learn(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| views::learn::learn(workshop, &Fields(form))).await
}

async fn clusters(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        views::clusters::list(workshop, &Fields(query))
    })
    .await
}

async fn cluster(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        views::clusters::one(workshop, &Fields(query))
    })
    .await
}

async fn mark(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        let fields = Fields(form);
        workshop.mark(&fields);
        Ok(Reply::To(
            workshop.link("/cluster", &[("name", fields.text("cluster"))]),
        ))
    })
    .await
}

async fn labelled(State(workshop): Shared) -> Response<Body> {
    answer(workshop, |workshop| {
        let folder = workshop.write_labelled_set()?;
        Ok(views::clusters::written(workshop, &folder))
    })
    .await
}

async fn measures(State(workshop): Shared, Query(query): Query<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        views::measures::show(workshop, &Fields(query))
    })
    .await
}

async fn label(State(workshop): Shared, Path(number): Path<usize>) -> Response<Body> {
    answer(workshop, move |workshop| views::measures::label(workshop, number)).await
}

async fn save_label(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        views::measures::save(workshop, &Fields(form))
    })
    .await
}

/// The page that a form was sent from.
fn back(workshop: &Workshop, fields: &Fields) -> Reply {
    Reply::To(match fields.number("page") {
        Some(number) => {
            let element: Vec<(&str, &str)> = fields
                .get("element")
                .map(|element| ("element", element))
                .into_iter()
                .collect();
            workshop.link(&format!("/page/{number}"), &element)
        }
        None => workshop.link("/site", &[("host", fields.text("host"))]) + "#rules",
    })
}

async fn rule(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        let fields = Fields(form);
        workshop.decide(&fields)?;
        Ok(back(workshop, &fields))
    })
    .await
}

async fn undo(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        let fields = Fields(form);
        workshop.change(fields.text("host"), |draft| match fields.text("step") {
            "redo" => draft.redo(),
            _ => draft.undo(),
        })?;
        Ok(back(workshop, &fields))
    })
    .await
}

async fn text(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        let fields = Fields(form);
        // Forms send line ends as two characters.
        let text = fields.text("text").replace("\r\n", "\n");
        workshop.change(fields.text("host"), |draft| draft.set(text))?;
        Ok(back(workshop, &fields))
    })
    .await
}

async fn save(State(workshop): Shared, Form(form): Form<Pairs>) -> Response<Body> {
    answer(workshop, |workshop| {
        let fields = Fields(form);
        let page = fields.number("page").filter(|_| fields.get("example").is_some());
        let saved = workshop.save(fields.text("host"), page)?;
        Ok(views::changes::saved(workshop, fields.text("host"), &saved))
    })
    .await
}
