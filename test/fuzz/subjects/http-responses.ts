const HEAD_END = "\r\n\r\n";
/** The statuses of the API (contract, sections 4 and 7) without 500, which would be a fault. */
const STATUSES = new Set([200, 204, 401, 403, 404, 429]);
/** The limit of the key in use. Without a key it is 60. */
const KEYED_LIMIT = /\r\nx-ratelimit-limit: 1000000\r\n/i;

interface Response {
  status: number;
  body: string;
  isWhole: boolean;
  /** Whether it is a complete 200 that counts against the key. */
  isKeyed200: boolean;
}

/** Parses everything that a server sent on a connection. Bytes that aren't a response count as an incomplete one. */
export function readResponses(text: string): Response[] {
  const responses: Response[] = [];
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf(HEAD_END, at);
    const head = headEnd < 0 ? text.slice(at) : text.slice(at, headEnd + HEAD_END.length);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
    const length = status === 204 ? 0 : Number(/\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1] ?? Number.NaN);
    const end = at + head.length + length;
    const isWhole = status > 0 && headEnd >= 0 && end <= text.length;
    const body = isWhole ? text.slice(at + head.length, end) : text.slice(at + head.length);
    responses.push({ status, body, isWhole, isKeyed200: isWhole && status === 200 && KEYED_LIMIT.test(head) });
    if (!isWhole) break;
    at = end;
  }
  return responses;
}

/** @throws Error if these can't be the responses to the requests. */
export function checkResponses(sent: string, responses: readonly Response[]): void {
  // Each request ends with a blank line, except perhaps the last one. Bodies may contain more of them.
  const mostRequests = (sent.match(/\r?\n\r?\n|\r\r/g)?.length ?? 0) + 1;
  if (responses.length > mostRequests) throw new Error(`${responses.length} responses to ${mostRequests} requests`);
  const addresses = new Set<string>();
  for (const { status, body, isWhole } of responses) {
    if (!isWhole) throw new Error(`a response is incomplete: ${status} ${JSON.stringify(body.slice(0, 200))}`);
    if (!STATUSES.has(status)) throw new Error(`a response has the status ${status}: ${body}`);
    if (status === 204) continue;
    const { error, ip } = JSON.parse(body);
    if (status >= 400 && !["code", "message", "docs"].every((name) => typeof error?.[name] === "string"))
      throw new Error(`a ${status} has no error: ${body}`);
    if (ip === undefined) continue;
    if (addresses.has(ip)) throw new Error("a request got two responses");
    // Requests without an address come from this machine.
    if (ip !== "127.0.0.1") addresses.add(ip);
  }
}
