// Starts Swagger UI with this host's OpenAPI description. Its bundle isn't a module: it adds a global function.
import { referenceLayout } from "./reference-layout.js";
import { nameControls } from "./reference-names.js";

/**
 * @typedef {{
 *   layoutActions: { show: (path: readonly string[], isShown: boolean) => void },
 *   preauthorizeApiKey: (scheme: string, key: string) => void,
 *   authActions: { logout: (schemes: readonly string[]) => void },
 * }} SwaggerUi
 */

/** The way to send a key that needs no preflight. */
const KEY_SCHEME = "keyInQuery";

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
    tryItOutEnabled: true,
    // The validator badge would be loaded from another host.
    validatorUrl: null,
    onComplete: () => acceptKey(ui),
  });
  ui.layoutActions.show(["operations", "Geolocation", "locate"], true);
});
/**
 * Sends the key in the field with every request.
 * @param {SwaggerUi} ui
 */
function acceptKey(ui) {
  const form = document.querySelector("form.reference-key");
  const input = document.querySelector("input#reference-key");
  if (!(form instanceof HTMLFormElement && input instanceof HTMLInputElement)) return;
  const use = () => {
    const key = input.value.trim();
    if (key === "") ui.authActions.logout([KEY_SCHEME]);
    else ui.preauthorizeApiKey(KEY_SCHEME, key);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", use);
  use();
}

const reference = document.querySelector("#reference");
if (reference) nameControls(reference);
document.head.append(bundle);

// Swagger UI selects its dark theme by a class.
const dark = matchMedia("(prefers-color-scheme: dark)");
const applyTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyTheme);
applyTheme();
