// The API browser on this service's document. No validator is asked: it would be another host.
const place = document.getElementById("browser");
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  presets: [SwaggerUIBundle.presets.apis],
});
