/** Items that are due later, earliest first. */
export interface WaitingRoom<Item> {
  add(item: Item, at: number): void;
  /** Removes and returns every item that is due. */
  takeDue(now: number): Item[];
  /** When the next one is due; undefined if none waits. */
  next(): number | undefined;
}

/** A binary heap, since many records can wait for their next attempt at once. */
export function waitingRoom<Item>(): WaitingRoom<Item> {
  const heap: { readonly item: Item; readonly at: number }[] = [];
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]];
    if (first !== undefined && second !== undefined) [heap[one], heap[other]] = [second, first];
  };
  const takeFirst = () => {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const least = at(right) < at(left) ? right : left;
      if (at(least) >= at(index)) return first?.item;
      swap(least, index);
      index = least;
    }
  };
  return {
    add(item, when) {
      heap.push({ item, at: when });
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= at(index)) break;
        swap(parent, index);
        index = parent;
      }
    },
    takeDue(now) {
      const due: Item[] = [];
      while (at(0) <= now) {
        const item = takeFirst();
        if (item !== undefined) due.push(item);
      }
      return due;
    },
    next: () => heap[0]?.at,
  };
}
