import { send } from "../harness/http.ts";
import { sendRaw } from "../harness/raw.ts";
import { forged, keyed } from "../harness/slots.ts";

/** Addresses that nothing else in a run uses. The last ones are in no database. */
export const ADDRESSES: readonly string[] = [
  "44.13.37.211",
  "2a0e:1234:dead:beef:0:0:cafe:f00d",
  "93.214.179.86",
  "2a0c:7654:feed:babe:1:0:dad:50fa",
];
/** An address that isn't even in the response, because it is in a header that can't be parsed. */
export const UNPARSED = "93.214.188.77";

/**
 * Sends every kind of request to a gateway from one address, in several notations.
 * @param url of a gateway that trusts the hop.
 * @param keys starting with a valid one.
 */
export async function sendEverything(url: string, from: string, keys: readonly { key: string }[]): Promise<void> {
  const forwarded = [from, ` ${from} `, `"${from}"`, from.includes(":") ? `[${from}]:443` : `::ffff:${from}`];
  const key = keys[0]?.key ?? "";
  for (const sent of [
    {},
    {},
    {},
    { method: "HEAD" },
    { method: "POST" },
    { method: "OPTIONS" },
    { path: "/nowhere" },
    { path: "/%zz" },
    { path: "/v1/geo?fields=ip,city" },
    { path: `/v1/geo?ip=${encodeURIComponent(from)}` },
    { ...keyed(key), headers: { Origin: `http://${from.includes(":") ? `[${from}]` : from}` } },
    keyed(forged(key)),
    keyed(from),
    ...keys.map((each) => keyed(each.key)),
  ])
    for (const hop of forwarded)
      await send(url, { ...sent, headers: { "X-Forwarded-For": hop, ...("headers" in sent ? sent.headers : {}) } });
  for (const header of [`${UNPARSED}, not-an-address`, `${UNPARSED};`, `${UNPARSED}, `, `,,${UNPARSED}x`])
    await send(url, { headers: { "X-Forwarded-For": header } });
  await sendRaw(url, `BROKEN / HTTP/1.1\r\nX-Forwarded-For: ${from}\r\n\r\n`);
}
