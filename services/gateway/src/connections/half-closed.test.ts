import { expect } from "chai";
import { readAll, startSmallApp, testCertificate } from "../testing/small-app.ts";
import { GOOD, ones, statusesIn } from "./testing/raw-requests.ts";

describe("a client that closes its side of the connection gets responses to", () => {
  for (const [over, certificate] of [
    ["plain HTTP", () => null],
    ["TLS", testCertificate],
  ] as const)
    for (const count of [1, 3, 12, 60])
      it(`${count} requests over ${over}`, async () => {
        await using app = await startSmallApp({ settings: { certificate: certificate() } });
        for (let times = 0; times < 5; times += 1) {
          const socket = await app.open(`${GOOD}\r\n`.repeat(count), { allowHalfOpen: true });
          socket.end();
          expect(statusesIn(await readAll(socket))).to.deep.equal(ones(count));
        }
        expect(app.counted()).to.equal(5 * count);
      });

  it("a request and half of another", async () => {
    await using app = await startSmallApp();
    const socket = await app.open(`${GOOD}\r\nGET /v1/geo HT`, { allowHalfOpen: true });
    socket.end();
    expect(statusesIn(await readAll(socket))).to.deep.equal([200, 404]);
    expect(app.counted()).to.equal(1);
  });
});
