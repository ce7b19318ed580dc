/** Vendors publish at least once a month, so older data has missed an update. */
export const OLD_DATA_DAYS = 45;

/** How to replace old data. */
export const OLD_DATA_ADVICE =
  "run make geo-data ARGS=--update. If its source has nothing newer, choose another (docs/data.md)";

/** Between what a warning found and how to fix it. */
export const TO_FIX = ". To fix: ";
