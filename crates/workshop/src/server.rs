//! HTTP routes and request handling.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Form, Path, Query, Request, State};
use axum::http::{Response, StatusCode};
use axum::middleware::{self, Next};
use axum::routing::{MethodRouter, get, post};
use axum::{Router, http::Method};
use dehusk_pipeline::{Cancel, Error, catch_panic};
use tokio::net::TcpListener;

use crate::beside;
use crate::fields::Fields;
use crate::guard::Guard;
use crate::reply::Reply;

use crate::views;
use crate::workshop::Workshop;

/// Interval at which cancellation is checked.
const LOOK: Duration = Duration::from_millis(50);

/// Fields of a query or a form, in order.
type Pairs = Vec<(String, String)>;
/// The workshop, which all requests share.
type Shared = State<Arc<Workshop>>;

/// Answers requests until the work is cancelled. `listening` is called with the address as soon as
/// connections are accepted.
pub(crate) fn run(
    workshop: Arc<Workshop>,
    address: SocketAddr,
    names: &[String],
    cancel: &Cancel,
    listening: &mut dyn FnMut(&str),
) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::failed(format!("cannot begin to serve: {error}")))?;
    // The needs of sites are measured on a thread of its own. The thread ends with the workshop, after the
    // present site.
    let looking = Arc::clone(&workshop);
    runtime.spawn_blocking(move || looking.needs.work(|host| looking.need(host)));
    let shared = Arc::clone(&workshop);
    let served = runtime.block_on(async {
        let failed = |error: std::io::Error| {
            Error::failed(format!("cannot listen on {address}: {error}"))
                .with_help("name another port with --listen, or none: 127.0.0.1:0")
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let own = listener.local_addr().map_err(failed)?;
        // The unspecified address is meant for listening, not for browsers.
        let shown = match own.ip().is_unspecified() {
            true => SocketAddr::from(([127, 0, 0, 1], own.port())),
            false => own,
        };
        let first = format!("http://{shown}{}/", workshop.base);
        let routes = routes(workshop, Guard::new(own, names));
        // The socket is bound, so a request that comes now waits for the server to begin.
        listening(&first);
        let ended = async {
            while cancel.check().is_ok() {
                tokio::time::sleep(LOOK).await;
            }
        };
        // Open requests are not awaited, because ending the program is intentional.
        tokio::select! {
            served = axum::serve(listener, routes) => served.map_err(failed),
            () = ended => Ok(()),
        }
    });
    shared.needs.end();
    // Neither requests nor the site that is being measured are awaited.
    runtime.shutdown_background();
    served
}

/// The routes, all of them behind the guard and below the secret prefix.
fn routes(workshop: Arc<Workshop>, guard: Guard) -> Router {
    let own = Router::new()
        .route("/", shown(views::sites::show))
        .route("/site", shown(views::site::show))
        .route("/page/{number}", of_page(views::page::show))
        .route("/frame/{number}", of_page(views::page::frame))
        .route("/sheet/{number}/{at}", get(sheet))
        .route("/beside/{number}", of_page(beside::answer))
        .route("/changes", shown(views::changes::show))
        .route("/methods/{number}", of_page(views::methods::show))
        .route(
            "/learn",
            shown(views::learn::choose).merge(done(views::learn::learn)),
        )
        .route(
            "/candidates",
            shown(views::candidates::show).merge(done(candidate)),
        )
        .route("/clusters", shown(views::clusters::list))
        .route("/cluster", shown(views::clusters::one))
        .route("/mark", done(mark))
        .route("/labelled", done(labelled))
        .route("/measures", shown(views::measures::show))
        .route("/label/{number}", of_page(views::measures::label))
        .route("/label", done(views::measures::save))
        .route("/rule", done(rule))
        .route("/undo", done(undo))
        .route("/text", done(text))
        .route("/save", done(save))
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
        // Nested routes do not match the prefix with a slash at its end.
        .route(
            &format!("{}/", workshop.base),
            shown(views::sites::show).with_state(workshop),
        )
        .fallback(unknown)
        .layer(middleware::from_fn_with_state(guard, checked))
}

/// Refuses requests that do not come from this program's own pages.
async fn checked(State(guard): State<Guard>, request: Request, next: Next) -> Response<Body> {
    match guard.refuses(request.method(), request.headers()) {
        Some(why) => plain(StatusCode::FORBIDDEN, why),
        None => next.run(request).await,
    }
}

/// Returns a plain-text answer that reveals nothing about the program's data.
fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Reply::File("text/plain; charset=utf-8", format!("{text}\n").into_bytes()).response();
    *response.status_mut() = status;
    response
}

