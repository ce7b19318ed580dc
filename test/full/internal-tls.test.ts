import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { IDENTITIES } from "../../services/shared/src/runtime/tls/identities.ts";
import { nameOf } from "../../services/shared/src/runtime/tls/testing/internal-certificates.ts";
import { createAuthority } from "../harness/certificates.ts";
import { type Cluster, ONE_OF_EACH, startCluster } from "../harness/cluster.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 90_000;
const DEADLINE_MS = 30_000;
/** After each change of files. */
const REQUESTS = 50;
const RELOADED = "internal TLS files reloaded";
const PROCESSES = ["gateway", "auth", "geo", "usage", "portal"];

describe("a cluster with TLS between its processes", () => {
  const authority = createAuthority();
  let cluster: Cluster;
  let folder: string;
  before("start it", async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await startCluster({ ...ONE_OF_EACH, STORES: "embedded", INTERNAL_TLS: "on" });
    folder = join(cluster.dataDir, "cluster", "internal-tls");
  });
  after("stop it", async function () {
    this.timeout(START_TIMEOUT_MS);
    await cluster?.stop();
  });

  const linesOf = (process: string) => {
    const lines = cluster.output().split("\n");
    return lines.filter((line) => line.startsWith(`${process}-`) || line.startsWith(`${process} `));
  };
  const reloads = (process: string) => linesOf(process).filter((line) => line.includes(RELOADED)).length;
  const put = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, content, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };

  it("switches to another CA under load, without a failed request", async function () {
    this.timeout(4 * DEADLINE_MS);
    const { key } = await cluster.issueKey({ kind: "secret", plan: "paid" });
    const bad: unknown[] = [];
    let sent = 0;
    let isOver = false;
    const load = [keyed(key), { path: "/v1/geo" }, { path: "/errors", host: cluster.docsHost }].map(async (request) => {
      while (!isOver) {
        const { status, text } = await cluster.send(request);
        if (status !== 200 || text.includes('"partial"')) bad.push([request, status, text]);
        sent += 1;
      }
    });
    const change = async (what: string, write: () => void) => {
      const before = PROCESSES.map(reloads);
      write();
      const areReloaded = () => PROCESSES.every((process, index) => reloads(process) > (before[index] ?? 0));
      await waitFor(`every process to have ${what}`, areReloaded, DEADLINE_MS);
      const from = sent;
      await waitFor(`requests with ${what}`, () => sent >= from + REQUESTS, DEADLINE_MS);
    };
    await change("both CAs", () => put("ca.pem", readFileSync(join(folder, "ca.pem"), "utf8") + authority.ca));
    await change("new certificates", () => {
      for (const identity of IDENTITIES) {
        const { certFile, keyFile } = authority.issue({ names: [nameOf(identity)] });
        put(`${identity}.key`, readFileSync(keyFile, "utf8"));
        put(`${identity}.pem`, readFileSync(certFile, "utf8"));
      }
    });
    await change("the new CA alone", () => put("ca.pem", authority.ca));
    isOver = true;
    await Promise.all(load);
    expect(bad).to.deep.equal([]);
    expect(await cluster.keys("list")).to.have.length.above(0);
  });
});
