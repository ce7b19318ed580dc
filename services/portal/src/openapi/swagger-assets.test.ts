import { expect } from "chai";
import { attributes, servePortal } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";

describe("the API reference", () => {
  let portal: Awaited<ReturnType<typeof servePortal>>;
  before(async () => {
    portal = await servePortal(testDeployment());
  });
  after(() => portal[Symbol.asyncDispose]());

  it("loads everything from its own host", async () => {
    const body = await (await portal.get("/reference")).text();
    const loaded = [...attributes(body, "src"), ...attributes(body, "href").filter((link) => link.endsWith(".css"))];
    const starter = await (await portal.get("/assets/reference/reference.js")).text();
    const later = [...starter.matchAll(/"(?:\.|\/assets\/reference)\/([\w-]+\.js)"/g)].map(([, name]) => name);
    expect(later).to.include("swagger-ui-bundle.js");
    for (const path of [...loaded, ...later.map((name) => `/assets/reference/${name}`)]) {
      expect(path).to.match(/^\/[a-z]/);
      expect((await portal.get(path)).status, path).to.equal(200);
    }
  });

  it("can only connect to its own host and the API", async () => {
    const policy = (await portal.get("/reference")).headers.get("content-security-policy");
    expect(policy).to.include("connect-src 'self' https://geo.example.com").and.include("script-src 'self';");
    expect(policy).to.not.include("unsafe");
  });

  for (const name of [
    ...["index.html", "swagger-initializer.js", "swagger-ui-bundle.js.map", "swagger-ui-standalone-preset.js"],
    ...["oauth2-redirect.html", "package.json", "..%2Fdocument.ts", "__proto__", "constructor"],
  ])
    it(`doesn't serve ${name}`, async () => {
      expect((await portal.get(`/assets/reference/${name}`)).status).to.equal(404);
    });
});
