import { readFileSync } from "node:fs";
import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { Html, html } from "../html.ts";
import { reportView } from "./report-view.ts";

const STYLES = ["tokens", "theme", "text", "tables"]
  .map((name) => `../docs/assets/style/${name}.css`)
  .concat("assets/data-report.css");

/** A report as a single file: it loads nothing and runs no scripts. */
export function reportFilePage(report: DataReport): string {
  const style = STYLES.map((path) => readFileSync(new URL(path, import.meta.url), "utf8")).join("\n");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Data report · geolookup</title>
<style>${new Html(style)}</style>
</head>
<body class="report-file">
<main>
<h1>Data report</h1>
${reportView(report)}
</main>
</body>
</html>
`.text;
}
