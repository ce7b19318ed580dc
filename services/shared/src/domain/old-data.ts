/** Vendors publish at least once a month, so older data has missed an update. */
export const OLD_DATA_DAYS = 45;

/** How to replace old data, in short; the guide has the rest. */
export const OLD_DATA_ADVICE =
  "run ./geolookup data fetch --update, or replace the files in GEO_DATABASES (docs/data.md#old-data)";

/** Between what a warning found and how to fix it. */
export const TO_FIX = ". To fix: ";
