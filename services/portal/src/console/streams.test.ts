import { EventEmitter, once } from "node:events";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "chai";
import type { Request, Response } from "express";
import { pino } from "pino";
import { rejection } from "../../../../test/harness/rejection.ts";
import { html } from "../html.ts";
import type { Session, Sessions } from "./sessions.ts";
import { createStreams } from "./streams.ts";

/** The parts of a response that streams use. */
class FakeResponse extends EventEmitter {
  status = 200;
  destroyed = false;
  writableLength = 0;
  set() {}
  flushHeaders() {}
  write() {}
  end() {
    this.emit("close");
  }
  sendStatus(status: number) {
    this.status = status;
  }
}

describe("live updates and exports", () => {
  const sessions = { isLive: () => true } as unknown as Sessions;
  const session = (id: string): Session => ({
    id,
    operator: { name: "admin", source: "admin", role: "admin", version: 0 },
    signedInAtMs: 0,
    seenAtMs: 0,
  });
  const idle = { everyMs: 60_000, render: async () => html`shown` };
  let streams: ReturnType<typeof createStreams>;
  beforeEach(() => {
    streams = createStreams({ sessions, isOperator: async () => true, log: pino({ level: "silent" }) });
  });
  afterEach(() => streams.endAll());

  const open = (id: string) => {
    const res = new FakeResponse();
    const req = { socket: { destroyed: false }, method: "GET" } as unknown as Request;
    streams.open(req, res as unknown as Response, session(id), idle);
    return res;
  };
  const startExport = (id: string) => {
    const res = new FakeResponse();
    void streams.export(res as unknown as Response, session(id), async () => {});
    return res;
  };

  it("end quietly when a download is canceled, and with the cause when it fails", async () => {
    const download = (fails: boolean, when: (res: PassThrough) => void) => {
      const res = new PassThrough();
      const lines = async function* () {
        yield "first\n";
        when(res);
        if (fails) throw new Error("auth is unavailable");
        // Waits for the client.
        await once(res, "close");
      };
      return streams.export(res as unknown as Response, session("one"), () => pipeline(lines, res));
    };
    await download(false, (res) => res.destroy());
    expect((await rejection(download(true, () => undefined))).message).to.equal("auth is unavailable");
    const gone = new PassThrough().on("error", () => undefined);
    const late = async () => {
      gone.destroy();
      await pipeline(["late"], gone);
    };
    await streams.export(gone as unknown as Response, session("two"), late);
  });

  it("are limited to 20 in total, and to four live updates and two exports per operator", () => {
    const ofOne = Array.from({ length: 5 }, () => open("one"));
    expect(ofOne.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 429]);
    const exports = Array.from({ length: 3 }, () => startExport("one"));
    expect(exports.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
    const ofOthers = Array.from({ length: 14 }, (_, index) => open(`other ${index}`));
    expect(ofOthers.every(({ status }) => status === 200)).to.equal(true);
    expect([open("last").status, startExport("last").status]).to.deep.equal([429, 429]);
    exports[0]?.end();
    expect(open("last").status).to.equal(200);
    expect(startExport("last").status).to.equal(429);
    ofOne[0]?.end();
    expect(startExport("last").status).to.equal(200);
  });
});
