// Selecting keys in the list: all at once, a range with the Shift key, and how many are selected. Without this script,
// keys are selected one at a time.

for (const form of document.querySelectorAll("form.selection")) {
  const boxes = [...form.querySelectorAll("input[name=key]")].filter((box) => box instanceof HTMLInputElement);
  const all = form.querySelector("[data-select-all]");
  const status = form.querySelector("[data-selected]");
  const hint = status?.textContent ?? "";
  /** @type {HTMLInputElement | null} */
  let last = null;

  const show = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    if (status) status.textContent = count === 0 ? hint : `${count} ${count === 1 ? "key" : "keys"} selected`;
    if (!(all instanceof HTMLInputElement)) return;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
  };

  if (all instanceof HTMLInputElement && boxes.length > 0) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      show();
    });
  }
  for (const box of boxes)
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last !== null) {
        const [from = 0, to = 0] = [boxes.indexOf(last), boxes.indexOf(box)].sort((one, other) => one - other);
        for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
      }
      last = box;
      show();
    });
  // The browser may restore checkboxes after going back.
  addEventListener("pageshow", show);
  show();
}
