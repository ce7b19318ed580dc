// Starts Swagger UI with this host's OpenAPI description. Its bundle isn't a module: it adds a global function.
import { referenceLayout } from "./reference-layout.js";
import { nameControls } from "./reference-names.js";

/** @typedef {{ layoutActions: { show: (path: readonly string[], isShown: boolean) => void } }} SwaggerUi */

// Loaded beside the bundle. Without it, Swagger UI would first show that there are no operations.
const description = fetch("/openapi.json").then((response) => response.json());
const bundle = document.createElement("script");
bundle.src = "/assets/reference/swagger-ui-bundle.js";
bundle.addEventListener("load", async () => {
  const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => SwaggerUi }} */ (
    /** @type {unknown} */ (window)
  );
  const ui = SwaggerUIBundle({
    spec: await description,
    dom_id: "#reference",
    plugins: [referenceLayout],
    layout: "ReferenceLayout",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // It uses inline styles, which the Content-Security-Policy blocks.
    syntaxHighlight: false,
    supportedSubmitMethods: ["get"],
    // The validator badge would be loaded from another host.
    validatorUrl: null,
  });
  ui.layoutActions.show(["operations", "Geolocation", "locate"], true);
});
const reference = document.querySelector("#reference");
if (reference) nameControls(reference);
document.head.append(bundle);

// Swagger UI selects its dark theme by a class.
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyTheme);
applyTheme();
