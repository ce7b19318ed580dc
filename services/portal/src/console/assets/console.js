// Forms are sent once, however often their button is pressed.

for (const form of document.querySelectorAll("form[method=post]"))
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
  });

// Coming back to a page that the browser has kept, its buttons work again.
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
