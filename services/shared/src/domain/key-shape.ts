import type { KeyKind } from "./authorize.ts";

/** The parts of a well-formed key. It may not have been issued. */
export interface ParsedKey {
  kind: KeyKind;
  /** The entry of the signing-key ring that made the MAC: 4 base62 characters. */
  signingKeyId: string;
  /** The part that the MAC covers: everything before the last `_`. */
  signed: string;
  /** 128 bits in 22 base62 characters. */
  mac: string;
}

/** Longer texts aren't parsed. */
export const MAX_KEY_LENGTH = 256;
const PREFIX_LENGTH = "geo_pk_".length;
/** 22 base62 characters hold the 128 bits that the random part and the MAC each need. */
const KEY_SHAPE = /^(?:geo_(pk|sk)_)([0-9A-Za-z]{4})[0-9A-Za-z]{22,}_([0-9A-Za-z]{22})$/;

/** Whether `parseKey` can parse a text. */
export function hasKeyShape(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && KEY_SHAPE.test(text);
}

/**
 * Parses a key.
 * @returns null if the text is over 256 characters or doesn't have the exact shape `geo_pk_…_…` or
 * `geo_sk_…_…`: the contract's `malformed_key`.
 */
export function parseKey(text: string): ParsedKey | null {
  if (text.length > MAX_KEY_LENGTH) return null;
  const match = KEY_SHAPE.exec(text);
  if (!match) return null;
  const [, kind, signingKeyId = "", mac = ""] = match;
  return {
    kind: kind === "pk" ? "publishable" : "secret",
    signingKeyId,
    signed: text.slice(0, -mac.length - 1),
    mac,
  };
}

/** The start of every key of a kind. */
export function keyPrefix(kind: KeyKind): string {
  return kind === "publishable" ? "geo_pk_" : "geo_sk_";
}

/**
 * A key's display form, e.g. `geo_sk_…x7Qp`: it identifies the key, but doesn't work as one.
 * @param key a well-formed key.
 */
export function displayKey(key: string): string {
  return `${key.slice(0, PREFIX_LENGTH)}…${key.slice(-4)}`;
}
