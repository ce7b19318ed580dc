/** Longest echo, in characters after escaping. */
const MAX_LENGTH = 200;

/**
 * What a caller sent, fit to be shown: in backticks, everything but printable ASCII (and the
 * ellipsis of display forms) escaped as `\uXXXX`, backticks too, cut to 200 characters. Whatever looks like
 * a key is cut out, since an answer may end up in a screenshot or a log.
 */
export function echo(text: string): string {
  let shown = "";
  // Input longer than the cap by far (a 16 kB header) need not be escaped whole.
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
