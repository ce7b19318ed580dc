// Submits forms only once, even if the button is pressed repeatedly.

/** @type {HTMLButtonElement[]} */
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
