import { request } from "node:http";
import { expect } from "chai";
import type { Deployment, IssuedKey } from "../harness/deployment.ts";
import { type HaproxyServer, startHaproxy } from "../harness/haproxy-server.ts";
import { startStandalone } from "../harness/standalone.ts";

/** Not a proxy: TRUST_PROXY has only 127.0.0.1, where the HAProxies are. */
const BACK_END = "127.0.0.2";
const VISITOR = "44.1.2.3";

describe("a back end that forwards visitors, through real proxies", function () {
  this.timeout(60_000);
  const opened = new AsyncDisposableStack();
  let gateway: Deployment;
  let proxy: HaproxyServer;
  let outerProxy: HaproxyServer;
  let may: IssuedKey;
  let mayNot: IssuedKey;

  before(async () => {
    gateway = opened.use(await startStandalone({ TRUST_PROXY: "127.0.0.1" }));
    const { docsUrl } = gateway;
    const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
    proxy = opened.use(await startHaproxy({ gatewayPort: portOf(gateway), docsUrl }));
    outerProxy = opened.use(await startHaproxy({ gatewayPort: portOf(proxy), docsUrl }));
    may = await gateway.issueKey({ kind: "secret", forward: true });
    mayNot = await gateway.issueKey({ kind: "secret" });
  });
  after(() => opened.disposeAsync());

  for (const [where, target] of [
    ["directly", () => gateway],
    ["behind HAProxy", () => proxy],
    ["behind two HAProxies", () => outerProxy],
  ] as const)
    it(`${where}: one entry, and nothing that a visitor sent`, async () => {
      const { url } = target();
      expect(await ipFor(url, may, VISITOR)).to.equal(VISITOR);
      expect(await ipFor(url, may, `51.7.0.9, 127.0.0.1, ${VISITOR}`), "spoofed").to.equal(VISITOR);
      expect(await ipFor(url, may, `${VISITOR}, unknown`), "invalid").to.equal(BACK_END);
      expect(await ipFor(url, may, null), "missing").to.equal(BACK_END);
      expect(await ipFor(url, mayNot, VISITOR), "without the permission").to.equal(BACK_END);
    });
});

/** The address that the record of a lookup is for. */
function ipFor(url: string, { key }: IssuedKey, forwardedFor: string | null): Promise<string> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(forwardedFor !== null && { "X-Forwarded-For": forwardedFor }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v1/geo`, { localAddress: BACK_END, headers, agent: false }, async (incoming) => {
      const text = (await incoming.toArray()).join("");
      resolve(JSON.parse(text).ip);
    });
    outgoing.on("error", reject).end();
  });
}
