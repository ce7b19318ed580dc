// For every page of the docs: search, and the table of contents.

/** How far down the window a heading counts as being read, as a share of its height. */
const LINE_OF_READING = 0.25;

/** @type {HTMLDialogElement | undefined} */
let dialog;

for (const button of document.querySelectorAll(".search-open")) button.addEventListener("click", openSearch);
document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
  const isShortcut = key === "/" ? !isTyping && !ctrlKey && !metaKey && !altKey : key === "k" && (ctrlKey || metaKey);
  if (!isShortcut) return;
  event.preventDefault();
  void openSearch();
});

const onPage = document.querySelector("[data-search]");
if (onPage instanceof HTMLElement) void fill(onPage, wordsOf(location.pathname));

const contents = document.querySelector("nav.contents");
if (contents instanceof HTMLElement) {
  // On a phone, the list would cover the heading that the reader has chosen.
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  markCurrent(contents);
}

async function openSearch() {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "search";
    dialog.setAttribute("aria-label", "Search the docs");
    dialog.addEventListener("click", (event) => {
      const isLink = event.target instanceof Element && event.target.closest("a");
      if (event.target === dialog || isLink) dialog?.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    await fill(dialog, "");
  } else if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")?.select();
}

/**
 * Loads search on first use.
 * @param {HTMLElement} container
 * @param {string} query
 */
async function fill(container, query) {
  const { addSearch } = await import("./search.js");
  addSearch(container, query);
}

/** The words in the URL of a missing page.
 * @param {string} path
 */
function wordsOf(path) {
  const last = path.split("/").findLast((part) => part !== "") ?? "";
  return last.replace(/\.\w+$/, "").replace(/[^A-Za-z0-9]+/g, " ");
}

/**
 * Marks the section that is being read.
 * @param {HTMLElement} contents
 */
function markCurrent(contents) {
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((heading) => heading !== null);
  const mark = () => {
    const line = innerHeight * LINE_OF_READING;
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < line) ?? headings[0];
    for (const [id, link] of links) link.classList.toggle("current", id === current?.id);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
