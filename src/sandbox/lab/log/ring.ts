import type { SeenRequest } from './entry.ts';

/** The newest requests, limited in number and in characters. */
export interface Ring {
  add(seen: SeenRequest): void;
  /** The kept requests after that id, oldest first. */
  after(id: number): readonly SeenRequest[];
  /** The id of the newest request; 0 if there is none. */
  newest(): number;
}

/** Replaces a request that is no longer kept, to free its bodies. */
const nothing: SeenRequest = {
  id: 0,
  at: 0,
  method: '',
  url: '',
  authorization: undefined,
  durationMs: 0,
  request: '',
  answer: undefined,
  arrived: false,
  faultId: undefined,
};

/** A ring with limits in requests and in characters. */
export function createRing(mostEntries: number, mostCharacters: number): Ring {
  let kept: SeenRequest[] = [];
  /** The index of the oldest kept request; everything before it is removed from time to time, all at once. */
  let oldest = 0;
  let characters = 0;
  let newest = 0;
  const sizeOf = ({ request, answer }: SeenRequest) =>
    request.length + (answer?.bytes?.length ?? answer?.body.length ?? 0);
  return {
    add(seen) {
      kept.push(seen);
      characters += sizeOf(seen);
      newest = seen.id;
      while (kept.length - oldest > mostEntries || (characters > mostCharacters && kept.length - oldest > 1)) {
        const gone = kept[oldest];
        if (gone !== undefined) characters -= sizeOf(gone);
        kept[oldest] = nothing;
        oldest += 1;
      }
      if (oldest > mostEntries) {
        kept = kept.slice(oldest);
        oldest = 0;
      }
    },
    // They are numbered without gaps, so nothing has to be searched.
    after: (id) => kept.slice(Math.max(oldest, kept.length - Math.max(0, newest - id))),
    newest: () => newest,
  };
}
