// npm install hono @hono/node-server, in a folder with "type": "module" in its package.json
import { createGeolookup } from "@geolookup/server";
import { geoMiddleware } from "@geolookup/server/hono";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const geolookup = createGeolookup({
  url: process.env.GEOLOOKUP_URL,
  key: process.env.GEO_KEY,
  // Your proxy, if there is one, e.g. nginx on this machine.
  trustProxy: ["loopback"],
});

const app = new Hono();
app.use(geoMiddleware(geolookup));
app.get("/", (c) => {
  const geo = c.get("geo");
  return c.json({ hello: geo.city ?? "visitor", geo });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
