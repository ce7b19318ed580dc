/** Vendors publish at least once a month, so older data has missed an update. */
export const OLD_DATA_DAYS = 45;

/** How to replace old data. The free data from npm is no longer updated (docs/data.md). */
export const OLD_DATA_ADVICE =
  "run make geo-data ARGS=--update to get newer data. The free data from npm is no longer updated: to use MaxMind's, set " +
  "MAXMIND_ACCOUNT_ID (docs/data.md)";
