/** Ways in which a service may write a key into the JSON text of an answer; each is what stands between the quotes. */
export function spellingsOf(key: string): Readonly<Record<string, string>> {
  const each = (spell: (code: string, character: string) => string) =>
    [...key].map((character) => spell(character.charCodeAt(0).toString(16).padStart(2, '0'), character)).join('');
  const percent = each((code) => `%${code}`);
  const escapes = each((code) => `\\u00${code}`);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return {
    'as it is': key,
    'as escapes of JSON': escapes,
    'as escapes of JSON in capitals': escapes.replace(/[a-f\d]{2}(?=\\|$)/g, (code) => code.toUpperCase()),
    'with its first letter escaped': `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`,
    'with its colon as \\u003a': key.replace(':', '\\u003a'),
    'with its slash escaped': key.replaceAll('/', '\\/'),
    'in a url': encodeURIComponent(key),
    'in a url in small letters': encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
    'as percents': percent,
    'as percents of percents': percent.replaceAll('%', '%2525'),
    'as percents that are escapes of JSON': percent.replaceAll('%', '\\u0025'),
    'in JSON within JSON': inJson(escapes),
    'in JSON within JSON within JSON': inJson(inJson(inJson(escapes))),
    'as escapes of JavaScript': inJson(each((code) => `\\x${code}`)),
    'as code points of JavaScript': inJson(each((code) => `\\u{${code}}`)),
    'as numbers of HTML': each((_, character) => `&#${character.charCodeAt(0)};`),
    'as hexadecimal numbers of HTML': each((code) => `&#x${code};`),
    'as names of HTML': key.replace(':', '&colon;').replaceAll('/', '&sol;'),
    'in HTML within HTML': each((code) => `&amp;#x${code};`),
    'percents in JSON within JSON': inJson(inJson(percent)),
  };
}
