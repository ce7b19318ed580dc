import { createServer } from "node:http";
import { createGeolookup } from "@geolookup/server";
import { geoMiddleware } from "@geolookup/server/express";
import connect from "connect";

const geolookup = createGeolookup({
  url: process.env.GEOLOOKUP_URL,
  key: process.env.GEO_KEY,
  // Your proxy, if there is one, e.g. nginx on this machine.
  trustProxy: ["loopback"],
});

const app = connect();
app.use(geoMiddleware(geolookup));
app.use((req, res) => {
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ hello: req.geo.city ?? "visitor", geo: req.geo }));
});

const server = createServer(app).listen(process.env.PORT ?? 3000, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
