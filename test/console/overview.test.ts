import { expect } from "chai";
import { onEveryConsole } from "../harness/console/console-suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const COUNTED_MS = 15_000;

onEveryConsole("console: overview", (console) => {
  it("is the first page, with requests, the busiest keys, refusals, warnings and the age of the data", async () => {
    const { key, keyId } = await console().issueKey({ label: "busiest" });
    for (let count = 0; count < 9; count += 1) expect((await console().lookUp(key)).status).to.equal(200);
    expect((await console().lookUp(`${key}x`)).status).to.equal(401);
    const operator = await console().operator();
    let text = "";
    await waitFor(
      "the requests to be shown",
      async () => {
        ({ text } = await operator.get("/console"));
        return new RegExp(`<a href="/console/keys/${keyId}">busiest</a>.*?<span>[\\d,]+ <span class="of">`, "s").test(
          text,
        );
      },
      COUNTED_MS,
    );
    expect(text).to.match(/<p class="name">Today<\/p><p class="count">[\d,]+</);
    expect(text).to.match(/<p class="name">Warnings<\/p><p class="count">[\d,]+</);
    expect(text).to.match(/<a href="\/errors\/\w+"><code>\w+<\/code><\/a><\/th><td class="number">[\d,]+</);
    expect(text).to.match(
      /<code>city\.mmdb<\/code><span class="sub">GeoLite2-City<\/span><\/th><td>[^<]+<\/td><td class="number[^"]*">(?:unknown|\d+ days?)</,
    );
    expect(text).to.include('data-live="/console/events"');
  });
});
