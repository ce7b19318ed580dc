import type { ErrorCode } from "./errors.ts";

/** What a page tells about an error. Text between backticks is code. */
export interface ErrorProse {
  title: string;
  /** What the error means, in one or two sentences. */
  meaning: string;
  /** The usual causes, most frequent first, and how to mend each. */
  causes: readonly { cause: string; fix: string }[];
}

/** The words of the error catalogue (contract, section 7; design, section 4). */
export const ERROR_PROSE: Readonly<Record<ErrorCode, ErrorProse>> = {
  missing_key: {
    title: "A key is needed",
    meaning: "The request carries no API key, and it is not one that the free tier may answer.",
    causes: [
      {
        cause: "A place for the key is there but empty: `?key=`, a bare `Authorization: Bearer`, a blank `X-API-Key`.",
        fix:
          "Usually a variable that is not set where the request is built. Set it. To use the free tier on purpose, where " +
          "the service has one, leave the parameter or header out altogether.",
      },
      {
        cause: "The operator of this service has turned the free tier off (`KEYLESS=off`).",
        fix: "Ask the operator for a key, and send it as `?key=` or in `Authorization: Bearer` or `X-API-Key`.",
      },
    ],
  },
  malformed_key: {
    title: "This is not the shape of a key",
    meaning:
      "What was sent as the key cannot be one. A key starts with `geo_pk_` or `geo_sk_`, is followed by letters, " +
      "digits and underscores, and has at most 256 characters.",
    causes: [
      {
        cause: "The key was cut off, or something was pasted with it: quotes, a space, a line break.",
        fix: "Copy it again. A double-click selects the whole key and nothing else.",
      },
      {
        cause: "A placeholder such as `YOUR_KEY` or an unexpanded `$KEY` was sent.",
        fix: "Put the key itself in its place. In a shell, use double quotes: single ones send `$KEY` as it stands.",
      },
      { cause: "`key` stands in the query string more than once.", fix: "Keep one of them." },
      {
        cause: "The display form of a key was sent, the one with `…` in it.",
        fix: "It only names a key. The key itself was shown once, when it was issued; if it is lost, issue another.",
      },
    ],
  },
  bad_signature: {
    title: "This key was not issued here",
    meaning: "The key has the right shape, but its signature was not made with a signing key of this service.",
    causes: [
      {
        cause: "The key belongs to another deployment, for example staging instead of production.",
        fix: "Use the key of this one, or send the request to the other one.",
      },
      { cause: "A character was changed or lost when the key was copied.", fix: "Copy the key again, whole." },
      {
        cause: "The operator removed the signing key that had signed it, for example after a leak.",
        fix: "Ask for a new key. Keys signed with the removed one cannot be brought back.",
      },
    ],
  },
  unknown_key: {
    title: "There is no record of this key",
    meaning: "The key is genuine: this service signed it. But the service has no active record for it.",
    causes: [
      {
        cause: "The data folder was restored from a backup older than the key, or was replaced.",
        fix: "Restore a newer backup, or issue a new key.",
      },
      {
        cause: "Two deployments share one file of signing keys but not one log of keys.",
        fix: "Send the request to the deployment that issued the key.",
      },
    ],
  },
  revoked_key: {
    title: "This key was revoked",
    meaning: "The key was issued by this service and later revoked. A revoked key never works again.",
    causes: [
      { cause: "The key leaked or was replaced, and its owner revoked it.", fix: "Use the key that replaced it." },
      {
        cause: "The key was revoked by mistake.",
        fix:
          "Issue a new key with the same plan and origins. `make keys ARGS='history ID'` shows when and why " +
          "the old one was revoked.",
      },
    ],
  },
  origin_not_allowed: {
    title: "This origin may not use the key",
    meaning:
      "The key has an allowlist of origins, and the page that sent the request is not on it. " +
      "The message names the origin that was refused and the key.",
    causes: [
      {
        cause: "The page is served from an origin that nobody has added yet: another host, port or scheme.",
        fix:
          "Add exactly the origin that the message names. `make keys ARGS='set-origins ID a,b'` replaces the " +
          "whole list, so repeat the entries that stay.",
      },
      {
        cause: "`https://*.example.com` is on the list and the page is on `https://example.com` itself.",
        fix: "The `*` stands for one or more labels and never for none. Add `https://example.com` as well.",
      },
      {
        cause: "A publishable key is used without a browser, so that no `Origin` and no `Referer` is sent.",
        fix: "Use a secret key on servers, or send the `Origin` header of a page that is on the list.",
      },
      {
        cause: "The origin is `null`: a page opened from a file, or a sandboxed frame.",
        fix: "Serve the page over HTTP, for example from `http://localhost:3000`, and add that origin.",
      },
    ],
  },
  rate_limited: {
    title: "Too many requests",
    meaning:
      "One of three limits is reached; the message says which. Without a key, each IP address may send a limited number " +
      "of requests an hour. With a key, its plan may limit the requests an hour of each IP address that uses the key, " +
      "and the requests a second of the key. `X-RateLimit-Limit` is the limit that was reached, and `Retry-After` the " +
      "seconds to wait. An hour begins with the first request in it. For IPv6 a whole network, by default a /64, counts " +
      "as one address.",
    causes: [
      {
        cause: "A script or a page asks more often than it needs to.",
        fix: "Keep the answer: it may be cached for 300 seconds, and a place seldom changes sooner.",
      },
      {
        cause: "Many people without a key share one address: an office, a school, a mobile network.",
        fix: "Use a key. The hourly limit without a key doesn't apply to requests with one.",
      },
      {
        cause: "A server sends the requests of all its users with one key, from one address.",
        fix:
          "Use a secret key on a plan without `perCallerHourly`. As the operator, keep that limit to the plans of " +
          "publishable keys.",
      },
      {
        cause: "Someone copied a publishable key from a page and uses it in a script.",
        fix:
          "As the operator, set the key's allowlist of origins, and revoke the key if the requests don't stop. The " +
          "limits keep the month's quota for everyone else.",
      },
      {
        cause: "The service stands behind a proxy it was not told of, so that every caller looks like the proxy.",
        fix: "As the operator, set `TRUST_PROXY` to the proxy's address, and have it send `X-Forwarded-For`.",
      },
    ],
  },
  quota_exceeded: {
    title: "The key has used its requests for this month",
    meaning:
      "Each plan includes a number of requests per calendar month, and the key has used all of them. " +
      "The count starts again on the 1st at 00:00 UTC. Only answered requests (status 200) count.",
    causes: [
      {
        cause: "The traffic has outgrown the plan.",
        fix: "Move the key to a larger plan: `make keys ARGS='set-plan ID PLAN'`. It works at once.",
      },
      {
        cause: "A page or a job asks again and again for the same answer.",
        fix: "Keep the answer for 300 seconds. `make keys ARGS='usage ID'` shows the busy days.",
      },
      {
        cause: "Somebody else uses the key.",
        fix:
          "Issue a new key, limit it to your origins, and revoke the old one. As the operator, give publishable keys a " +
          "plan with `perCallerHourly` and `perSecond`: then one caller can't use up the month.",
      },
    ],
  },
  not_found: {
    title: "There is no such endpoint",
    meaning:
      "The service answers `GET /v1/geo` and `GET /` (and HEAD on both), and OPTIONS on any path. " +
      "Everything else is not found, other methods included.",
    causes: [
      {
        cause: "The path differs in a detail: a slash at the end, upper case, another version.",
        fix: "Use `/v1/geo` exactly. Paths are case-sensitive.",
      },
      {
        cause: "The request was a POST.",
        fix: "Use GET. There is no body; the key goes into the query string or a header.",
      },
      {
        cause: "An address was put into the path, to look up somebody else.",
        fix: "The service only tells a caller where the caller itself is. No address is sent.",
      },
    ],
  },
  internal_error: {
    title: "The service failed",
    meaning:
      "The fault is on the side of the service, not in the request. " +
      "A place that is not known is never an error: that is a 200 with `partial` true.",
    causes: [
      {
        cause: "The service has more requests than it can take and refuses the rest early.",
        fix: "Wait for the seconds in `Retry-After` and try again. As the operator, add capacity.",
      },
      {
        cause: "A part of the service cannot be reached, for example the one that checks keys.",
        fix: "Try again in a moment. As the operator, look at `/readyz` and the log of each service.",
      },
      { cause: "A defect.", fix: "As the operator, the cause is in the service's log. Please report it." },
    ],
  },
};
