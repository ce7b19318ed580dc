/** In characters, after escaping. */
const MAX_LENGTH = 200;

/**
 * A caller's input, safe to show: in backticks, with everything but printable ASCII (and the
 * ellipsis of display forms) escaped as `\uXXXX`, backticks too, and at most 200 characters. Anything that looks like
 * a key is shortened, since a response may end up in a screenshot or a log.
 */
export function echo(text: string): string {
  let shown = "";
  // Input far longer than the limit, such as a 16 kB header, is truncated before it is escaped.
  for (const unit of text.slice(0, 4 * MAX_LENGTH).replace(/(geo_[ps]k_)[0-9A-Za-z_]{8,}/g, "$1…")) {
    const escaped = /^[ -_a-~…]$/.test(unit) ? unit : unit.split("").map(escapeUnit).join("");
    if (shown.length + escaped.length > MAX_LENGTH) return `\`${shown}…\``;
    shown += escaped;
  }
  return `\`${shown}\``;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
