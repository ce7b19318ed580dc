import { expect } from "chai";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";
import { startProgram } from "./started-program.ts";

const LOCATED_MS = 20_000;
const SUITE_TIMEOUT_MS = 180_000;

/** X-Forwarded-For as the example's proxy sends it, the visitor and the city. */
const VISITORS: readonly (readonly [forwarded: string, ip: string, city: string])[] = [
  ["44.1.2.3", "44.1.2.3", "Rainhaven"],
  ["51.7.0.9", "51.7.0.9", "Upper Testing"],
  ["51.7.0.9, 44.1.2.4", "44.1.2.4", "Rainhaven"],
  ["garbage, [2A0E:1234::7]:443, 127.0.0.1", "2a0e:1234::7", "Rainhaven"],
];

/** A program that prints its address, and responds with `{ hello, geo }`. */
export interface Example {
  name: string;
  args: readonly string[];
  /** Within the suite's folder. */
  cwd?: string;
}

/**
 * Registers a suite that runs examples of back ends, whose key may forward, behind a proxy.
 * @param install returns the folder that has the examples.
 */
export function exampleSuite(title: string, examples: readonly Example[], install: () => string): void {
  describe(title, function () {
    this.timeout(SUITE_TIMEOUT_MS);
    let service: Deployment;
    const urls = new Map<string, string>();
    const kills: (() => void)[] = [];

    before(async () => {
      const folder = install();
      // Only the key lets these back ends forward.
      service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
      const { key } = await service.issueKey({ kind: "secret", forward: true });
      const env = { PORT: "0", GEOLOOKUP_URL: service.url, GEO_KEY: key };
      const start = async ({ name, args, cwd = "." }: Example) => {
        const { url, kill } = await startProgram(process.execPath, args, { cwd: `${folder}/${cwd}`, env });
        urls.set(name, url);
        kills.push(kill);
      };
      await Promise.all(examples.map(start));
    });
    after(async () => {
      for (const kill of kills) kill();
      await service?.[Symbol.asyncDispose]();
    });

    const visit = async (example: string, forwarded: string) => {
      const response = await send(urls.get(example) ?? "", { path: "/", headers: { "X-Forwarded-For": forwarded } });
      expect(response.status, response.text).to.equal(200);
      return response.json;
    };

    for (const { name } of examples)
      it(`${name}: locates its visitors, whatever they send`, async () => {
        for (const [forwarded, ip, city] of VISITORS) {
          // A busy machine may miss the deadline of 150 ms, which isn't tested here.
          const located = async () => (await visit(name, forwarded)).geo.ip !== null;
          await waitFor(`the location of ${ip}`, located, LOCATED_MS);
          const { hello, geo } = await visit(name, forwarded);
          expect({ hello, ip: geo.ip, city: geo.city }).to.deep.equal({ hello: city, ip, city });
        }
      });

    it("they keep working without the service", async () => {
      await service.kill();
      for (const { name } of examples) {
        const { hello, geo } = await visit(name, "44.9.9.9");
        expect(hello, name).to.equal("visitor");
        expect(geo).to.include({ partial: true, country: null, city: null, ip: null });
      }
    });
  });
}
