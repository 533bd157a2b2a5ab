import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { FirstRun, FormData, Ran, RunRequest } from '../wire.ts';
import { askForm, askRun, failed } from './ask.ts';
import { askingAgain, changes } from './live.ts';

/** How often the groups changed, counted together. */
export const timesChanged = (groups: readonly string[]) =>
  groups.reduce((sum, group) => sum + (changes.value[group] ?? 0), 0);

const keyOf = (id: string | undefined, request: RunRequest) => JSON.stringify([id, request]);

/** A result that came with the catalogue, until its first use. */
let early: { readonly key: string; readonly ran: Ran } | undefined;

/** The result that came with the catalogue, if it is that of a request. */
function takeEarly(key: string): Ran | undefined {
  if (early?.key !== key) return undefined;
  const { ran } = early;
  early = undefined;
  return ran;
}

/**
 * The result of a read, which is asked for again whenever its request, or `again`, changes; undefined until there is one
 * of this request.
 */
export function useRun(id: string | undefined, request: RunRequest, again: number | string = 0): Ran | undefined {
  const key = keyOf(id, request);
  const came = useSignal<{ readonly key: string; readonly ran: Ran } | undefined>(undefined);
  const known = useMemo(() => ({ ran: takeEarly(key), again }), [key]);
  // Before a frame is painted, not after it: the service answers meanwhile.
  useLayoutEffect(() => {
    if (id === undefined || (known.ran !== undefined && known.again === again)) return;
    const left = new AbortController();
    const drawn = again === 0 ? undefined : askingAgain();
    const tell = (ran: Ran) => {
      if (!left.signal.aborted) came.value = { key, ran };
    };
    // Rows that are shown already are not taken away until all of the next ones are there.
    askRun(id, request, left.signal, came.value?.key === key ? undefined : tell)
      .catch(failed)
      .then((ran) => {
        tell(ran);
        if (drawn !== undefined) requestAnimationFrame(drawn);
      });
    return () => left.abort();
  }, [key, again]);
  return came.value?.key === key ? came.value.ran : known.ran;
}

/** The forms that are known. */
const forms = signal<ReadonlyMap<string, FormData>>(new Map());
const askedForms = new Set<string>();

const knowForm = (id: string, form: FormData) => {
  forms.value = new Map([...forms.value, [id, form]]);
};

/** The input of an action, which is asked for once; undefined until it is there. */
export function useForm(id: string | undefined): FormData | undefined {
  const form = id === undefined ? undefined : forms.value.get(id);
  useEffect(() => {
    if (id === undefined || form !== undefined || askedForms.has(id)) return;
    askedForms.add(id);
    askForm(id)
      .then((found) => knowForm(id, found))
      .catch(() => askedForms.delete(id));
  }, [id]);
  return form;
}

/** Takes over what came with the catalogue. */
export function knowFirst({ id, request, form, ran }: FirstRun): void {
  early = { key: keyOf(id, request), ran };
  knowForm(id, form);
}
