// Exits with status 1 if a refresh is long overdue: `healthcheck.cjs refresh.json`. Without that file, no refresh has run
// yet, or it is off. CommonJS without types, since this runs every few seconds.
"use strict";
const { readFileSync } = require("node:fs");

/** Longer than a slow download and its checks take. */
const OVERDUE_MS = 6 * 60 * 60 * 1_000;

function isOverdue(path) {
  try {
    return Date.now() - Date.parse(JSON.parse(readFileSync(path, "utf8")).nextRunAt) > OVERDUE_MS;
  } catch {
    return false;
  }
}

process.exitCode = isOverdue(process.argv[2]) ? 1 : 0;
