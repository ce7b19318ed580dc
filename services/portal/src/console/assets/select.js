// Selecting keys in the list: all at once, and how many are selected. Without this script, keys are selected one at a time.

for (const form of document.querySelectorAll("form.selection")) {
  const boxes = [...form.querySelectorAll("input[name=key]")].filter((box) => box instanceof HTMLInputElement);
  const all = form.querySelector("[data-select-all]");
  const status = form.querySelector("[data-selected]");
  const hint = status?.textContent ?? "";

  const show = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    if (status) status.textContent = count === 0 ? hint : `${count} ${count === 1 ? "key" : "keys"} selected`;
    if (all instanceof HTMLInputElement) {
      all.checked = count > 0 && count === boxes.length;
      all.indeterminate = count > 0 && count < boxes.length;
    }
  };

  if (all instanceof HTMLInputElement && boxes.length > 0) {
    for (const label of all.labels ?? []) label.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      show();
    });
  }
  for (const box of boxes) box.addEventListener("change", show);
  // The browser may restore checkboxes after going back.
  addEventListener("pageshow", show);
  show();
}
