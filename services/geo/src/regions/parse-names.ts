/** Reads a table's text: entries separated by `; `, each a code, a space and names separated by ` | `. Empty text has none. */
export function parseNames(text: string): { code: string; names: string[] }[] {
  if (text === "") return [];
  return text.split("; ").map((entry) => {
    const space = entry.indexOf(" ");
    return { code: entry.slice(0, space), names: entry.slice(space + 1).split(" | ") };
  });
}
