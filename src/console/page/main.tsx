import { signal, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { speak } from '../../domain/language.ts';
import { type Catalogue, type ErrorData, LANGUAGE } from '../wire.ts';
import { askCatalogue, errorIn } from './ask.ts';
import { Link } from './link.tsx';
import { listen } from './live.ts';
import { Failure } from './messages.tsx';
import { addressOf, go, listBefore, place } from './place.ts';
import { knowFirst } from './runs.ts';
import { GroupScreen } from './screen.tsx';
import { say } from './texts.ts';
import { pageVietnamese } from './texts.vi.ts';

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

const catalogue = signal<Catalogue | { readonly error: ErrorData } | undefined>(undefined);

function Navigation({ known }: { readonly known: Catalogue }) {
  const { group } = place.value;
  const main = known.screens.filter(({ isMain }) => isMain);
  const others = known.screens.filter(({ isMain }) => !isMain);
  const current = group === '' ? main[0]?.group : group;
  const title = known.screens.find(({ group: of }) => of === current)?.title;
  // On a phone it is folded until it is asked for, and again once a screen was chosen.
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [current]);
  const link = ({ group: of, title }: (typeof main)[number]) => (
    <li key={of}>
      <Link to={addressOf(of)} current={of === current}>
        {title}
      </Link>
    </li>
  );
  return (
    <nav class={isOpen.value ? 'screens open' : 'screens'} aria-label={say().screens}>
      <button type="button" class="fold" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        <span aria-hidden="true">☰</span> {title ?? say().screens}
      </button>
      <ul>{main.map(link)}</ul>
      {others.length > 0 && (
        <details open={others.some(({ group: of }) => of === current)}>
          <summary>{say().more}</summary>
          <ul>{others.map(link)}</ul>
        </details>
      )}
    </nav>
  );
}

function Help() {
  return (
    <section class="act" aria-label={say().keys}>
      <h2>{say().keys}</h2>
      <dl class="fields">
        {Object.entries(say().keyOf).map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (isHelpOpen.value = false)}>
        {say().close}
      </button>
    </section>
  );
}

function Console() {
  useKeys();
  useEffect(() => {
    askCatalogue().then(
      (found) => {
        if ('first' in found && found.first !== undefined) knowFirst(found.first);
        catalogue.value = found;
      },
      (thrown: unknown) => {
        catalogue.value = { error: errorIn(thrown) };
      },
    );
    listen();
  }, []);
  const known = catalogue.value;
  if (known === undefined) return <p role="status">{say().loading}</p>;
  if ('error' in known) {
    return (
      <main>
        <h1>{say().cannotShow}</h1>
        <Failure error={known.error} />
      </main>
    );
  }
  const { group } = place.value;
  const screen = known.screens.find((each) => (group === '' ? true : each.group === group));
  return (
    <>
      <header>
        <strong>shopctl</strong>
        <span>
          {known.profile ?? say().noProfile}
          {known.readOnly ? ` · ${say().readOnly}` : ''}
        </span>
        <span class="quiet">{known.service}</span>
        <span class="quiet">{say().timesIn({ zone: known.timeZone })}</span>
        <a class="language" lang={otherLanguage()} href={otherAddress()}>
          {say().otherLanguage}
        </a>
      </header>
      <div class="columns">
        <Navigation known={known} />
        <main>
          {isHelpOpen.value && <Help />}
          {screen === undefined ? (
            <h1>{say().noScreen}</h1>
          ) : (
            <GroupScreen key={screen.group} catalogue={known} group={screen.group} title={screen.title} />
          )}
        </main>
      </div>
    </>
  );
}

const otherLanguage = () => (document.documentElement.lang === 'vi' ? 'en' : 'vi');

/** Where this page is in the other language: the console remembers the choice. */
function otherAddress(): string {
  const address = new URL(location.href);
  address.searchParams.set(LANGUAGE, otherLanguage());
  return `${address.pathname}${address.search}`;
}

if (document.documentElement.lang === 'vi') {
  speak({ name: 'vi', textsOf: (_, english) => ({ ...english, ...pageVietnamese }) }, 0);
}

const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
