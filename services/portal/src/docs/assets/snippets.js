// Tabs, such as for code in several languages, and copy buttons.

const COPIED_MS = 2_000;
const STORED_AS = "geolookup-tab";
/** The choice among these tabs is kept for other pages. */
const LANGUAGE = "Language";

/** @type {((title: string) => void)[]} */
const groups = [];
for (const [group, tabs] of document.querySelectorAll("[data-tabs]").entries()) groups.push(makeTabs(tabs, group));
chooseEverywhere(storedChoice());
for (const block of document.querySelectorAll(".code")) addCopyButton(block);

/**
 * Selects the same tab in every group that has it.
 * @param {string} title
 */
function chooseEverywhere(title) {
  for (const choose of groups) choose(title);
}

/** @returns {string} the title of the tab that the reader chose last, or an empty string */
function storedChoice() {
  try {
    return localStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/**
 * Stores the choice for other pages. If the browser blocks storage, the choice isn't kept.
 * @param {string} title
 */
function storeChoice(title) {
  try {
    localStorage.setItem(STORED_AS, title);
  } catch {}
}

/**
 * Turns sections with headings into tabs, following the pattern of the ARIA Authoring Practices Guide.
 * @param {Element} container
 * @param {number} group
 * @returns {(title: string) => void} selects the tab with this title, if there is one
 */
function makeTabs(container, group) {
  const sections = [...container.querySelectorAll("section")];
  const label = container.getAttribute("data-tabs") ?? "";
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", label);
  const buttons = sections.map((section, index) => {
    const heading = section.querySelector("h3");
    const button = document.createElement("button");
    button.type = "button";
    button.id = `tab-${group}-${index}`;
    button.textContent = heading?.textContent ?? "";
    button.setAttribute("role", "tab");
    section.id = `tab-panel-${group}-${index}`;
    button.setAttribute("aria-controls", section.id);
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", button.id);
    heading?.remove();
    button.addEventListener("click", () => choose(index));
    list.append(button);
    return button;
  });
  /** @param {number} chosen */
  const select = (chosen) => {
    for (const [index, section] of sections.entries()) {
      section.hidden = index !== chosen;
      buttons[index]?.setAttribute("aria-selected", String(index === chosen));
      buttons[index]?.setAttribute("tabindex", index === chosen ? "0" : "-1");
    }
  };
  /**
   * Keeps the tabs at the same position in the window when groups above them change height.
   * @param {number} index
   */
  const choose = (index) => {
    const top = list.getBoundingClientRect().top;
    const title = buttons[index]?.textContent ?? "";
    if (label === LANGUAGE) storeChoice(title);
    chooseEverywhere(title);
    scrollBy(0, list.getBoundingClientRect().top - top);
  };
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const last = buttons.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
    buttons[to]?.focus();
  });
  container.prepend(list);
  container.classList.add("live");
  select(0);
  return (title) => {
    const index = buttons.findIndex(({ textContent }) => textContent === title);
    if (index >= 0) select(index);
  };
}

/** @param {Element} block */
function addCopyButton(block) {
  const code = block.querySelector("pre");
  const head = block.querySelector(".code-head");
  if (!code || !head) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    button.textContent = (await copy(code)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => {
      button.textContent = "Copy";
    }, COPIED_MS);
  });
  head.append(button);
}

/**
 * Copies code to the clipboard. Browsers don't allow this over plain HTTP except on localhost; then the code is selected.
 * @param {HTMLElement} code
 * @returns {Promise<boolean>} whether it was copied
 */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
