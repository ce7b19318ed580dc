/** More than the service has kinds of notices; the names of fields in them are the application's own. */
const MAX_LINES = 20;

/** @returns a function that logs each warning once, and stops after 20 different ones. */
export function createLogOnce(): (line: string) => void {
  const logged = new Set<string>();
  return (line) => {
    if (logged.has(line) || logged.size === MAX_LINES) return;
    logged.add(line);
    console.warn(`geolookup: ${line}`);
  };
}
