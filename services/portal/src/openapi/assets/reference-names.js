// Controls that Swagger UI leaves without a name for those who do not see what is beside them.

/** @type {readonly (readonly [selector: string, name: string])[]} */
const NAMES = [
  [".examples-select-element", "Example"],
  [".content-type", "Media type"],
  [".parameters input", "Value"],
  [".parameters select", "Value"],
  [".close-modal", "Close"],
];

/**
 * Names the controls within an element, those that come later too.
 * @param {Element} root
 */
export function nameControls(root) {
  const name = () => {
    for (const [selector, label] of NAMES)
      for (const control of root.querySelectorAll(`${selector}:not([aria-label])`))
        control.setAttribute("aria-label", label);
    // Its label says other words than the button shows.
    for (const button of root.querySelectorAll(".modal-btn[aria-label]")) button.removeAttribute("aria-label");
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}
