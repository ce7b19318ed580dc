import { type Html, html } from "./html.ts";

/** A whole page: the frame that all pages share around one page's content. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · geolookup</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<a href="/">geolookup</a>
<nav aria-label="Site"><a href="/errors">Errors</a></nav>
</header>
<main>
${content}
</main>
</body>
</html>
`.text;
}
