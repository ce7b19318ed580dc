import { createServer } from "node:http";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUTH, GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { jetstreamManager, StorageType } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createClient } from "@redis/client";
import express from "express";
import { announce } from "../contestants/announce.ts";

/**
 * A naive cluster, to measure what batches, caches and summed counts save: for every request, it calls auth, then geo, counts in
 * Redis and publishes the count, one after another. It doesn't wait for NATS to acknowledge, has no metrics or limits and only
 * the calls' deadlines, and serves only requests with a key.
 */
const { AUTH_URL = "", GEO_URL = "", REDIS_URL = "", NATS_URL = "" } = process.env;
const DEADLINE_MS = 5_000;
/** The maximum size of the stream. */
const STREAM_BYTES = 64 * 2 ** 20;

const auth = openClient(AUTH_URL);
const geo = openClient(GEO_URL);
const redis = await createClient({ url: REDIS_URL }).connect();
const nats = await connect({ servers: NATS_URL });
const streams = (await jetstreamManager(nats)).streams;
await streams.add({ name: "NAIVE", subjects: ["naive.*"], storage: StorageType.File, max_bytes: STREAM_BYTES });

const app = express();
app.disable("etag");
app.set("trust proxy", "loopback");
app.get("/v1/geo", async (req, res) => {
  const check = { key: String(req.query.key) };
  const { authorizations } = await callUnary(auth, AUTH.Authorize, { checks: [check] }, { deadlineMs: DEADLINE_MS });
  const grant = authorizations[0]?.grant;
  if (!grant) return void res.status(401).json({ error: authorizations[0]?.outcome });
  const addresses = [req.ip ?? ""];
  const { records } = await callUnary(geo, GEO.Locate, { addresses }, { deadlineMs: DEADLINE_MS });
  const used = await redis.incr(`naive:${grant.keyId}`);
  if (used > (grant.monthlyRequests ?? 0)) return void res.status(429).json({ error: "quota_exceeded" });
  nats.publish(`naive.${grant.keyId}`, JSON.stringify({ at: Date.now(), used }));
  res.json({ ip: req.ip, ...JSON.parse(`{${records?.members[0]}}`) });
});
announce(createServer(app));
