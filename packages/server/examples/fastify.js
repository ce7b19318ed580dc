// npm install fastify, in a folder with "type": "module" in its package.json
import { createGeolookup } from "@geolookup/server";
import { geoPlugin } from "@geolookup/server/fastify";
import fastify from "fastify";

const geolookup = createGeolookup({
  url: process.env.GEOLOOKUP_URL,
  key: process.env.GEO_KEY,
  // Your proxy, if there is one, e.g. nginx on this machine.
  trustProxy: ["loopback"],
});

const app = fastify();
app.register(geoPlugin, { geolookup });
app.get("/", async (request) => ({ hello: request.geo.city ?? "visitor", geo: request.geo }));

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" }));
