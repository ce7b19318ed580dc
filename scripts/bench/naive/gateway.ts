import { createServer } from "node:http";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import express from "express";
import { connect, StorageType } from "nats";
import { createClient } from "redis";
import { announce } from "../contestants/announce.ts";

/**
 * The cluster as one would write it at first, the reference of what the batches, caches and sums of this one save: for
 * every request it asks auth, asks geo, counts in Redis and publishes what it counted, one after another. It waits for
 * no acknowledgement of NATS, has no metrics, limits and deadlines but those of the calls, and knows keys alone.
 */
const { AUTH_URL = "", GEO_URL = "", REDIS_URL = "", NATS_URL = "" } = process.env;
const DEADLINE_MS = 5_000;
/** The stream keeps no more than this. */
const STREAM_BYTES = 64 * 2 ** 20;

interface Authorized {
  verdicts: { outcome: string; grant?: { keyId: string; monthlyRequests: number } }[];
}
interface Located {
  results: { place?: object }[];
}

const auth = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth"), AUTH_URL);
const geo = openClient(loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo"), GEO_URL);
const redis = await createClient({ url: REDIS_URL }).connect();
const nats = await connect({ servers: NATS_URL });
const streams = (await nats.jetstreamManager()).streams;
await streams.add({ name: "NAIVE", subjects: ["naive.*"], storage: StorageType.File, max_bytes: STREAM_BYTES });

const app = express();
app.disable("etag");
app.set("trust proxy", "loopback");
app.get("/v1/geo", async (req, res) => {
  const check = { key: String(req.query.key) };
  const { verdicts } = await callUnary<Authorized>(auth, "authorize", { checks: [check] }, { deadlineMs: DEADLINE_MS });
  const grant = verdicts[0]?.grant;
  if (!grant) return void res.status(401).json({ error: verdicts[0]?.outcome });
  const addresses = [req.ip ?? ""];
  const { results } = await callUnary<Located>(geo, "locate", { addresses }, { deadlineMs: DEADLINE_MS });
  const used = await redis.incr(`naive:${grant.keyId}`);
  if (used > grant.monthlyRequests) return void res.status(429).json({ error: "quota_exceeded" });
  nats.publish(`naive.${grant.keyId}`, JSON.stringify({ at: Date.now(), used }));
  res.json({ ip: req.ip, ...results[0]?.place });
});
announce(createServer(app));
