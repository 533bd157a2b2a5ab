import type { ReadyLooker } from '../../contract/rules/likeness.ts';
import { lookAtPlace } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';

const MOST_REMEMBERED = 10_000;

/** The check of a file's texts, on a day like 2026-01-31; places are remembered, since sheets repeat them. */
export function rowLooker(today: string, tree: LocationTree): ReadyLooker {
  const known = new Map<string, ReturnType<typeof lookAtPlace>>();
  return {
    today,
    lookAtPlace: (written) => {
      const key = JSON.stringify([written.province, written.district, written.ward]);
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const look = lookAtPlace(tree, written);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(key, look);
      return look;
    },
  };
}
