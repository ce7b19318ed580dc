import type { IncomingMessage, ServerResponse } from "node:http";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { openExchange } from "../request/exchange.ts";
import { createRefusals } from "./refusals.ts";

const FLOOD = 1_000;
/** Fewer responses than this are built in a few milliseconds. */
const FEW = 50;

describe("docs refusals", () => {
  it("let other work run between delayed ones", async () => {
    let sent = 0;
    let turns = 0;
    let mostInATurn = 0;
    let inThisTurn = 0;
    const refusals = createRefusals({
      docsUrl: () => "http://docs.localhost",
      clock: () => 0,
      log: createLog("refuser-test", "silent"),
      refused() {},
    });
    const response = () => {
      const res = {
        getHeaderNames: () => [],
        setHeader() {},
        writeHead: () => res,
        end() {
          sent += 1;
          inThisTurn += 1;
          mostInATurn = Math.max(mostInATurn, inThisTurn);
        },
      };
      return res as unknown as ServerResponse;
    };
    const req = { headers: {}, complete: true } as IncomingMessage;
    const countTurns = () => {
      turns += 1;
      inThisTurn = 0;
      if (sent < FLOOD) setImmediate(countTurns);
    };
    for (let count = 0; count < FLOOD; count += 1) refusals.refuse(openExchange(req, response(), null), "full");
    expect(sent).to.equal(0);
    countTurns();
    await waitFor("all refusals", () => sent === FLOOD, 5_000);
    expect(mostInATurn).to.be.within(1, FEW);
    expect(turns).to.be.greaterThan(FLOOD / FEW);
  });
});
