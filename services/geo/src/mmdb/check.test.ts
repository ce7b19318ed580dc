import { expect } from "chai";
import { townDatabase } from "../testing/fixtures.ts";
import { checkMmdb } from "./check.ts";

describe("checkMmdb", () => {
  it("lets other work run while it checks", async () => {
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await checkMmdb(townDatabase("Town"));
    expect(turned).to.equal(true);
  });
});
