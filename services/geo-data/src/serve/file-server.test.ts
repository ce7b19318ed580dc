import { once } from "node:events";
import { statSync, truncateSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { signatureOf } from "@geolookup/shared/runtime/files/watch-files.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { startFileServer } from "./file-server.ts";
import type { Published } from "./publish.ts";

const SHA256 = "a".repeat(64);
/** More than the kernel buffers of a connection hold. */
const SIZE = 64 * 1024 ** 2;

describe("the geo data server's limits", () => {
  let resources: AsyncDisposableStack;
  let responses: { status: number; bytes: number }[];
  beforeEach(() => {
    resources = new AsyncDisposableStack();
    responses = [];
  });
  afterEach(() => resources.disposeAsync());

  const start = async (limits: NonNullable<Parameters<typeof startFileServer>[0]["limits"]>) => {
    const path = join(tempFolder(), "file");
    writeFileSync(path, "");
    truncateSync(path, SIZE);
    const file = { path, signature: signatureOf(statSync(path, { bigint: true })), size: SIZE, sha256: SHA256 };
    const published = { files: new Map([[SHA256, file]]) } as unknown as Published;
    const onResponse = (_resource: string, status: number, bytes: number) => void responses.push({ status, bytes });
    const log = createLog("geo-data", "error");
    const options = { host: "127.0.0.1", port: 0, tls: null, log, published: () => published, onResponse, limits };
    return resources.use(await startFileServer(options));
  };
  const open = async (port: number): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    resources.defer(() => void socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  const request = `GET /files/${SHA256} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it("ends a response that its client doesn't read", async () => {
    const { port } = await start({ stalledMs: 200 });
    (await open(port)).pause().write(request);
    await waitFor("the end", () => responses.length > 0, 5_000);
    expect(responses[0]?.bytes).to.be.below(SIZE / 2);
  });

  it("ends a response that takes too long", async () => {
    const { port } = await start({ responseTimeoutMs: 200, minBytesPerMs: SIZE });
    (await open(port)).pause().write(request);
    await waitFor("the end", () => responses.length > 0, 5_000);
  });

  it("responds once per connection, and closes connections beyond the limit", async () => {
    const { port } = await start({ maxConnections: 1 });
    const first = await open(port);
    const second = await open(port);
    await once(second.resume(), "close");
    first.resume().write("GET /one HTTP/1.1\r\nHost: x\r\n\r\nGET /two HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(first, "close");
    expect(responses).to.deep.equal([{ status: 404, bytes: 0 }]);
  });
});
