import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { createEdgeRecords } from "./edge-record.ts";
import { PLACE } from "./testing/small-edge.ts";

describe("headers of a record", () => {
  const recordOf = createEdgeRecords({
    ...{ host: "", port: 0, grpcPort: null, preset: "geo", fields: ["ip", "country", "city"], cacheSeconds: null },
    ...{ token: null, rules: null },
  });

  it("are the fields without the address, in their order", () => {
    const { lines, refusal } = recordOf(recordText(PLACE).members);
    expect(lines).to.equal("X-Geo-Country: CH\r\nX-Geo-City: Z%C3%BCrich\r\n");
    expect(refusal).to.equal(null);
  });
});
