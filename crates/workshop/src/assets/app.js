// Selection of parts of a page, and updates without reloading the page. Everything also works without this file, except the click on
// the rendered page.
"use strict";

// The frame contains an untrusted page. It runs nothing, and it is read by functions of our own window only, so that no name in
// the page can shadow one of them.
const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
const set = (element, name, value) => value === null
  ? Element.prototype.removeAttribute.call(element, name)
  : Element.prototype.setAttribute.call(element, name, value);
const find = (root, selector) => Document.prototype.querySelectorAll.call(root, selector);

const frame = document.getElementById("frame");
const inside = () => frame && frame.contentDocument;

/** Returns the element of the frame's page with this number. */
const numbered = (number) => find(inside(), `[data-e="${Number(number)}"]`)[0];

/** Copies the marks of the blocks to the page in the frame. */
function mark() {
  const page = inside();
  if (!page) return;
  for (const old of find(page, "[data-dehusk]")) set(old, "data-dehusk", null);
  for (const block of document.querySelectorAll("#blocks [data-v]")) {
    for (const number of block.dataset.e.split(" ")) {
      const element = number && numbered(number);
      if (element && (attribute(element, "data-dehusk") === null || block.dataset.v === "kept")) {
        set(element, "data-dehusk", block.dataset.v);
      }
    }
  }
  for (const old of find(page, "[data-chosen]")) set(old, "data-chosen", null);
  const chosen = document.getElementById("chosen");
  const element = chosen && numbered(chosen.dataset.e);
  if (!element) return;
  set(element, "data-chosen", "");
  const stage = frame.parentElement;
  const box = Element.prototype.getBoundingClientRect.call(element);
  const outside = box.bottom < stage.scrollTop || box.top > stage.scrollTop + stage.clientHeight;
  if (outside) stage.scrollTop = Math.max(0, box.top - stage.clientHeight / 3);
}

