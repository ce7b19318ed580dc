import { freshIpv4 } from "./addresses.ts";
import type { Child } from "./child.ts";
import { type Sent, send } from "./http.ts";

/** How much of a dead process's last words an error repeats. */
const LAST_WORDS = 2_000;

/**
 * A Deployment's `send`: each request comes from an address of its own unless it says otherwise.
 * @param process what answers; when it has ended by itself, errors say so.
 */
export function clientOf(url: string, process: Child) {
  return async ({ from = freshIpv4(), ...sent }: Sent & { from?: string | null } = {}) => {
    try {
      return await send(url, from === null ? sent : { ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } });
    } catch (error) {
      if (!process.hasEnded()) throw error;
      const lastWords = process.stderr().slice(-LAST_WORDS);
      throw new Error(`the process has ended (status ${process.exitCode()}); its last words:\n${lastWords}`, {
        cause: error,
      });
    }
  };
}
