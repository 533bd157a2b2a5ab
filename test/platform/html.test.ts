import { expect, it } from 'vitest';
import { html, policyHash } from '../../src/platform/server/document-page.ts';

it('escapes every text that is inserted, for elements and attributes', () => {
  const name = `<b>"Tea" & 'Co'</b>`;
  expect(html`<a title="${name}">${name}</a>`.text).toBe(
    '<a title="&lt;b&gt;&quot;Tea&quot; &amp; &#39;Co&#39;&lt;/b&gt;">&lt;b&gt;&quot;Tea&quot; &amp; &#39;Co&#39;&lt;/b&gt;</a>',
  );
});

it('takes markup and lists of it as they are, numbers as text, and undefined as nothing', () => {
  const items = ['<1>', '2'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${3}${undefined}`.text).toBe('<ul><li>&lt;1&gt;</li><li>2</li></ul>3');
});

it('names a content as a policy does', () => {
  expect(policyHash('')).toBe("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
});
