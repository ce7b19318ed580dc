/** Vendors build at least once a month; what is older than this has missed an update. */
export const OLD_DATA_DAYS = 45;

/** What helps against old data. The free data from npm are updated no longer (docs/data.md). */
export const OLD_DATA_ADVICE =
  "run make geo-data ARGS=--update, if there are newer ones; the free data from npm are no longer updated: take " +
  "MaxMind's by setting MAXMIND_ACCOUNT_ID, see docs/data.md";
