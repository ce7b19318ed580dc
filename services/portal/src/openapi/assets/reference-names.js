// Accessible names for controls that Swagger UI leaves without one.

/** @type {readonly (readonly [selector: string, name: string])[]} */
const NAMES = [
  [".examples-select-element", "Example"],
  [".content-type", "Media type"],
  [".parameters input", "Value"],
  [".parameters select", "Value"],
];

/**
 * Names the controls inside an element, including those added later.
 * @param {Element} root
 */
export function nameControls(root) {
  const name = () => {
    for (const [selector, label] of NAMES)
      for (const control of root.querySelectorAll(`${selector}:not([aria-label])`))
        control.setAttribute("aria-label", label);
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}
