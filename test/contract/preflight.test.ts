import { expectPreflight } from "../harness/expect-response.ts";
import { sendRaw } from "../harness/raw.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract 4.2: OPTIONS", (deployment) => {
  it("any path gets an immediate CORS preflight response", async () => {
    const paths = [
      ...["/v1/geo", "/", "/nowhere", "/V1/GEO", "/v1/geo/", "//", "/healthz", "/errors/not_found", "/v1/geo?key=x"],
      ...["/%", "/%zz", "/v1/geo%ff", "/..", "/v1/geo%00", "*"],
    ];
    for (const path of paths) expectPreflight(await deployment().send({ method: "OPTIONS", path }));
  });

  it("so is a target in absolute form", async () => {
    const { url } = deployment();
    expectPreflight(await deployment().send({ method: "OPTIONS", path: `${url}/v1/geo` }));
    expectPreflight(await deployment().send({ method: "OPTIONS", path: "http://elsewhere.test/%zz" }));
  });

  it("keys, origins, hosts and bodies are ignored", async () => {
    for (const sent of [
      { path: "/v1/geo?key=nonsense" },
      { headers: { Authorization: "Bearer nonsense", Origin: "null" } },
      { host: "anything.test" },
      { host: deployment().docsHost, path: "/errors/not_found" },
      { body: "some text" },
    ])
      expectPreflight(await deployment().send({ ...sent, method: "OPTIONS" }));
  });

  it("an Expect header is ignored", async () => {
    const response = await sendRaw(
      deployment().url,
      "OPTIONS /v1/geo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
    );
    expectPreflight({ status: response.status, headers: response.headers, text: response.body });
  });
});
