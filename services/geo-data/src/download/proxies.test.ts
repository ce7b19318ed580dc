import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { startConnectProxy } from "../testing/connect-proxy.ts";
import { oneLineOf } from "../testing/geo-data-on-disk.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { readProxies } from "./proxies.ts";

describe("downloads through an HTTP proxy", () => {
  it("connect to hosts that only the proxy can resolve, not to exceptions, and follow only safe redirects", async () => {
    await using resources = new AsyncDisposableStack();
    const { ca, issue } = testAuthority();
    const names = ["DNS:publisher.test", "DNS:storage.test", "IP:127.0.0.1"];
    const { certFile, keyFile } = issue({ names });
    const requests: unknown[] = [];
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (req, res) => {
      requests.push([req.headers.host, req.headers.authorization, req.headers["proxy-authorization"]]);
      const location = new URL(req.url ?? "", "https://publisher.test").searchParams.get("to");
      if (location === null) res.end("geo data");
      else res.writeHead(302, { location }).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    resources.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const proxy = resources.use(await startConnectProxy(port));
    const proxies = readProxies({ HTTPS_PROXY: `http://me:s%3Acret@${proxy.host}`, NO_PROXY: "10.0.0.1,127.0.0.1" });
    const guarded = createGuardedFetch({ ca, proxies });
    const get = async (url: string) => {
      const headers = { authorization: "Basic mine" };
      const response = await guarded(url, "it", { method: "GET", headers, signal: AbortSignal.timeout(5_000) });
      return response.text();
    };

    expect(await get("https://publisher.test/?to=https://storage.test/file")).to.equal("geo data");
    expect(proxy.tunnels).to.deep.equal(["publisher.test:443 me:s:cret", "storage.test:443 me:s:cret"]);
    expect(requests).to.deep.equal([
      ["publisher.test", "Basic mine", undefined],
      ["storage.test", undefined, undefined],
    ]);
    for (const to of ["http://storage.test/", "https://10.0.0.1/", "https://localhost/", "https://[::1]/"])
      expect(await oneLineOf(get(`https://publisher.test/?to=${to}`)), to).to.match(/without TLS|isn't public/);
    proxy.tunnels.length = 0;
    expect(await get(`https://127.0.0.1:${port}/`)).to.equal("geo data");
    expect(proxy.tunnels, "an exception").to.deep.equal([]);
  });

  it("need a proxy's URL, which is never shown", () => {
    expect(readProxies({ NO_PROXY: "*", HTTPS_PROXY: "" })).to.equal(null);
    expect(readProxies({ https_proxy: "proxy.example:3128", HTTPS_PROXY: "http://other:1" })).to.deep.equal({
      ...{ https: "http://proxy.example:3128", http: null, exceptions: "" },
    });
    for (const value of ["socks5://me:s3cret@proxy.example", "http://me:s3cret@:1"])
      expect(() => readProxies({ HTTPS_PROXY: value }))
        .to.throw(StartError, /HTTPS_PROXY: must be the URL of an HTTP proxy/)
        .and.to.have.property("message")
        .that.not.includes("s3cret");
  });
});
