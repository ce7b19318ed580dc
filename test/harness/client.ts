import { freshIpv4 } from "./addresses.ts";
import { type Sent, send } from "./http.ts";

/** A Deployment's `send`: each request comes from an address of its own unless it says otherwise. */
export function clientOf(url: string) {
  return ({ from = freshIpv4(), ...sent }: Sent & { from?: string | null } = {}) =>
    send(url, from === null ? sent : { ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } });
}
