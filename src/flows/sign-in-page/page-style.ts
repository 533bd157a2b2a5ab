/** The look of the page around the component: it keeps to the background. */
export const pageStyle = /* css */ `:root {
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
main { max-width: 34rem; margin: clamp(0rem, 6vh, 4rem) auto; padding: 1.5rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; color: var(--quiet); overflow-wrap: anywhere; }
strong { color: var(--text); }
.program { margin-bottom: 1rem; font-weight: 600; letter-spacing: 0.01em; }
#sign-in { overflow: hidden; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
#sign-in:empty { display: none; }
#status { min-height: 1.5rem; margin-top: 1rem; }
#status[role='alert'] { color: var(--text); font-weight: 600; }
.message { padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
.message p { margin: 0; }
@media (max-width: 32rem) {
  main { margin: 0; padding: 1.25rem 1rem; }
}
`;
