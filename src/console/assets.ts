import { createHash } from 'node:crypto';
import { isVietnamese } from '../domain/language.ts';
import { readAsset } from '../platform/files/asset.ts';
import type { PageAnswer } from '../platform/server/http-server.ts';
import { headersOf } from './responses.ts';
import { say } from './texts.ts';
import { catalogueAddress } from './wire.ts';

/** What the page is made of, by its path; the build places the files beside this module. */
const files: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ['/assets/page.js', ['page.js', 'text/javascript; charset=utf-8']],
  ['/assets/page.css', ['page.css', 'text/css; charset=utf-8']],
  ['/icon.svg', ['icon.svg', 'image/svg+xml']],
  ['/favicon.ico', ['icon.svg', 'image/svg+xml']],
]);

interface Asset {
  readonly body: Uint8Array;
  readonly version: string;
}

const read = new Map<string, Promise<Asset>>();

/** A file with its version; it is read once. */
function assetOf(file: string): Promise<Asset> {
  const known = read.get(file);
  if (known !== undefined) return known;
  const reading = readAsset(new URL(`./console/${file}`, import.meta.url)).then((body) => ({
    body,
    version: createHash('sha256').update(body).digest('hex').slice(0, 16),
  }));
  read.set(file, reading);
  reading.catch(() => read.delete(file));
  return reading;
}

/** The version of a file; none while the page is not built. */
const versionOf = (file: string) =>
  assetOf(file).then(
    ({ version }) => version,
    () => '',
  );

/** The document, which contains nothing of the shop: everything is asked for by the script. */
const shell = (catalogue: string, [script, style, icon]: readonly string[]) => `<!doctype html>
<html lang="${isVietnamese() ? 'vi' : 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>shopctl console</title>
    <link rel="preload" href="${catalogue}" as="fetch" crossorigin>
    <link rel="icon" href="/icon.svg?v=${icon}" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/page.css?v=${style}">
    <script type="module" src="/assets/page.js?v=${script}"></script>
  </head>
  <body>
    <noscript><p>${say().needsJavaScript}</p></noscript>
    <div id="console"></div>
  </body>
</html>
`;

/**
 * A file of the page; undefined if there is none at the path. It has nothing of the shop: a browser may store it, and asks
 * for another version at another address.
 */
export async function assetAt(path: string, version: string): Promise<PageAnswer | undefined> {
  const found = files.get(path);
  if (found === undefined) return undefined;
  const [file, type] = found;
  const asset = await assetOf(file);
  const kept = version === asset.version ? { 'cache-control': 'private, max-age=31536000, immutable' } : {};
  return { status: 200, headers: { ...headersOf(type), ...kept }, body: asset.body };
}

/** The document of the screen at an address. */
export async function documentAt(address: URL): Promise<PageAnswer> {
  const versions = await Promise.all(['page.js', 'page.css', 'icon.svg'].map(versionOf));
  const body = shell(catalogueAddress(address), versions);
  return { status: 200, headers: headersOf('text/html; charset=utf-8'), body };
}
