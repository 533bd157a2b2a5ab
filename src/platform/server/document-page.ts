import { Html, html, pageLook } from './html.ts';

const look = /* css */ `${pageLook}
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1rem; }
p.quiet, td.quiet { color: var(--quiet); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; background: var(--card); font-size: 0.9rem; }
th, td { padding: 0.4rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; }
pre { margin: 0.4rem 0 0; padding: 0.6rem; overflow-x: auto; border: 1px solid var(--line); font-size: 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
details > summary { cursor: pointer; }
@page { size: A4; margin: 15mm; @bottom-right { content: counter(page) " / " counter(pages); } }
@media print { thead { display: table-header-group; } tr, figure, svg { break-inside: avoid; } }
`;

/** More rows make a page that no browser likes. */
export const MOST_PAGE_ROWS = 2000;

/** A document of its own as a page: what it says, and what its style adds. */
export interface DocumentPage {
  readonly title: string;
  readonly style?: string;
  readonly body: Html;
}

/** A page without a script that needs nothing from elsewhere, in the colours of the reader's system, for paper as well. */
export function documentPage({ title, style = '', body }: DocumentPage): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(look + style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}
