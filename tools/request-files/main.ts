import { startStandalone } from "../../test/harness/standalone.ts";

/**
 * Lists the files of services/ that one request with a key enters in a warm standalone: those in which a function runs while it is served,
 * but not while the process is idle. Each is a file to open for the one who follows a request.
 */
const WARM_UP_REQUESTS = 200;
const IDLE_MS = 5_000;

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

await using standalone = await startStandalone({ NODE_OPTIONS: "--inspect=127.0.0.1:0" });
const [address = ""] = /ws:\/\/\S+/.exec(standalone.output()) ?? [];
const inspector = new WebSocket(address);
await new Promise((resolve) => inspector.addEventListener("open", resolve, { once: true }));

async function call<Result>(method: string, params: object = {}): Promise<Result> {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const { data } = await new Promise<MessageEvent>((resolve) =>
    inspector.addEventListener("message", resolve, { once: true }),
  );
  return JSON.parse(data).result;
}

/** The functions that ran since the last call, as the path of their file and where they start. */
async function functionsThatRan(): Promise<Set<string>> {
  const { result } = await call<Coverage>("Profiler.takePreciseCoverage");
  const ran = result.flatMap(({ url, functions }) => {
    const [, path] = /\/services\/(.*)$/.exec(url) ?? [];
    if (path === undefined) return [];
    return functions.flatMap(({ ranges: [whole] }) => (whole?.count ? [`${path} ${whole.startOffset}`] : []));
  });
  return new Set(ran);
}

const { key } = await standalone.issueKey({ plan: "paid" });
const target = `${standalone.url}/v1/geo?key=${key}`;
for (let request = 0; request < WARM_UP_REQUESTS; request += 1) await (await fetch(target)).text();
await call("Profiler.enable");
await call("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await functionsThatRan();
await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
const idle = await functionsThatRan();
await (await fetch(target)).text();
const ran = (await functionsThatRan()).difference(idle);
const files = [...new Set([...ran].map((name) => name.replace(/ \d+$/, "")))].sort();
process.stdout.write(`${files.join("\n")}\n${files.length} files\n`);
inspector.close();
