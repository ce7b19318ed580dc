/** A text as one word of a POSIX shell, in single quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The curl program with the options for a URL of this machine: no certificate is valid for a loopback address. */
export function curlFor(url: string): string {
  return url.startsWith("https:") ? "curl --insecure" : "curl";
}
