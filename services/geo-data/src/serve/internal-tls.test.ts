import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startGeo } from "@geolookup/geo/server.ts";
import { systemClock } from "@geolookup/shared/domain/clock.ts";
import { IDENTITIES, type Identity } from "@geolookup/shared/runtime/tls/identities.ts";
import { openInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import {
  certificateOf,
  internalAuthority,
  type LogLine,
  settingsOf,
} from "@geolookup/shared/runtime/tls/testing/internal-certificates.ts";
import { processFiles } from "@geolookup/shared/runtime/tls/testing/process-files.ts";
import { connectWith, refusedClients } from "@geolookup/shared/runtime/tls/testing/refused-clients.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { type CertificateFiles, createAuthority } from "../../../../test/harness/certificates.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { followServer } from "../follow/follow-server.ts";
import { openMaxmind } from "../testing/maxmind-fixture.ts";
import { startFileServer } from "./file-server.ts";
import { startGeoDataServer } from "./server.ts";

const DEADLINE_MS = 15_000;
const RELOADED = "internal TLS files reloaded";
const ANY_PORT = { host: "127.0.0.1", port: 0 };
const REQUEST = "GET /manifest.json HTTP/1.1\r\nHost: a\r\n\r\n";

describe("the geo data server with TLS between processes", () => {
  let opened: AsyncDisposableStack;
  let lines: LogLine[];
  beforeEach(() => {
    opened = new AsyncDisposableStack();
    lines = [];
  });
  afterEach(() => opened.disposeAsync());

  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const openTls = async (own: Identity, settings = settingsOf(own), registry = new Registry()) =>
    opened.use(await openInternalTls(settings, own, { clock: systemClock, log, registry, pollIntervalMs: 20 }));
  /** A server with nothing to serve yet. */
  const start = async (settings = settingsOf("geo-data")) => {
    const tls = await openTls("geo-data", settings);
    const options = { ...ANY_PORT, tls, log, published: () => null, onResponse: () => {} };
    return opened.use(await startFileServer(options));
  };
  const request = async (port: number, files: CertificateFiles, { ca } = internalAuthority()): Promise<string> => {
    const socket = connectWith(port, files, { ca });
    socket.end(REQUEST);
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
    });
    await new Promise((resolve) => socket.once("close", resolve));
    return received;
  };

  it("responds to geo nodes, and to no other client with a certificate from its CA", async () => {
    const { port } = await start();
    expect(await request(port, certificateOf("geo"))).to.match(/^HTTP\/1\.1 503 /);
    expect(lines).to.deep.equal([]);
    const others = IDENTITIES.filter((identity) => identity !== "geo");
    for (const files of [...others.map(certificateOf), internalAuthority().issue({ names: ["DNS:geo"] })])
      expect(await request(port, files)).to.equal("");
    expect(lines[0]).to.include({
      msg: "HTTP connection refused: the client's certificate doesn't permit it",
      caller: others[0],
    });
  });

  for (const { what, reason, connect } of refusedClients(internalAuthority(), "http/1.1"))
    it(`refuses ${what}, and says why in the log`, async () => {
      const socket = connect((await start()).port);
      await new Promise((resolve) => socket.resume().once("close", resolve));
      await waitFor("the log line", () => lines.length > 0, DEADLINE_MS);
      expect(lines[0]).to.include({ msg: "TLS connection refused", port: "HTTP", reason });
    });

  it("serves its databases to a geo node", async () => {
    const maxmind = await openMaxmind();
    opened.adopt(maxmind, (fixture) => fixture[Symbol.asyncDispose]());
    await maxmind.run();
    const own = { ...ANY_PORT, opsPort: 0, logLevel: "error" } as const;
    const { port, opsPort } = opened.use(
      await startGeoDataServer(
        { ...own, folder: maxmind.folder, internalTls: settingsOf("geo-data") },
        { fetches: false },
      ),
    );
    const folder = join(tempFolder(), "geo-mirror");
    const node = await startGeo(
      {
        ...own,
        internalTls: settingsOf("geo"),
        geofeeds: { named: [], optional: [] },
        acceptsLoss: false,
        databases: { installedIn: folder, isRefreshed: false },
        mirror: { server: `http://127.0.0.1:${port}`, folder },
      },
      undefined,
      followServer,
    );
    opened.use(node);
    const metrics = async (of: number) => await (await fetch(`http://127.0.0.1:${of}/metrics`)).text();
    expect(await metrics(node.opsPort)).to.match(/^geolookup_geo_data_info\{version="v1",.*\} 1$/m);
    expect(await metrics(opsPort))
      .to.match(/^geolookup_internal_tls_certificate_expiry_timestamp_seconds\{file="certificate"\} \d+$/m)
      .and.to.match(/^geolookup_geo_data_responses_total\{resource="manifest",status="200"\} 1$/m);
  });

  it("doesn't start with another service's certificate", () => {
    const { caFile, certFile, keyFile } = settingsOf("geo");
    const files = { INTERNAL_TLS_CA_FILE: caFile, INTERNAL_TLS_CERT_FILE: certFile, INTERNAL_TLS_KEY_FILE: keyFile };
    const { status, stderr } = spawnSync(process.execPath, ["services/geo-data/src/main.ts"], {
      encoding: "utf8",
      env: { ...files, PORT: "0", OPS_PORT: "0", DATA_DIR: tempFolder() },
      timeout: DEADLINE_MS,
    });
    expect(status, stderr).to.equal(1);
    expect(stderr).to.match(/INTERNAL_TLS_CERT_FILE .*the certificate isn't geo-data's/);
  });

  it("stays reachable while certificates and CA are replaced; then the old CA is refused", async () => {
    const [old, next] = [internalAuthority(), createAuthority()];
    const [server, node] = [processFiles("geo-data", old), processFiles("geo", old)];
    const { port } = await start(server.settings);
    const registry = new Registry();
    const tls = await openTls("geo", node.settings, registry);
    const [url, folder] = [`http://127.0.0.1:${port}`, join(tempFolder(), "geo-mirror")];
    opened.use(await followServer({ ...{ server: url, folder, tls, log, registry }, stopping: undefined, pollMs: 10 }));
    const polls = async () => {
      const { values = [] } = (await registry.getSingleMetric("geolookup_geo_data_fetches_total")?.get()) ?? {};
      return values.reduce((sum, { value }) => sum + value, 0);
    };
    const change = async (write: (of: typeof server) => void) => {
      const reloads = () => lines.filter(({ msg }) => msg === RELOADED).length;
      const before = reloads();
      for (const files of [server, node]) write(files);
      await waitFor("both reloads", () => reloads() >= before + 2, DEADLINE_MS);
      const from = await polls();
      await waitFor("more polls", async () => (await polls()) > from + 1, DEADLINE_MS);
    };
    await change(({ trust }) => trust(old, next));
    await change(({ renew }) => renew(next));
    await change(({ trust }) => trust(next));
    // Every poll got this response: other problems would have been logged.
    const failures = lines.filter(({ msg }) => msg !== RELOADED);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include({ msg: "waiting for geo data", problem: "it responded with status 503" });
    expect(await request(port, certificateOf("geo"), next)).to.equal("");
  });
});
