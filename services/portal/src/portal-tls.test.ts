import { once } from "node:events";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import {
  certificateOf,
  internalAuthority,
  type LogLine,
  settingsOf,
} from "@geolookup/shared/runtime/tls/testing/internal-certificates.ts";
import { connectWith, refusedClients } from "@geolookup/shared/runtime/tls/testing/refused-clients.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../test/harness/wait-for.ts";
import { openPortal } from "./server.ts";
import { testDeployment } from "./testing/test-deployment.ts";

const DEADLINE_MS = 15_000;
const REQUEST = "GET /errors HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

describe("the portal's port with internal TLS", () => {
  let lines: LogLine[];
  let port: number;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    lines = [];
    opened = new AsyncDisposableStack();
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const registry = new Registry();
    const tls = opened.use(
      await openInternalTls(settingsOf("portal"), "portal", { clock: systemClock, log, registry }),
    );
    const options = { host: "127.0.0.1", port: 0, console: "off", deployment: () => testDeployment() } as const;
    ({ port } = opened.use(await openPortal({ ...options, log, registry, tls })));
  });
  afterEach(() => opened.disposeAsync());

  const request = async (files: { certFile: string; keyFile: string }) => {
    const socket = connectWith(port, files, { ca: internalAuthority().ca });
    socket.end(REQUEST);
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
    });
    await once(socket, "close");
    return received;
  };

  it("serves gateways, and no other client of its CA", async () => {
    expect(await request(certificateOf("gateway"))).to.match(/^HTTP\/1\.1 200 /);
    expect(lines).to.deep.equal([]);
    for (const files of [certificateOf("operator"), internalAuthority().issue({ names: ["DNS:redis"] })])
      expect(await request(files)).to.equal("");
    expect(lines[0]).to.include({
      msg: "HTTP connection refused: the client's certificate doesn't permit it",
      caller: "operator",
    });
  });

  for (const { what, reason, connect } of refusedClients(internalAuthority(), "http/1.1"))
    it(`refuses ${what}, and says why in the log`, async () => {
      const socket = connect(port);
      await new Promise((resolve) => socket.resume().once("close", resolve));
      await waitFor("the log line", () => lines.length > 0, DEADLINE_MS);
      expect(lines[0]).to.include({ msg: "TLS connection refused", port: "HTTP", reason });
    });
});
