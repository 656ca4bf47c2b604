// Shows the OpenAPI document of this server with Redoc. The document is handed
// over as a value and not as an address: with an address Redoc adds buttons
// that send readers to other sites.
const version = new URL(import.meta.url).search;
const place = document.getElementById("reference");

try {
  const [redoc, answer] = await Promise.all([
    import("./redoc.js" + version),
    fetch(new URL("../openapi.json", import.meta.url), { headers: { Accept: "application/json" } }),
  ]);
  if (!answer.ok) {
    throw new Error(`the server answered ${answer.status}`);
  }
  redoc.init(await answer.json(), { disableTelemetry: true, hideDownloadButtons: true, hideLoading: true }, place);
} catch (error) {
  const note = place.querySelector("[role=status]");
  note.textContent = `The reference cannot be shown: ${error.message}. Reload the page, or read the document itself.`;
}
