import { readAsset } from '../../platform/files/asset.ts';
import type { PageAnswer } from '../../platform/server/page-server.ts';
import { headersOf } from '../gate/answers.ts';

/** What the page is made of, by its path; the build places the files beside this module. */
const files: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ['/assets/page.js', ['page.js', 'text/javascript; charset=utf-8']],
  ['/assets/page.css', ['page.css', 'text/css; charset=utf-8']],
  ['/icon.svg', ['icon.svg', 'image/svg+xml']],
  ['/favicon.ico', ['icon.svg', 'image/svg+xml']],
]);

/** The document, which contains nothing of the shop: everything is asked for by the script. */
const shell = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>shopctl console</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/page.css">
    <link rel="preload" href="/api/actions" as="fetch" crossorigin>
    <script type="module" src="/assets/page.js"></script>
  </head>
  <body>
    <noscript><p>The console needs JavaScript.</p></noscript>
    <div id="console"></div>
  </body>
</html>
`;

/** A file of the page; undefined if there is none at the path. */
export async function assetAt(path: string): Promise<PageAnswer | undefined> {
  const found = files.get(path);
  if (found === undefined) return undefined;
  const [file, type] = found;
  const body = await readAsset(new URL(`./console/${file}`, import.meta.url));
  return { status: 200, headers: headersOf(type), body };
}

/** The document of every screen. */
export const document: PageAnswer = { status: 200, headers: headersOf('text/html; charset=utf-8'), body: shell };
