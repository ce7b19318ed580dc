// Charts show the value of the bar under the pointer, or of the bar selected with the arrow keys.

/** The chosen bar of each chart, by its title: live updates replace the charts. */
const chosen = new Map();

/** @param {ParentNode} part */
function prepare(part) {
  for (const plot of part.querySelectorAll("[data-chart]")) {
    const bars = barsOf(plot);
    plot.setAttribute("tabindex", "0");
    // Assistive technology announces the value of a slider when it changes.
    plot.setAttribute("role", "slider");
    plot.setAttribute("aria-label", plot.getAttribute("data-chart") ?? "");
    plot.setAttribute("aria-valuemin", "1");
    plot.setAttribute("aria-valuemax", String(bars.length));
    const current = bars.findIndex((bar) => bar.classList.contains("current"));
    describe(plot, chosen.get(titleOf(plot)) ?? (current === -1 ? bars.length - 1 : current));
  }
}

/** @param {Element} plot @param {number} index */
function describe(plot, index) {
  plot.setAttribute("aria-valuenow", String(index + 1));
  plot.setAttribute("aria-valuetext", textOf(barsOf(plot)[index]));
}

/** @param {Element} plot @param {number | null} index null: none */
function pick(plot, index) {
  const bars = barsOf(plot);
  for (const [at, bar] of bars.entries()) bar.classList.toggle("picked", at === index);
  const value = plot.closest("figure")?.querySelector(".value");
  if (value) value.textContent = index === null ? "" : textOf(bars[index]);
  if (index !== null) describe(plot, index);
}

/** @param {Element} plot */
const barsOf = (plot) => [...plot.querySelectorAll("g")];
/** @param {Element} plot */
const titleOf = (plot) => plot.getAttribute("data-chart");
/** @param {Element | undefined} bar */
const textOf = (bar) => bar?.querySelector("title")?.textContent ?? "";
/** @param {Element} plot */
const indexIn = (plot) => Number(plot.getAttribute("aria-valuenow")) - 1;
/** @param {Event} event */
const plotOf = ({ target }) => (target instanceof Element ? target.closest("[data-chart]") : null);

document.addEventListener("pointerover", (event) => {
  const plot = plotOf(event);
  const bar = /** @type {Element} */ (event.target).closest("g");
  if (plot && bar) pick(plot, barsOf(plot).indexOf(bar));
});
document.addEventListener("pointerout", (event) => {
  const plot = plotOf(event);
  if (plot) pick(plot, plot === document.activeElement ? (chosen.get(titleOf(plot)) ?? null) : null);
});
document.addEventListener("focusin", (event) => {
  const plot = plotOf(event);
  if (plot) pick(plot, chosen.get(titleOf(plot)) ?? indexIn(plot));
});
document.addEventListener("focusout", (event) => {
  const plot = plotOf(event);
  if (plot) pick(plot, null);
});
document.addEventListener("keydown", (event) => {
  const plot = plotOf(event);
  if (!plot || event.ctrlKey || event.altKey || event.metaKey) return;
  const last = barsOf(plot).length - 1;
  const at = indexIn(plot);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const index = Math.min(last, Math.max(0, to));
  chosen.set(titleOf(plot), index);
  pick(plot, index);
});
document.addEventListener("replaced", ({ target }) => prepare(/** @type {Element} */ (target)));
prepare(document);
