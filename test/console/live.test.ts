import { expect } from "chai";
import { type ConsoleUnderTest, consoleBrowser, onEveryConsole } from "../harness/console/console-suite.ts";
import { type EventStream, openEventStream } from "../harness/console/event-stream.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const DEADLINE_MS = 15_000;
const START_TIMEOUT_MS = 120_000;

onEveryConsole("console: live updates", (console) => {
  const opened: EventStream[] = [];
  afterEach(() => {
    for (const stream of opened.splice(0)) stream[Symbol.dispose]();
  });

  async function open(operator: Awaited<ReturnType<ConsoleUnderTest["operator"]>>, path: string) {
    const stream = await openEventStream(console().url, {
      path,
      host: new URL(console().origin).host,
      cookie: operator.cookieHeader(),
    });
    opened.push(stream);
    return stream;
  }
  const shown = (stream: EventStream, text: string) =>
    waitFor(`${text} to be shown`, () => stream.events.some(({ data }) => data.includes(text)), DEADLINE_MS);

  it("show a key's current usage, and the overview", async () => {
    const { key, keyId } = await console().issueKey();
    const operator = await console().operator();
    const usage = await open(operator, `/console/keys/${keyId}/events`);
    await shown(usage, 'id="month-total">0<');
    expect((await console().lookUp(key)).status).to.equal(200);
    await shown(usage, 'id="month-total">1<');
    const overview = await open(operator, "/console/events");
    await shown(overview, 'id="top"');
  });

  it("end when their operator signs out, but not those of others", async () => {
    const [operator, other] = [await console().operator(), await console().operator()];
    const stream = await open(operator, "/console/events");
    const others = await open(other, "/console/events");
    await shown(stream, 'class="counts"');
    await operator.submit("/console/sign-out");
    await waitFor("the stream to end", stream.hasEnded, DEADLINE_MS);
    expect(stream.events.at(-1)?.event).to.equal("signed-out");
    expect(others.hasEnded()).to.equal(false);
    expect((await open(operator, "/console/events")).status).to.equal(401);
  });
});

describe("console: live updates at shutdown", () => {
  it("don't delay the shutdown", async function () {
    this.timeout(START_TIMEOUT_MS);
    const deployment = await startStandalone();
    const operator = consoleBrowser(deployment);
    await operator.signIn();
    const target = { path: "/console/events", host: deployment.docsHost, cookie: operator.cookieHeader() };
    const stream = await openEventStream(deployment.url, target);
    await waitFor("something to be shown", () => stream.events.length > 0, DEADLINE_MS);
    await deployment.stop();
    await waitFor("the stream to end", stream.hasEnded, DEADLINE_MS);
  });
});
