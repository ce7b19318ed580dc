import { expect } from "chai";
import { HOUR_MS } from "./hourly-limit.ts";
import { createWindows } from "./windows.ts";

const START_MS = Date.UTC(2026, 0, 1);

describe("createWindows", () => {
  it("forgets hours that are over", () => {
    const windows = createWindows();
    for (let index = 0; index < 100; index += 1) windows.take(`caller ${index}`, 60, START_MS + index);
    windows.take("latest", 60, START_MS + HOUR_MS + 49);
    expect(windows.callers()).to.have.length(51);
    expect(windows.find("caller 49", START_MS + HOUR_MS + 49)).to.equal(undefined);
    expect(windows.find("caller 50", START_MS + HOUR_MS + 49)?.own).to.equal(1);
  });
});
