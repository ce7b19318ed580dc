import type { Part, PartKind } from "../../scripts/cluster/parts.ts";
import { type RunningPart, runPart } from "../../scripts/cluster/running-part.ts";
import { setUpNats } from "./nats-server.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

/** A process of a cluster that a test can break and repair. It keeps its port, folder and settings. */
export interface ClusterPart {
  name: string;
  kind: PartKind;
  /** Its own port, bypassing any proxy. */
  port: number;
  /** `http://127.0.0.1:PORT` of its ops port; the stores have none. */
  opsUrl: string | null;
  folder: string;
  /** Whether the stores of its cluster require passwords and TLS. */
  isSecure: boolean;
  /** The current process. */
  readonly pid: number;
  isRunning(): boolean;
  /** Starts it; resolves immediately. */
  launch(): void;
  /** Starts it; resolves when it is ready. */
  start(): Promise<void>;
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with how it exited, and how long that took. */
  stop(): Promise<{ how: string; tookMs: number }>;
  /** SIGSTOP: it keeps its connections but does nothing. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Drops all traffic of this part with others, or only with those of one kind. Needs `proxied`. */
  blackhole(from?: Caller): void;
  /** Delays what callers of one kind and this part send to each other from now on: a round trip takes twice this time longer. */
  delay(ms: number, from: Caller): void;
  /** Ends the black hole. */
  open(): void;
  /** The bytes that callers of one kind have sent, by connection. Needs `recorded`. */
  sentBy(from: Caller): Buffer[];
}

/** A caller of a part: another part, or the test's clients. */
export type Caller = PartKind | "client";

const running = new Set<RunningPart>();
process.once("exit", () => {
  for (const part of running) part.signal("SIGKILL");
});

/**
 * Describes a part. It isn't started yet.
 * @param lines gets every line that it prints, under its name.
 * @param options.proxies in front of it, one for each kind of caller.
 */
export function clusterPart(
  part: Part,
  lines: string[],
  options: { proxies: Map<Caller, TcpProxy> | undefined; isSecure: boolean },
): ClusterPart {
  const { proxies, isSecure } = options;
  const { name, kind, port, opsPort, folder } = part;
  let current: RunningPart | undefined;
  const process = () => {
    if (!current) throw new Error(`${name} isn't running`);
    return current;
  };
  const launch = () => {
    if (current) throw new Error(`${name} is already running`);
    const started = runPart(part, ({ name }, line) => lines.push(`${name} ${line}`));
    current = started;
    running.add(started);
    // A test that doesn't wait for readiness notices the failure in its own condition.
    started.ready.catch(() => {});
    void started.ended.then(() => {
      running.delete(started);
      if (current === started) current = undefined;
    });
    return started;
  };
  const lastLines = () => {
    const own = lines.filter((line) => line.startsWith(`${name} `));
    return `; its last lines:\n${own.slice(-20).join("\n")}`;
  };
  return {
    name,
    kind,
    port,
    opsUrl: opsPort === null ? null : `http://127.0.0.1:${opsPort}`,
    folder,
    isSecure,
    get pid() {
      return process().pid;
    },
    isRunning: () => current !== undefined,
    launch: () => void launch(),
    async start() {
      try {
        await launch().ready;
        if (kind === "nats") await setUpNats(`nats://127.0.0.1:${port}`, isSecure);
      } catch (error) {
        throw new Error(`${(error as Error).message}${lastLines()}`);
      }
    },
    async kill() {
      const { signal, ended } = process();
      signal("SIGKILL");
      await ended;
    },
    async stop() {
      const startedMs = performance.now();
      const ended = await process().stop();
      const how = ended.endsWith("status 0") ? ended : `${ended}${lastLines()}`;
      return { how, tookMs: performance.now() - startedMs };
    },
    pause: () => process().signal("SIGSTOP"),
    resume: () => process().signal("SIGCONT"),
    blackhole(from) {
      if (!proxies) throw new Error(`${name} has no proxy: prepare the cluster with \`proxied\``);
      for (const [caller, proxy] of proxies) if (from === undefined || from === caller) proxy.blackhole();
    },
    delay(ms, from) {
      const proxy = proxies?.get(from);
      if (!proxy) throw new Error(`${name} has no proxy for ${from}: prepare the cluster with \`proxied\``);
      proxy.delay(ms);
    },
    open() {
      for (const proxy of proxies?.values() ?? []) proxy.open();
    },
    sentBy: (from) => proxies?.get(from)?.sent() ?? [],
  };
}
