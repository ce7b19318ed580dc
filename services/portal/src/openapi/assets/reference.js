// Starts Swagger UI with this host's OpenAPI description. Its bundle isn't a module: it adds a global function.
import { referenceLayout } from "./reference-layout.js";
import { nameControls } from "./reference-names.js";

const bundle = document.createElement("script");
bundle.src = "/assets/reference/swagger-ui-bundle.js";
bundle.addEventListener("load", () => {
  const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
    /** @type {unknown} */ (window)
  );
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#reference",
    plugins: [referenceLayout],
    layout: "ReferenceLayout",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // It uses inline styles, which the Content-Security-Policy blocks.
    syntaxHighlight: false,
    supportedSubmitMethods: ["get", "head"],
    // The validator badge would be loaded from another host.
    validatorUrl: null,
  });
});
const reference = document.querySelector("#reference");
if (reference) nameControls(reference);
document.head.append(bundle);

// Swagger UI selects its dark theme by a class.
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyTheme);
applyTheme();
