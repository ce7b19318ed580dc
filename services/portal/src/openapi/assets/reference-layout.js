// The parts of Swagger UI that the reference page shows. Title, description and landmarks come from the site's frame.

/**
 * @typedef {(type: unknown, props?: object | null, ...children: unknown[]) => unknown} CreateElement
 * @typedef {{ React: { createElement: CreateElement } }} SwaggerSystem
 * @typedef {{ getComponent: (name: string, isContainer?: boolean) => unknown }} LayoutProps
 */

/**
 * A plugin of Swagger UI.
 * @param {SwaggerSystem} system
 */
export function referenceLayout({ React: { createElement } }) {
  return {
    components: {
      /** @param {LayoutProps} props */
      ReferenceLayout: ({ getComponent }) =>
        createElement(
          "div",
          { className: "swagger-ui" },
          createElement(getComponent("SvgAssets")),
          createElement(getComponent("errors", true)),
          createElement("h2", null, "Operations"),
          createElement(getComponent("operations", true)),
          createElement(getComponent("Models", true)),
        ),
      // The page has one field for the key.
      authorizeOperationBtn: () => null,
    },
    wrapComponents: {
      // A link inside a button can't be reached with the keyboard.
      DeepLink:
        () =>
        /** @param {{ text: string }} props */
        ({ text }) =>
          createElement("span", null, text),
    },
  };
}
