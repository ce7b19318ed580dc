// Starts Swagger UI on the description of this host. Its bundle is no module: it leaves a function in the window.
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
    // Its colors are styles within the page; the site's are not.
    syntaxHighlight: false,
    supportedSubmitMethods: ["get", "head"],
    // The badge would ask another host.
    validatorUrl: null,
  });
});
const reference = document.querySelector("#reference");
if (reference) nameControls(reference);
document.head.append(bundle);

// Swagger UI's own dark colors are chosen by a class.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();
