// Selecting keys in the list: all at once, a range with the Shift key, and how many are selected. Without this script,
// keys are selected one at a time.

for (const form of document.querySelectorAll("form.selection")) {
  const boxes = [...form.querySelectorAll("input[name=key]")].filter((box) => box instanceof HTMLInputElement);
  // One in the table's heading, and one with a label where narrow screens hide the heading.
  const all = [...form.querySelectorAll("[data-select-all]")].filter((box) => box instanceof HTMLInputElement);
  const status = form.querySelector("[data-selected]");
  const hint = status?.textContent ?? "";
  /** @type {HTMLInputElement | null} */
  let last = null;

  const show = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    if (status) status.textContent = count === 0 ? hint : `${count} ${count === 1 ? "key" : "keys"} selected`;
    for (const box of all) {
      box.checked = count > 0 && count === boxes.length;
      box.indeterminate = count > 0 && count < boxes.length;
    }
  };

  for (const every of boxes.length > 0 ? all : []) {
    (every.closest("label") ?? every).hidden = false;
    every.addEventListener("change", () => {
      for (const box of boxes) box.checked = every.checked;
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
