import { isIPv6 } from "node:net";
import express from "express";
import { open } from "maxmind";

/**
 * What you would write without this service: plain Express and maxmind on the same databases, returning everything known about
 * the caller's address from X-Forwarded-For. No keys, plans, limits, counts, errors or metrics. The arguments are the port and
 * the databases' paths.
 */
const [, , port, ...paths] = process.argv;
const databases = await Promise.all(paths.map((path) => open<object>(path)));
const forIpv4 = databases.filter(({ metadata }) => !/ipv6$/i.test(metadata.databaseType));
const forIpv6 = databases.filter(({ metadata }) => metadata.ipVersion === 6);

const app = express();
app.set("trust proxy", "loopback");
app.get("/v1/geo", (req, res) => {
  const ip = req.ip ?? "";
  const record = { ip };
  for (const database of isIPv6(ip) ? forIpv6 : forIpv4) Object.assign(record, database.get(ip));
  res.json(record);
});
app.listen(Number(port), "127.0.0.1");