/** Replaces the displayed parts by those of the response; the frame is kept. */
async function show(request, focus) {
  document.body.setAttribute("aria-busy", "true");
  const before = document.getElementById("blocks");
  const at = before && before.scrollTop;
  const open = before ? [...before.querySelectorAll("details")].map((fold) => fold.open) : [];
  try {
    const response = await fetch(request);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const part = page.getElementById("part");
    if (!part || !response.ok) {
      // The response contains the error message.
      const alarm = page.querySelector(".alarm");
      const told = document.createElement("p");
      told.className = "alarm";
      told.setAttribute("role", "alert");
      told.textContent = alarm ? alarm.textContent : "That did not work.";
      document.getElementById("part").prepend(told);
      return;
    }
    for (const selector of ["#part", "#blocks", ".legend", "header.top", "main > .note"]) {
      const [old, now] = [document.querySelector(selector), page.querySelector(selector)];
      if (old && now) old.replaceWith(document.adoptNode(now));
    }
    // Folds that a person has opened stay open, as long as the folds are the same ones.
    const folds = document.querySelectorAll("#blocks details");
    if (folds.length === open.length) folds.forEach((fold, i) => { fold.open = fold.open || open[i]; });
    history.replaceState(null, "", response.url);
    // The text stays where it was read.
    const text = document.getElementById("blocks");
    if (text && at !== null) text.scrollTop = at;
    if (text) order(text);
    mark();
    const target = focus && document.querySelector(focus);
    if (target) target.focus();
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

/** Shows the part with this number. */
async function choose(number, focus) {
  const to = new URL(location.pathname, location.href);
  to.searchParams.set("element", number);
  await show(to.href, focus);
  reveal();
}

/** Scrolls the text to the selected part. */
function reveal() {
  const chosen = document.getElementById("chosen");
  const block = chosen && document.querySelector(`#blocks [data-e~="${Number(chosen.dataset.e)}"]`);
  const text = document.getElementById("blocks");
  if (!block) return;
  const fold = block.closest("details");
  if (fold) fold.open = true;
  const [box, outer] = [block.getBoundingClientRect(), text.getBoundingClientRect()];
  if (box.top < outer.top || box.bottom > outer.bottom) text.scrollTop += box.top - outer.top - 100;
}

/** Blocks of the main text, the unsure ones among them. */
const KEPT = '[data-v="kept"], .b.unsure:not(.out)';

/** Scrolls text and page to what is kept first: pages begin with their menus. */
function begin() {
  const text = document.getElementById("blocks");
  const first = text && text.querySelector(KEPT);
  if (!first || document.getElementById("chosen")) return;
  text.scrollTop += first.getBoundingClientRect().top - text.getBoundingClientRect().top - 40;
}

/** The same for the page in the frame. */
function beginPage() {
  const first = document.querySelector("#blocks").querySelector(KEPT);
  const element = first && first.dataset.e && numbered(first.dataset.e.split(" ")[0]);
  if (!element || document.getElementById("chosen")) return;
  frame.parentElement.scrollTop = Math.max(0, Element.prototype.getBoundingClientRect.call(element).top - 80);
}

/** Makes the blocks one stop of the Tab key: keys move between them. */
function order(text) {
  const all = [...text.querySelectorAll("a.b")];
  const chosen = document.getElementById("chosen");
  const now = (chosen && all.find((block) => block.dataset.e.split(" ").includes(chosen.dataset.e)))
    || all.find((block) => block.dataset.v === "kept") || all[0];
  for (const block of all) block.tabIndex = block === now ? 0 : -1;
}

/** Moves the focus to a block that is `by` blocks further. */
function move(by) {
  const text = document.getElementById("blocks");
  const all = [...text.querySelectorAll("a.b")];
  const focused = all.indexOf(document.activeElement);
  const from = focused >= 0 ? focused : all.findIndex((block) => block.tabIndex === 0) - by;
  const to = all[Math.min(Math.max(from + by, 0), all.length - 1)];
  if (!to) return;
  const fold = to.closest("details");
  if (fold) fold.open = true;
  for (const block of all) block.tabIndex = block === to ? 0 : -1;
  to.focus();
}

const press = (selector) => {
  const target = document.querySelector(selector);
  if (target) target.click();
  return Boolean(target);
};

/** Keys of a page, beside those of the browser. */
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  d: () => press('#decide button[value="drop"]'),
  e: () => press('#decide button[value="keep"]'),
  o: () => press('#decide button[value="only"]'),
  t: () => press('#decide button[value="title"]'),
  a: () => press('#decide button[value="author"]'),
  w: () => press('#decide button[value="date"]'),
  u: () => press('#draft button[value="undo"]'),
  r: () => press('#draft button[value="redo"]'),
  s: () => press("#draft a.button"),
  n: () => press('a[rel="next"]'),
  p: () => press('a[rel="prev"]'),
  "?": () => { const keys = document.getElementById("keys"); if (keys) keys.open = !keys.open; },
  Escape: () => press("#close"),
};

/** Returns the innermost numbered element of the page under the pointer. */
function under(event) {
  const box = frame.getBoundingClientRect();
  const hit = Document.prototype.elementFromPoint.call(inside(), event.clientX - box.left, event.clientY - box.top);
  return hit && Element.prototype.closest.call(hit, "[data-e]");
}

/** Covers the frame with a pane, so that the page receives no click, no key and no focus. */
function cover() {
  const page = inside();
  if (!page || !page.documentElement || frame.dataset.covered) return;
  frame.dataset.covered = "yes";
  // The frame is as large as the page, so that the surrounding stage scrolls instead of the page.
  const width = Math.min(Math.max(page.documentElement.scrollWidth, frame.clientWidth), 4000);
  frame.style.width = `${width}px`;
  const height = Math.min(Math.max(page.documentElement.scrollHeight, 400), 30000);
  frame.style.height = `${height}px`;
  const pane = document.createElement("div");
  pane.className = "cover";
  pane.style.width = `${width}px`;
  pane.style.height = `${height}px`;
  frame.after(pane);
  let over = null;
  pane.addEventListener("mousemove", (event) => {
    const element = under(event);
    if (element === over) return;
    if (over) set(over, "data-over", null);
    over = element;
    if (!over) return;
    set(over, "data-over", "");
    const number = attribute(over, "data-e");
    const block = document.querySelector(`#blocks [data-e~="${Number(number)}"]`);
    const about = block && document.getElementById(block.getAttribute("aria-describedby"));
    pane.title = about ? about.textContent : "";
  });
  pane.addEventListener("mouseleave", () => over && set(over, "data-over", null));
  pane.addEventListener("click", (event) => {
    const element = under(event);
    if (element) choose(attribute(element, "data-e"));
  });
  mark();
  beginPage();
}

// The list of sites, while they are looked at.
if (document.getElementById("looking")) {
  const again = async () => {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const selector of ["#sites", "#looking"]) {
      const [old, now] = [document.querySelector(selector), page.querySelector(selector)];
      if (old && now && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(now));
      else if (old && !now) old.remove();
    }
    if (document.getElementById("looking")) setTimeout(again, 1000);
  };
  setTimeout(again, 700);
}

if (frame) {
  frame.setAttribute("inert", "");
  begin();
  reveal();
  order(document.getElementById("blocks"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=radio]), textarea, select")) return;
    const work = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  });
  frame.addEventListener("load", cover);
  if (inside() && inside().readyState === "complete" && inside().URL !== "about:blank") cover();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#blocks a, .above a, .count a, #close");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // A block keeps the focus, so that keys go on from it.
    const at = link.classList.contains("b") ? `#${link.id}` : link.id === "close" ? "#blocks a[tabindex='0']" : "#decide button";
    show(link.href, at);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#part")) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const focus = event.submitter && event.submitter.name
      ? `#part button[name="${event.submitter.name}"][value="${event.submitter.value}"]` : null;
    // A button named `action` shadows the property `form.action`.
    const to = new URL(form.getAttribute("action"), location.href);
    to.hash = "";
    if (form.method === "post") return void show(new Request(to.href, { method: "POST", body: fields }), focus);
    to.search = fields.toString();
    show(to.href, null);
  });
}
