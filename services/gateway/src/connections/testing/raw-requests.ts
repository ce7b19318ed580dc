import { expect } from "chai";
import { KEY } from "../../testing/small-app.ts";

/** A valid request, without the empty line at its end. */
export const GOOD = `GET /v1/geo?key=${KEY} HTTP/1.1\r\nHost: a\r\n`;

/** The statuses of the responses in what a connection received, checked to be whole. */
export function statusesIn(text: string): number[] {
  const statuses: number[] = [];
  for (let rest = text; rest !== ""; ) {
    const [head, status] = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(rest) ?? [];
    const body = status === "204" ? "0" : /\r\nContent-Length: (\d+)\r\n/.exec(head ?? "")?.[1];
    if (head === undefined || body === undefined) throw new Error(`not a response: ${rest.slice(0, 200)}`);
    const length = head.length + Number(body);
    expect(rest.length, "a whole response").to.be.at.least(length);
    if (status !== "204") JSON.parse(rest.slice(head.length, length));
    statuses.push(Number(status));
    rest = rest.slice(length);
  }
  return statuses;
}

/** The statuses of `count` served requests. */
export function ones(count: number): number[] {
  return new Array<number>(count).fill(200);
}
