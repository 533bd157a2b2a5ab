import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FormData, Ran, RunRequest } from '../../wire.ts';
import { askForm, askRun, failed } from './ask.ts';
import { changes } from './live.ts';

/** How often the groups changed, counted together. */
export const timesChanged = (groups: readonly string[]) =>
  groups.reduce((sum, group) => sum + (changes.value[group] ?? 0), 0);

/** The result of a read, which is asked for again whenever its request, or `again`, changes; undefined until it is there. */
export function useRun(
  id: string | undefined,
  request: RunRequest,
  again: number | string = 0,
): Signal<Ran | undefined> {
  const ran = useSignal<Ran | undefined>(undefined);
  const asked = JSON.stringify([id, request]);
  useEffect(() => {
    ran.value = undefined;
  }, [asked]);
  useEffect(() => {
    if (id === undefined) return;
    const left = new AbortController();
    askRun(id, request, left.signal)
      .catch(failed)
      .then((result) => {
        if (!left.signal.aborted) ran.value = result;
      });
    return () => left.abort();
  }, [asked, again]);
  return ran;
}

const forms = new Map<string, Promise<FormData>>();

/** The input of an action, which is asked for once. */
function formFor(id: string): Promise<FormData> {
  const known = forms.get(id) ?? askForm(id);
  forms.set(id, known);
  known.catch(() => forms.delete(id));
  return known;
}

/** The input of an action; undefined until it is there. */
export function useForm(id: string | undefined): Signal<FormData | undefined> {
  const form = useSignal<FormData | undefined>(undefined);
  useEffect(() => {
    if (id === undefined) return;
    formFor(id).then(
      (found) => {
        form.value = found;
      },
      () => {},
    );
  }, [id]);
  return form;
}
