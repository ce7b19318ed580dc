import { spawnSync } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { listen } from "./listen.ts";

const CONNECTIONS = 1_000;
/** Connects, and says how many connections came about: a server that has no room lets the system drop the others. */
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
  it("has room for connections that all come while the process is busy", async () => {
    const server = createServer((socket) => socket.on("error", () => {}));
    await listen(server, { host: "127.0.0.1", port: 0, setting: "PORT" });
    try {
      const { port } = server.address() as AddressInfo;
      // Nothing is taken from the queue before the client has ended.
      const { stdout } = spawnSync(process.execPath, ["-e", CLIENT, `${port}`], { encoding: "utf8" });
      expect(stdout).to.equal(`${CONNECTIONS}`);
    } finally {
      server.close();
    }
  });
});
