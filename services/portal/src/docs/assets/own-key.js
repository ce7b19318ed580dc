// Fills the reader's own key into the code on the page. It stays in this tab.

const STORED_AS = "geolookup-own-key";
const KEY = /^geo_(pk|sk)_[0-9A-Za-z]{26,226}_[0-9A-Za-z]{22}$/;
const PLACEHOLDER = "YOUR_KEY";

const form = document.querySelector("form.own-key-form");
const input = document.querySelector("input#own-key");
const note = document.querySelector("#own-key-note");
if (form instanceof HTMLFormElement && input instanceof HTMLInputElement && note) {
  const plainNote = note.textContent ?? "";
  /** @param {string} key */
  const comment = (key) => {
    note.textContent = remark(key, plainNote);
    if (key === "" || KEY.test(key)) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const key = input.value.trim();
    fill(key);
    comment(key);
    keep(KEY.test(key) ? key : "");
  });
  input.value = kept();
  comment(input.value);
}
fill(kept());

/**
 * For this tab alone, and only for this page where the browser keeps nothing for sites.
 * @param {string} key
 */
function keep(key) {
  try {
    sessionStorage.setItem(STORED_AS, key);
  } catch {}
}

/** @returns {string} the key; empty when there is none */
function kept() {
  try {
    return sessionStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/**
 * Only what has the shape of a key goes into code that people paste into a shell, and no secret into a page's.
 * @param {string} key
 */
function fill(key) {
  const text = KEY.test(key) ? key : PLACEHOLDER;
  const isSecret = KEY.test(key) && key.startsWith("geo_sk_");
  for (const slot of document.querySelectorAll(".own-key"))
    slot.textContent = isSecret && slot.classList.contains("publishable") ? PLACEHOLDER : text;
  for (const warning of document.querySelectorAll(".no-secret")) warning.toggleAttribute("hidden", !isSecret);
}

/**
 * @param {string} key
 * @param {string} otherwise
 */
function remark(key, otherwise) {
  if (key === "") return otherwise;
  if (!KEY.test(key))
    return "This is no whole key: it starts with geo_pk_ or geo_sk_, then letters, digits and underscores.";
  return key.startsWith("geo_sk_")
    ? `A secret key: for servers, so it is not filled into code for pages. ${otherwise}`
    : otherwise;
}
