/** Something that happened at a given time; it may add later events. */
export interface SeedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  happen(): readonly SeedEvent[];
}

/** Runs all events in chronological order; simultaneous ones in the order in which they were added. */
export function runTimeline(beginning: readonly SeedEvent[]): void {
  // Most events are known from the start and sorted once; later additions are kept in a heap.
  const known = beginning
    .map((event, number) => ({ event, number }))
    .sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const heap: Planned[] = [];
  let named = known.length;
  const plan = (event: SeedEvent) => {
    heap.push({ event, number: named++ });
    rise(heap, heap.length - 1);
  };
  let at = 0;
  for (;;) {
    const next = isBefore(heap[0], known[at]) ? takeFirst(heap) : known[at++];
    if (next === undefined) return;
    for (const event of next.event.happen()) plan(event);
  }
}

/** An event, and how many were added before it. */
interface Planned {
  readonly event: SeedEvent;
  readonly number: number;
}

/** Removes and returns the first event of a binary heap. */
function takeFirst(heap: Planned[]): Planned | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) {
    heap[0] = last;
    sink(heap);
  }
  return first;
}

function isBefore(one: Planned | undefined, other: Planned | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.event.at - other.event.at < 0 || (one.event.at === other.event.at && one.number < other.number);
}

function rise(heap: Planned[], from: number): void {
  for (let place = from; place > 0; ) {
    const parent = (place - 1) >> 1;
    if (!isBefore(heap[place], heap[parent])) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function sink(heap: Planned[]): void {
  for (let place = 0; ; ) {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    const child = isBefore(heap[right], heap[left]) ? right : left;
    if (!isBefore(heap[child], heap[place])) return;
    swap(heap, place, child);
    place = child;
  }
}

function swap(heap: Planned[], one: number, other: number): void {
  const [first, second] = [heap[one], heap[other]];
  if (first === undefined || second === undefined) return;
  heap[one] = second;
  heap[other] = first;
}
