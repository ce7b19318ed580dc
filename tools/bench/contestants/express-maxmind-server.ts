import { createServer } from "node:http";
import { isIPv6 } from "node:net";
import express from "express";
import { open } from "maxmind";
import { announce } from "./announce.ts";

/**
 * What you would write without this service: plain Express and maxmind on the same databases, returning everything known about
 * the caller's address from X-Forwarded-For. No keys, plans, limits, counts, errors or metrics. The arguments are the
 * databases' paths.
 */
const databases = await Promise.all(process.argv.slice(2).map((path) => open<object>(path)));
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
announce(createServer(app));