/// Answers requests for other addresses.
async fn unknown(method: Method) -> Response<Body> {
    let _ = method;
    plain(
        StatusCode::NOT_FOUND,
        "nothing is here: use the address that the program printed",
    )
}

/// Runs work that may take long on a thread for blocking work, so that other requests need not wait.
async fn answer(
    workshop: Arc<Workshop>,
    work: impl FnOnce(&Workshop) -> Result<Reply, Error> + Send + 'static,
) -> Response<Body> {
    let done = tokio::task::spawn_blocking(move || {
        // A panic becomes a page with an error message.
        let made = catch_panic(|| work(&workshop));
        let made =
            made.unwrap_or_else(|panic| Err(Error::failed(format!("a defect of this program: {panic}"))));
        made.unwrap_or_else(|error| views::shell::failed(&workshop, &error))
    });
    match done.await {
        Ok(reply) => reply.response(),
        // The page with the error message failed as well.
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "a defect of this program"),
    }
}

/// Answers with a file that is part of this program.
async fn file(kind: &'static str, text: &'static str) -> Response<Body> {
    Reply::File(kind, text.as_bytes().to_vec()).response()
}

/// Route of a page that depends on the fields of its address.
fn shown(view: fn(&Workshop, &Fields) -> Result<Reply, Error>) -> MethodRouter<Arc<Workshop>> {
    get(move |State(workshop): Shared, Query(query): Query<Pairs>| {
        answer(workshop, move |workshop| view(workshop, &Fields(query)))
    })
}

/// Like [`shown`], for a page of the crawl.
fn of_page(view: fn(&Workshop, usize, &Fields) -> Result<Reply, Error>) -> MethodRouter<Arc<Workshop>> {
    get(
        move |State(workshop): Shared, Path(number): Path<usize>, Query(query): Query<Pairs>| {
            answer(workshop, move |workshop| view(workshop, number, &Fields(query)))
        },
    )
}

/// Route of the action of a form. Actions run one after another.
fn done(work: fn(&Workshop, &Fields) -> Result<Reply, Error>) -> MethodRouter<Arc<Workshop>> {
    post(move |State(workshop): Shared, Form(form): Form<Pairs>| {
        answer(workshop, move |workshop| {
            let _alone = workshop.changing();
            work(workshop, &Fields(form))
        })
    })
}

/// Answers with a style sheet within a page.
async fn sheet(State(workshop): Shared, Path((number, at)): Path<(usize, usize)>) -> Response<Body> {
    answer(workshop, move |workshop| beside::sheet(workshop, number, at)).await
}

/// Records a judgment about a cluster, and returns to it.
fn mark(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    workshop.mark(fields);
    let mut to = vec![("name", fields.text("cluster"))];
    to.extend(fields.get("a").map(|left| ("a", left)));
    Ok(Reply::To(workshop.link("/cluster", &to)))
}

/// Writes the labelled set of the judged clusters.
fn labelled(workshop: &Workshop, _: &Fields) -> Result<Reply, Error> {
    let folder = workshop.write_labelled_set()?;
    Ok(views::clusters::written(workshop, &folder))
}

/// Returns a redirect to the page that a form was sent from.
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

/// Records a decision about a part of a page, and returns to the page.
fn rule(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    workshop.decide(fields)?;
    Ok(back(workshop, fields))
}

/// Takes a candidate for the main text of a layout, and shows what changes.
fn candidate(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    workshop.take_candidate(fields)?;
    let to = [("host", fields.text("host"))];
    Ok(Reply::To(workshop.link("/changes", &to)))
}

/// Takes a step of a draft back, or takes it again.
fn undo(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    workshop.change(fields.text("host"), |draft| match fields.text("step") {
        "redo" => draft.redo(),
        _ => draft.undo(),
    })?;
    Ok(back(workshop, fields))
}

/// Replaces the text of a draft.
fn text(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    // Forms send line breaks as CR LF.
    let text = fields.text("text").replace("\r\n", "\n");
    workshop.change(fields.text("host"), |draft| draft.set(text))?;
    Ok(back(workshop, fields))
}

/// Saves a draft, and shows where.
fn save(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let page = fields.number("page");
    // An empty field counts as missing. The button without an example sends an empty one.
    let example = page.filter(|_| fields.get("example").is_some());
    let saved = workshop.save(fields.text("host"), example)?;
    Ok(views::changes::saved(workshop, fields.text("host"), page, &saved))
}
