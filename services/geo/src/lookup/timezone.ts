import lookUpTimezone from "@photostructure/tz-lookup";

/** The IANA time zone at a place, in degrees; null where it has none but the sea's (`Etc/…`). */
export function timezoneAt(latitude: number, longitude: number): string | null {
  const timezone = lookUpTimezone(latitude, longitude);
  return timezone.startsWith("Etc/") ? null : timezone;
}
