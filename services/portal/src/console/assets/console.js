// Submits forms only once, even if the button is pressed repeatedly.

for (const form of document.querySelectorAll("form[method=post]"))
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
  });

// Enables the buttons again when the browser restores the page from its cache.
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
