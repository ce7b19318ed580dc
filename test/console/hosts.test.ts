import { expect } from "chai";
import { expectError } from "../harness/expect-response.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("console: on the docs host only", (deployment) => {
  it("isn't served by the API host", async () => {
    for (const path of ["/console", "/console/sign-in", "/console/keys", "/console/assets/console.js"]) {
      expectError(await deployment().send({ path }), "not_found", deployment());
      expectError(await deployment().send({ path, method: "POST", body: "token=x" }), "not_found", deployment());
    }
  });

  it("is only served under its exact path", async () => {
    for (const path of ["/Console", "//console", "/console%2Fsign-in", "/%63onsole", "/consoles", "/x/../console"]) {
      const response = await deployment().send({ path, host: deployment().docsHost });
      expect([path, response.status]).to.deep.equal([path, 404]);
    }
  });

  it("leaves the docs without cookies, and refuses their forms", async () => {
    const cookie = { Cookie: "geolookup-session=x" };
    const page = await deployment().send({ path: "/", host: deployment().docsHost, headers: cookie });
    expect(page.headers).to.not.have.property("set-cookie");
    const form = await deployment().send({ path: "/", host: deployment().docsHost, method: "POST", body: "a=b" });
    expect(form.status).to.equal(405);
  });
});
