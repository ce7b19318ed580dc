import { readFileSync } from "node:fs";

const NAMES = ["text", "buttons", "forms", "figures", "key-list", "key-table", "key", "status", "shortcuts", "chart"];

/** The console's style sheet. The page /design shows the console's components as well. */
export function consoleStyle(): Buffer {
  return Buffer.concat(NAMES.map((name) => readFileSync(new URL(`assets/style/${name}.css`, import.meta.url))));
}
