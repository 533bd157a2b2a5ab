import { pageLook } from '../../platform/page/page-look.ts';

/** The style of the page around the component, kept unobtrusive. */
export const pageStyle = /* css */ `${pageLook}main { max-width: 34rem; margin: clamp(0rem, 6vh, 4rem) auto; padding: 1.5rem; }
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
