// Exits with status 1 when a run of the refresh is long overdue: `healthcheck.cjs refresh.json`. Without that file there has
// been no run yet, or the refresh is off. CommonJS without types, since it runs every few seconds.
"use strict";
const { readFileSync } = require("node:fs");

/** A run takes as long as a slow download, and the check of what came. */
const OVERDUE_MS = 6 * 60 * 60 * 1_000;

function isOverdue(path) {
  try {
    return Date.now() - Date.parse(JSON.parse(readFileSync(path, "utf8")).nextRunAt) > OVERDUE_MS;
  } catch {
    return false;
  }
}

process.exitCode = isOverdue(process.argv[2]) ? 1 : 0;
