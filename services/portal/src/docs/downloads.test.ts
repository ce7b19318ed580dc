import { readFileSync } from "node:fs";
import { expect } from "chai";
import { servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { HELPER_VERSIONS, integrityOf, newestHelper } from "./downloads.ts";

/** Other sites load these files: never change one. */
const RELEASED: Readonly<Record<string, string>> = {
  "0.2.0.d.ts": "sha384-EV9jU9FeU7cVPXWqn3qi7iq9VUqfCKpS7Xs3NFo8bWIELtBLQbepstBxze6IyDKc",
  "0.2.0.js": "sha384-54r6JuUB/ClStmo9I07v9GWZzxOf36ochCrNQp+4euGHOu7ww7G2h/f0OPA4w4bk",
  "0.3.0.d.ts": "sha384-02bfMIBPgtW6zGoUXn85pjb/4/SHjrnkzKOBUQSscVMHd+WRy5pdAL/+gEqiS6lK",
  "0.3.0.js": "sha384-UIkNyvELlbjGZP7YhS9drw/LNEjo/8kr9N7jUV4g35gTJX8cUkKusXBwek3WX5ub",
};

/** Types without those of the fields: a new field alone doesn't make a version. */
const withoutFields = (types: string) => types.replace(/^export interface GeoRecord {.*?^}$/ms, "");

describe("the versions of the browser helper", () => {
  it("are never changed or removed", () => {
    const hashes = Array.from(HELPER_VERSIONS, ([file, { body }]) => [file, integrityOf(body)]);
    expect(Object.fromEntries(hashes)).to.deep.equal(RELEASED);
  });

  it("include the current one and its types", () => {
    for (const extension of ["js", "d.ts"]) {
      const present = readFileSync(`packages/browser/geolookup.${extension}`, "utf8");
      const released = HELPER_VERSIONS.get(`${newestHelper().version}.${extension}`)?.body.toString() ?? "";
      expect(withoutFields(released), "see packages/browser/README.md").to.equal(withoutFields(present));
    }
  });

  it("are immutable and can be imported by any page, and the docs show the newest one's hash", async () => {
    const portal = await servePortal(testDeployment());
    try {
      const { version, integrity } = newestHelper();
      const { status, headers } = await portal.get(`/geolookup/${version}.js`);
      expect(status).to.equal(200);
      expect(headers.get("cache-control")).to.equal("public, max-age=31536000, immutable");
      expect(headers.get("content-type")).to.match(/^text\/javascript/);
      expect(headers.get("access-control-allow-origin")).to.equal("*");
      const types = await portal.get(`/geolookup/${version}.d.ts`);
      expect([types.status, types.headers.get("content-type")]).to.deep.equal([200, "text/plain; charset=utf-8"]);
      for (const unknown of ["0.0.9.js", "0.2.js", "0.2.0", "latest.js", "..%2Fpackage.json", "0.2.0.js%00"])
        expect((await portal.get(`/geolookup/${unknown}`)).status, unknown).to.equal(404);
      const frontEnd = textOf(await (await portal.get("/front-end")).text());
      expect(frontEnd).to.include(integrity);
      for (const extension of ["js", "d.ts"]) expect(frontEnd).to.include(`/geolookup/${version}.${extension}`);
    } finally {
      await portal[Symbol.asyncDispose]();
    }
  });
});
