/** RFC 9116 recommends less than a year. */
const EXPIRES_AFTER_DAYS = 90;
const DAY_MS = 86_400_000;

/** An email address as a `mailto:` URI (RFC 9116, section 2.5.3); anything else as it is. */
export function contactUri(text: string): string {
  return /^[^\s@:/]+@[^\s@:/]+$/.test(text) ? `mailto:${text}` : text;
}

/**
 * Parses SECURITY_CONTACT: HTTPS URLs, email addresses and telephone numbers, separated by commas, preferred first.
 * @returns URIs.
 * @throws Error naming the first invalid one.
 */
export function parseSecurityContacts(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const uri = contactUri(part);
      const isContact = /^(https:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+)$/.test(uri) && URL.canParse(uri);
      if (!isContact) throw new Error(`${JSON.stringify(part)} isn't an https:, mailto: or tel: address`);
      return uri;
    });
}

/**
 * The text of `/.well-known/security.txt` (RFC 9116). It expires 90 days after the day of the request, because it is
 * valid as long as the service runs.
 * @param contacts at least one URI.
 * @param docsUrl base address of the docs host. It is listed as canonical only if it uses HTTPS, as the RFC requires.
 */
export function securityTxt(contacts: readonly string[], docsUrl: string | null, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + EXPIRES_AFTER_DAYS) * DAY_MS);
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    ...(docsUrl?.startsWith("https:") ? [`Canonical: ${docsUrl}/.well-known/security.txt`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
