// Starts Swagger UI on the description of this host. Its bundle is no module: it leaves a function in the window.

const bundle = document.createElement("script");
bundle.src = "/assets/reference/swagger-ui-bundle.js";
bundle.addEventListener("load", () => {
  const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
    /** @type {unknown} */ (window)
  );
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // The badge would ask another host.
    validatorUrl: null,
  });
});
document.head.append(bundle);
