import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { listen } from "./listen.ts";

/** Linux's limit on waiting connections, whatever a program requests: 4,096 since 5.4, 128 before. */
const SYSTEM_LIMIT = "/proc/sys/net/core/somaxconn";
const CONNECTIONS = existsSync(SYSTEM_LIMIT) ? Math.min(1_000, Number(readFileSync(SYSTEM_LIMIT, "utf8"))) : 128;
/** Connects, and prints how many connections succeeded: the system drops those beyond the backlog. */
const CLIENT = `
  const { connect } = require("node:net");
  let connected = 0;
  const end = () => {
    process.stdout.write(String(connected));
    process.exit();
  };
  setTimeout(end, 5_000);
  for (let i = 0; i < ${CONNECTIONS}; i += 1)
    connect(Number(process.argv[1]), "127.0.0.1", () => {
      connected += 1;
      if (connected === ${CONNECTIONS}) end();
    }).on("error", () => {});
`;

describe("listen", () => {
  it("queues connections that arrive while the process is busy", async () => {
    const server = createServer((socket) => socket.on("error", () => {}));
    await listen(server, { host: "127.0.0.1", port: 0, setting: "PORT" });
    try {
      const { port } = server.address() as AddressInfo;
      // No connection is accepted before the client has ended.
      const { stdout } = spawnSync(process.execPath, ["-e", CLIENT, `${port}`], { encoding: "utf8" });
      expect(stdout).to.equal(`${CONNECTIONS}`);
    } finally {
      server.close();
    }
  });
});
