// Fills the reader's own key into the code samples on the page. A publishable key is stored in this tab, a secret key nowhere.

const STORED_AS = "geolookup-own-key";
const KEY = /^geo_(pk|sk)_[0-9A-Za-z]{26,226}_[0-9A-Za-z]{22}$/;

/** @type {Map<Element, string | null>} the placeholder of each slot */
const slots = new Map();
for (const slot of document.querySelectorAll(".own-key")) slots.set(slot, slot.textContent);

const form = document.querySelector("form.own-key-form");
const input = document.querySelector("input#own-key");
const note = document.querySelector("#own-key-note");
if (form instanceof HTMLFormElement && input instanceof HTMLInputElement && note) {
  const defaultNote = note.textContent ?? "";
  /** @param {string} key */
  const showNote = (key) => {
    note.textContent = noteFor(key, defaultNote);
    if (key === "" || KEY.test(key)) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const key = input.value.trim();
    fillIn(key);
    showNote(key);
    store(KEY.test(key) && !isSecret(key) ? key : "");
  });
  input.value = storedKey();
  showNote(input.value);
}
fillIn(storedKey());

/**
 * Stores the key for this tab. If the browser blocks storage, the key is lost with the page.
 * @param {string} key
 */
function store(key) {
  try {
    sessionStorage.setItem(STORED_AS, key);
  } catch {}
}

/** @returns {string} the key, or an empty string */
function storedKey() {
  try {
    return sessionStorage.getItem(STORED_AS) ?? "";
  } catch {
    return "";
  }
}

/**
 * Fills in only valid keys, because people paste this code into a shell, and only where a key of its kind belongs.
 * @param {string} key
 */
function fillIn(key) {
  const isValid = KEY.test(key);
  const otherKind = !isValid ? "none" : isSecret(key) ? "publishable" : "secret";
  for (const [slot, placeholder] of slots)
    slot.textContent = isValid && !slot.classList.contains(otherKind) ? key : placeholder;
  for (const reason of document.querySelectorAll(".other-kind"))
    reason.toggleAttribute("hidden", !reason.classList.contains(otherKind));
}

/** @param {string} key */
function isSecret(key) {
  return key.startsWith("geo_sk_");
}

/**
 * @param {string} key
 * @param {string} defaultNote
 */
function noteFor(key, defaultNote) {
  if (key === "") return defaultNote;
  if (!KEY.test(key))
    return "That isn't a complete key. A key starts with geo_pk_ or geo_sk_, followed by letters, digits and underscores.";
  return isSecret(key)
    ? `This is a secret key, so it's only filled into server code, and forgotten when you leave this page. ${defaultNote}`
    : `This is a publishable key, so it isn't filled into back-end code: only secret keys can look up visitors. If it has an allowlist of origins, it works only in pages of those origins, not in curl and not on this page. ${defaultNote}`;
}
