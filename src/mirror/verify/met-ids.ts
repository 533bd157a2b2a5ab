import { hash } from 'node:crypto';

/** The first eight bytes of an id's hash. */
const numberOf = (id: string): bigint => hash('sha1', id, 'buffer').readBigUInt64LE();

/**
 * The ids that a list has named. A large shop has more than there is memory for as texts, so eight bytes of a hash stand
 * for each: of a million ids, two share them in one of 30 million lists.
 */
export class MetIds {
  #numbers = new BigUint64Array(1_024);
  #count = 0;
  #isSorted = true;

  add(id: string): void {
    if (this.#count === this.#numbers.length) {
      const more = new BigUint64Array(2 * this.#count);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.#count] = numberOf(id);
    this.#count += 1;
    this.#isSorted = false;
  }

  /** Those of some ids that were not met. */
  unmet(ids: readonly string[]): string[] {
    if (!this.#isSorted) this.#numbers.subarray(0, this.#count).sort();
    this.#isSorted = true;
    return ids.filter((id) => !this.#has(numberOf(id)));
  }

  #has(number: bigint): boolean {
    let [from, to] = [0, this.#count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#numbers[middle] ?? 0n) < number) from = middle + 1;
      else to = middle;
    }
    return from < this.#count && this.#numbers[from] === number;
  }
}
