import { expect } from "chai";
import { readResponseHead } from "./response.ts";

const read = (text: string) => readResponseHead(Buffer.from(text));

describe("reading a response's head", () => {
  for (const name of ["Content-Length", "content-length", "CONTENT-LENGTH"])
    it(`finds status and length (${name})`, () => {
      const head = `HTTP/1.1 429 Too Many Requests\r\nA: b\r\n${name}: 12\r\nC: d\r\n\r\n`;
      expect(read(`${head}0123456789ab`)).to.deep.equal({ status: 429, length: head.length + 12 });
    });

  it("waits for the end of the head", () => {
    expect(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")?.length).to.equal(Number.POSITIVE_INFINITY);
  });

  it("doesn't mistake text in the body for headers", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-length: 20\r\n\r\n";
    expect(read(`${head}Content-Length: 7777`)?.length).to.equal(head.length + 20);
  });

  it("refuses a response without a length", () => {
    expect(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")).to.equal(null);
  });
});
