// Keeps the live parts of a page current, as long as somebody looks at it.

const WORDS = {
  live: "Live",
  lost: "The connection is lost. Trying again…",
  unknown: "The numbers cannot be had just now; these are the last ones.",
  off: "Live updates are off here: too many pages have them. Load the page anew to see how it is.",
};

for (const region of document.querySelectorAll("[data-live]")) keepCurrent(region);

/** @param {Element} region */
function keepCurrent(region) {
  const path = region.getAttribute("data-live") ?? "";
  const content = region.querySelector("[data-live-content]");
  const state = region.querySelector(".live-state");
  if (!content || !(state instanceof HTMLElement)) return;
  /** @type {EventSource | null} */
  let source = null;

  /** @param {keyof typeof WORDS} word */
  const say = (word) => {
    state.hidden = false;
    state.dataset.state = word;
    if (state.textContent !== WORDS[word]) state.textContent = WORDS[word];
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(path);
    source.addEventListener("shown", (event) => {
      show(content, JSON.parse(event.data));
      say("live");
    });
    source.addEventListener("unknown", () => say("unknown"));
    source.addEventListener("again", () => {
      close();
      open();
    });
    // The server leads to the sign-in page, and from there back.
    source.addEventListener("signed-out", () => location.reload());
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) say("off");
      else say("lost");
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  // A browser has few connections to a host: pages that nobody sees must not hold them.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

/**
 * Puts the server's markup in place of the old; what was open stays open, and what had the focus has it still.
 * @param {Element} content
 * @param {string} markup
 */
function show(content, markup) {
  const reached = () => /** @type {HTMLElement[]} */ ([...content.querySelectorAll("summary, a")]);
  const wasOpen = [...content.querySelectorAll("details")].map(({ open }) => open);
  const focused = reached().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  content.innerHTML = markup;
  for (const [index, details] of [...content.querySelectorAll("details")].entries())
    details.open = wasOpen[index] ?? false;
  if (focused >= 0) reached()[focused]?.focus({ preventScroll: true });
}
