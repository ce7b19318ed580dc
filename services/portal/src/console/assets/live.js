// Keeps the live parts of a page up to date while the page is visible.

const STATES = {
  live: "Live",
  lost: "Connection lost. Reconnecting…",
  unavailable: "Current data is unavailable. Showing the last known values.",
  off: "Live updates are off because too many pages are open. Reload the page to see the current state.",
};

for (const region of document.querySelectorAll("[data-live]")) keepUpdated(region);

/** @param {Element} region */
function keepUpdated(region) {
  const path = region.getAttribute("data-live") ?? "";
  const content = region.querySelector("[data-live-content]");
  const state = region.querySelector(".live-state");
  if (!content || !(state instanceof HTMLElement)) return;
  /** @type {EventSource | null} */
  let source = null;

  /** @param {keyof typeof STATES} name */
  const setState = (name) => {
    state.hidden = false;
    state.dataset.state = name;
    if (state.textContent !== STATES[name]) state.textContent = STATES[name];
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(path);
    // Pages stay open across upgrades, so the names of events and form fields never change.
    source.addEventListener("shown", (event) => {
      replace(content, JSON.parse(event.data));
      setState("live");
    });
    source.addEventListener("unknown", () => setState("unavailable"));
    source.addEventListener("again", () => {
      close();
      open();
    });
    // The server redirects to the sign-in page, which returns here.
    source.addEventListener("signed-out", () => location.reload());
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) setState("off");
      else setState("lost");
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  // Browsers limit connections per host, so hidden pages must not hold one.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

/**
 * Replaces the content with markup from the server, and restores open details and the focus.
 * @param {Element} content
 * @param {string} markup
 */
function replace(content, markup) {
  const focusable = () =>
    /** @type {HTMLElement[]} */ ([...content.querySelectorAll("summary, a, button, [tabindex]")]);
  const wasOpen = [...content.querySelectorAll("details")].map(({ open }) => open);
  const focused = focusable().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  content.innerHTML = markup;
  content.dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
  for (const [index, details] of [...content.querySelectorAll("details")].entries())
    details.open = wasOpen[index] ?? false;
  if (focused >= 0) focusable()[focused]?.focus({ preventScroll: true });
}
