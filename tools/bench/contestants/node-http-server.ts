import { createServer } from "node:http";
import { announce } from "./announce.ts";
import { FIXED_BODY } from "./fixed-body.ts";

const HEADERS = { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(FIXED_BODY) };

/** The cost of Node itself: a fixed response to every request. */
announce(createServer((_req, res) => void res.writeHead(200, HEADERS).end(FIXED_BODY)));
