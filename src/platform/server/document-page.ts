import { createHash } from 'node:crypto';

/** The common style of our pages: the colours of the system's theme, and plain text. Classes are each page's own. */
export const pageLook = /* css */ `:root {
  color-scheme: light dark;
  --ground: #f3f4f7;
  --card: #fff;
  --line: #d5d9e0;
  --text: #1c2430;
  --quiet: #5a6473;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161b;
    --card: #1d2027;
    --line: #3a3f4a;
    --text: #e8eaee;
    --quiet: #a3abb8;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
`;

/** Markup that is inserted verbatim: the result of `html`, or trusted text such as a style sheet. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template accepts: text and numbers are escaped, markup is kept, a list is joined, undefined is empty. */
type HtmlValue = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template tag for markup: inserted values are escaped, for elements and quoted attributes alike. */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(pieces.map((piece, index) => (index === 0 ? '' : markupOf(values[index - 1])) + piece).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return value.map(markupOf).join('');
}

/** The Content-Security-Policy source that allows one inline script or style. */
export function policyHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

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
  /** The language that it is in; English when absent. */
  readonly lang?: string;
  readonly body: Html;
}

/** A page without a script that needs nothing from elsewhere, in the colours of the reader's system, for paper as well. */
export function documentPage({ title, style = '', lang = 'en', body }: DocumentPage): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return html`<!doctype html>
<html lang="${lang}">
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
