import { expect } from "chai";
import { expectError } from "../harness/expect-response.ts";
import { send } from "../harness/http.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract: ops ports", (deployment) => {
  it("every process serves /healthz, /readyz and /metrics on its ops port", async () => {
    for (const ops of deployment().opsUrls) {
      expect((await send(ops, { path: "/healthz" })).status, ops).to.equal(200);
      expect((await send(ops, { path: "/readyz" })).status, ops).to.equal(200);
      const metrics = await send(ops, { path: "/metrics" });
      expect(metrics.status, ops).to.equal(200);
      expect(metrics.headers["content-type"]).to.match(/^text\/plain/);
    }
  });

  it("/status has the service, its version, whether it is ready, and its gauges", async () => {
    for (const ops of deployment().opsUrls) {
      const { status, headers, json } = await send(ops, { path: "/status" });
      expect([status, headers["content-type"]], ops).to.deep.equal([200, "application/json"]);
      expect(json).to.have.all.keys("service", "version", "node", "ready", "startedUnixSeconds", "gauges");
      expect(json.ready).to.equal(true);
      expect(Math.abs(Date.now() / 1000 - json.startedUnixSeconds)).to.be.below(3_600);
      const build = { name: "geolookup_build_info", labels: { version: json.version }, value: 1 };
      expect(json.gauges).to.deep.include(build);
      for (const { name, value } of json.gauges) expect([name, typeof value]).to.deep.equal([name, "number"]);
    }
  });

  it("the public port doesn't serve them", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics", "/status"])
      expectError(await deployment().send({ path }), "not_found", deployment());
  });

  it("the ops port doesn't serve the API", async () => {
    for (const ops of deployment().opsUrls) expect((await send(ops, { path: "/v1/geo" })).status).to.equal(404);
  });

  it("metrics are well formed, named geolookup_…, and count responses", async () => {
    await deployment().send({ path: "/nowhere" });
    const texts = await Promise.all(
      deployment().opsUrls.map(async (ops) => (await send(ops, { path: "/metrics" })).text),
    );
    const lines = texts
      .join("\n")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    for (const line of lines) expect(line).to.match(/^[a-z_:][a-z0-9_:]*(\{[^}]*\})? (-?[0-9.e+-]+|nan|[+-]?inf)$/i);
    const own = lines.filter((line) => line.startsWith("geolookup_"));
    expect(own).to.not.be.empty;
    expect(own.some((line) => line.includes("not_found") && !line.endsWith(" 0"))).to.equal(true);
  });
});
