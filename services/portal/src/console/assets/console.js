// For every page of the console: forms are submitted once, and pages have keyboard shortcuts.

/** @type {HTMLButtonElement[]} Those of submitted forms. */
const submitted = [];

addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== "post") return;
  for (const button of target.querySelectorAll("button")) {
    if (!button.disabled) submitted.push(button);
    button.disabled = true;
  }
});

// Enables the buttons again when the browser restores the page from its cache.
addEventListener("pageshow", () => {
  for (const button of submitted.splice(0)) button.disabled = false;
});

/** How long to wait for a page's key after `g`. */
const SEQUENCE_MS = 1_500;

const help = document.querySelector("dialog.shortcuts");
let goneAtMs = Number.NEGATIVE_INFINITY;

// The overview that `?` opens lists them. They are ignored while typing and with modifier keys.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !(help instanceof HTMLDialogElement))
    return;
  if (target instanceof Element && target.closest("input, textarea, select")) return;
  if (help.open && key !== "?") return;
  const isPage = event.timeStamp - goneAtMs < SEQUENCE_MS;
  goneAtMs = key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
  const page = isPage ? help.querySelector(`a[data-key="${CSS.escape(key)}"]`) : null;
  const search = key === "/" ? document.querySelector("input[type=search]") : null;
  if (key === "?") help.open ? help.close() : help.showModal();
  else if (page instanceof HTMLAnchorElement) location.assign(page.href);
  else if (search instanceof HTMLElement) search.focus();
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-shortcuts]"))
  if (button instanceof HTMLElement && help instanceof HTMLDialogElement) {
    button.hidden = false;
    button.addEventListener("click", () => help.showModal());
  }
