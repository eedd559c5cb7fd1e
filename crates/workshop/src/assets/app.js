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
    history.replaceState(null, "", response.url);
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
  if (block) document.getElementById("blocks").scrollTop = block.offsetTop - 100;
}

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
}

if (frame) {
  frame.setAttribute("inert", "");
  reveal();
  frame.addEventListener("load", cover);
  if (inside() && inside().readyState === "complete" && inside().URL !== "about:blank") cover();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#blocks a, .above a, .count a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const at = link.id ? `#${link.id}` : "#decide button";
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
