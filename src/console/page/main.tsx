import { signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Catalogue, ErrorData } from '../wire.ts';
import { askCatalogue, errorIn } from './ask.ts';
import { isHelpOpen, useKeys } from './keys.ts';
import { Link } from './link.tsx';
import { listen } from './live.ts';
import { Failure } from './messages.tsx';
import { addressOf, place } from './place.ts';
import { knowFirst } from './runs.ts';
import { GroupScreen } from './screen.tsx';

const catalogue = signal<Catalogue | { readonly error: ErrorData } | undefined>(undefined);

function Navigation({ known }: { readonly known: Catalogue }) {
  const { group } = place.value;
  const main = known.screens.filter(({ isMain }) => isMain);
  const others = known.screens.filter(({ isMain }) => !isMain);
  const current = group === '' ? main[0]?.group : group;
  const link = ({ group: of, title }: (typeof main)[number]) => (
    <li key={of}>
      <Link to={addressOf(of)} current={of === current}>
        {title}
      </Link>
    </li>
  );
  return (
    <nav class="screens" aria-label="Screens">
      <ul>{main.map(link)}</ul>
      {others.length > 0 && (
        <details open={others.some(({ group: of }) => of === current)}>
          <summary>More</summary>
          <ul>{others.map(link)}</ul>
        </details>
      )}
    </nav>
  );
}

const keys = [
  ['/', 'search: go to the first filter'],
  ['j, k', 'next row, row before'],
  ['Enter', 'open the row'],
  ['Escape', 'back'],
  ['?', 'this help'],
] as const;

function Help() {
  return (
    <section class="act" aria-label="Keys">
      <h2>Keys</h2>
      <dl class="fields">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (isHelpOpen.value = false)}>
        Close
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
  if (known === undefined) return <p role="status">Loading …</p>;
  if ('error' in known) {
    return (
      <main>
        <h1>The console cannot show anything</h1>
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
          {known.profile ?? 'no profile'}
          {known.readOnly ? ' · read-only' : ''}
        </span>
        <span class="quiet">{known.service}</span>
        <span class="quiet">times in {known.timeZone}</span>
      </header>
      <div class="columns">
        <Navigation known={known} />
        <main>
          {isHelpOpen.value && <Help />}
          {screen === undefined ? (
            <h1>There is no such screen</h1>
          ) : (
            <GroupScreen key={screen.group} catalogue={known} group={screen.group} title={screen.title} />
          )}
        </main>
      </div>
    </>
  );
}

const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
