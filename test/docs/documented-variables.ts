import { readFileSync } from "node:fs";

/** A row of a table of docs/configuration.md. */
export interface DocumentedRow {
  section: string;
  names: string[];
  /** Empty where the table has no such column. */
  readers: string[];
}

const SERVICES = ["standalone", "gateway", "auth", "geo", "usage", "portal"];

/** Reads the tables of docs/configuration.md. @throws Error naming a row without a variable. */
export function readDocumentedVariables(): DocumentedRow[] {
  const rows: DocumentedRow[] = [];
  let section = "";
  let header: string[] = [];
  for (const line of readFileSync("docs/configuration.md", "utf8").split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3);
    if (!line.startsWith("|")) header = [];
    else if (header.length === 0) header = cellsOf(line);
    else if (!line.startsWith("|---")) {
      const cells = cellsOf(line);
      const names = [...(cells[0] ?? "").matchAll(/`(\w+)`( \(or file\))?/g)].flatMap(([, name = "", orFile]) =>
        orFile ? [name, `${name}_FILE`] : [name],
      );
      if (names.length === 0) throw new Error(`docs/configuration.md: no variable in the row ${line}`);
      rows.push({ section, names, readers: readersIn(cells[header.indexOf("Read by")] ?? "") });
    }
  }
  return rows;
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function readersIn(cell: string): string[] {
  const readers = cell.split(", ").filter((reader) => reader !== "");
  return readers.flatMap((reader) => (reader === "all services" ? SERVICES : [reader]));
}
