// npm install express, in a folder with "type": "module" in its package.json
import { createGeolookup } from "@geolookup/server";
import { geoMiddleware } from "@geolookup/server/express";
import express from "express";

const geolookup = createGeolookup({
  url: process.env.GEOLOOKUP_URL,
  key: process.env.GEO_KEY,
  // Your proxy, if there is one, e.g. nginx on this machine.
  trustProxy: ["loopback"],
});

const app = express();
app.use(geoMiddleware(geolookup));
app.get("/", (req, res) => res.json({ hello: req.geo.city ?? "visitor", geo: req.geo }));

const server = app.listen(process.env.PORT ?? 3000, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
