import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

export interface TcpProxy extends AsyncDisposable {
  /** Where to connect instead of the target. */
  port: number;
  /**
   * Stops forwarding bytes in both directions, without refusing or closing connections, like a network that drops every packet.
   * Bytes sent in the meantime are held, since TCP would retransmit them.
   */
  blackhole(): void;
  /** Forwards bytes again, starting with those that waited. */
  open(): void;
  /** Resets every open connection; new ones are treated as before. */
  cut(): void;
  /** Connects to another port from now on. Open connections stay. */
  pointTo(port: number): void;
  /** Resets every open connection, and new ones too until `open`. */
  refuse(): void;
  /** Delivers later bytes, and those of the other direction, after this time. */
  delay(ms: number): void;
  /** The bytes that clients have sent so far, by connection. Needs `isRecording`. */
  sent(): Buffer[];
}

/** One connection through the proxy. */
interface Pair {
  client: Socket;
  target: Socket | null;
  /** On the way to the target, and back. */
  requests: Transform;
  responses: Transform;
}

/**
 * Starts a proxy on a free loopback port, in front of `targetPort` on 127.0.0.1. Initially, it forwards everything.
 * @param options.isRecording whether it records the bytes that clients send.
 * @param options.loseResponse called for each piece of a response: whether to swallow it, or to reset the connection instead.
 */
export async function startTcpProxy(
  targetPort: number,
  options: { isRecording?: boolean; loseResponse?: () => "no" | "swallow" | "reset" } = {},
): Promise<TcpProxy> {
  const { isRecording = false, loseResponse } = options;
  let port = targetPort;
  const pairs = new Set<Pair>();
  const recorded: Buffer[][] = [];
  let passing = true;
  let isRefusing = false;
  let delayMs = 0;

  /** Delivers bytes in order, after the delay of when they were sent. */
  const delayed = () => {
    let lastAtMs = 0;
    let waiting = 0;
    const later = (work: () => void) => {
      if (delayMs === 0 && waiting === 0) return work();
      waiting += 1;
      lastAtMs = Math.max(lastAtMs, performance.now() + delayMs);
      setTimeout(() => {
        waiting -= 1;
        work();
      }, lastAtMs - performance.now());
    };
    return new Transform({
      transform(chunk, _encoding, done) {
        later(() => this.push(chunk));
        done();
      },
      flush: (done) => later(done),
    });
  };
  const end = (pair: Pair) => {
    if (!passing) return;
    pair.client.resetAndDestroy();
    pair.target?.resetAndDestroy();
    pairs.delete(pair);
  };
  const join = (pair: Pair) => {
    const target = connect(port, "127.0.0.1");
    pair.target = target;
    target.setNoDelay(true);
    // A refused connection is passed on as a reset: the proxy has already accepted its own.
    for (const socket of [pair.client, target]) {
      socket.on("error", () => end(pair));
      socket.on("close", () => end(pair));
    }
    if (loseResponse) pair.responses = losing(pair, loseResponse);
    pair.requests.pipe(target);
    pair.responses.pipe(pair.client);
    pair.client.pipe(pair.requests);
    target.pipe(pair.responses);
  };
  const losing = (pair: Pair, loses: NonNullable<typeof loseResponse>) =>
    new Transform({
      transform(chunk, _encoding, done) {
        const loss = loses();
        if (loss === "reset") end(pair);
        done(null, loss === "no" ? chunk : undefined);
      },
    });

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (client) => {
    if (isRefusing) {
      client.on("error", () => {});
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, target: null, requests: delayed(), responses: delayed() };
    pairs.add(pair);
    // Until it is piped: a client that gives up must not crash the test.
    client.on("error", () => {});
    if (isRecording) {
      const chunks: Buffer[] = [];
      recorded.push(chunks);
      client.on("data", (chunk: Buffer) => chunks.push(chunk));
    }
    if (passing) join(pair);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const cut = () => {
    for (const { client, target } of pairs) {
      client.resetAndDestroy();
      target?.resetAndDestroy();
    }
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    blackhole() {
      passing = false;
      for (const { client, target, requests, responses } of pairs) {
        if (!target) continue;
        client.unpipe(requests).pause();
        target.unpipe(responses).pause();
      }
    },
    open() {
      passing = true;
      isRefusing = false;
      for (const pair of pairs) {
        const { client, target, requests, responses } = pair;
        if (client.destroyed || target?.destroyed) end(pair);
        else if (target) {
          client.pipe(requests);
          target.pipe(responses);
        } else join(pair);
      }
    },
    cut,
    pointTo(other) {
      port = other;
    },
    refuse() {
      isRefusing = true;
      cut();
    },
    delay(ms) {
      delayMs = ms;
    },
    sent: () => recorded.map((chunks) => Buffer.concat(chunks)),
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
