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
