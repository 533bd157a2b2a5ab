import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, listBefore, place } from './place.ts';

/** Whether the list of keys is shown. */
export const isHelpOpen = signal(false);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Moves the focus to another row's link, or to the row itself where there is none. */
function move(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  const target = next?.querySelector<HTMLElement>('a, button') ?? next;
  if (target === next) next?.setAttribute('tabindex', '-1');
  target?.focus();
}

function back(): void {
  const { group, record } = place.value;
  if (isHelpOpen.value) isHelpOpen.value = false;
  else if (record !== undefined) go(listBefore(group));
}

const byKey: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('main form input, main form select')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value;
  },
  Escape: back,
};

function press(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (isTyping(target)) {
    if (key === 'Escape' && target instanceof HTMLElement) target.blur();
    return;
  }
  const act = Object.hasOwn(byKey, key) ? byKey[key] : undefined;
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** The keys of the whole page; none of them does anything while a text is typed. */
export function useKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
