import { createServer } from "node:http";
import { createGeolookup } from "@geolookup/server";

const geolookup = createGeolookup({
  url: process.env.GEOLOOKUP_URL,
  key: process.env.GEO_KEY,
  // Your proxy, if there is one, e.g. nginx on this machine.
  trustProxy: ["loopback"],
});

const server = createServer(async (req, res) => {
  const geo = await geolookup.locate(req);
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ hello: geo.city ?? "visitor", geo }));
});

server.listen(process.env.PORT ?? 3000, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
