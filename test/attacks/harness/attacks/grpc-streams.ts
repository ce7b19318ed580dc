import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { pause } from "../at-rate.ts";
import { type Attack, createTally } from "./attack.ts";

const LONG_MS = 2 ** 30;
const OPENED_AT_ONCE = 100;
const OPENING_PAUSE_MS = 20;

/** Connections and calls to geo's gRPC port that send nothing. */
export function grpcStreams({ connections, streams }: { connections: number; streams: number }): Attack {
  return {
    name: "grpc-streams",
    about: `${connections.toLocaleString("en")} connections to geo's gRPC port, each with ${streams} calls that send nothing`,
    async run({ inside }, signal) {
      const tally = createTally();
      const sessions: ClientHttp2Session[] = [];
      for (let opened = 0; opened < connections && !signal.aborted; opened += 1) {
        sessions.push(openSession(`http://${inside.grpc.geo}`, streams, tally.add));
        if (opened % OPENED_AT_ONCE === 0) await delay(OPENING_PAUSE_MS);
      }
      await pause(LONG_MS, signal);
      for (const session of sessions) session.destroy();
      return { tally: tally.counts, problems: [] };
    },
  };
}

function openSession(url: string, streams: number, add: (what: string) => void): ClientHttp2Session {
  const session = connect(url);
  session.on("error", () => {});
  session.once("connect", () => add("connections"));
  session.once("goaway", () => add("connections that got GOAWAY"));
  for (let opened = 0; opened < streams; opened += 1) {
    const stream: ClientHttp2Stream = session.request(
      {
        ":method": "POST",
        ":path": "/geolookup.geo.v1.Geo/Locate",
        "content-type": "application/grpc",
        te: "trailers",
      },
      { endStream: false },
    );
    add("streams");
    stream.on("error", () => {});
    stream.once("response", () => add("streams with a response"));
  }
  return session;
}
