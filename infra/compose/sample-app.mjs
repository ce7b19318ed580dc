import { createServer } from "node:http";

/** The sample application behind nginx: responds with the headers of each request, which include the visitor's location. */
const server = createServer((req, res) => {
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  res.end(`${JSON.stringify(req.headers, null, 2)}\n`);
}).listen(3000);

process.once("SIGTERM", () => {
  server.close();
  server.closeIdleConnections();
});
