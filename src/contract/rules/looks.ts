import { isRecord } from '../../domain/json/value-at.ts';
import { lookAtBirthday } from '../../domain/looks/birthday-look.ts';
import { lookAtEmail } from '../../domain/looks/email-look.ts';
import type { Look } from '../../domain/looks/look.ts';
import { lookAtPhone } from '../../domain/looks/phone-look.ts';
import { lookAtPlace } from '../../domain/places/place-look.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import type { FieldError } from '../operation.ts';
import { fieldPath } from '../schema/field-errors.ts';
import type { JsonSchema, LooksLike } from '../schema/json-schema.ts';

/**
 * What checking texts needs: the current day, like 2026-01-31, and the places, which are loaded only if a place is
 * named.
 */
export interface Looker {
  readonly today: string;
  readonly places: () => Promise<LocationTree>;
}

/** Findings about a request: what is impossible and refused, and what is unusual, which is reported but sent. */
export interface Seen {
  readonly errors: FieldError[];
  readonly notes: FieldError[];
}

const textIn = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

function tell(seen: Seen, path: string, look: Look): void {
  if (look.kind === 'impossible') seen.errors.push({ path, message: look.message });
  if (look.kind !== 'unusual') return;
  seen.notes.push({ path, message: look.meant === undefined ? look.note : `${look.note}; was ${look.meant} meant?` });
}

/** A place is identified by all its levels, so the record that holds them is checked as a whole. */
async function lookAtNames(
  fields: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  looker: Looker,
  seen: Seen,
): Promise<void> {
  const [province, district, ward] = [textIn(fields.province), textIn(fields.district), textIn(fields.ward)];
  if (province === undefined) return;
  const { level, look } = lookAtPlace(await looker.places(), { province, district, ward });
  tell(seen, fieldPath([...path, level]), look);
}

const LOOKS: { readonly [Kind in LooksLike]?: (text: string) => Look } = { phone: lookAtPhone, email: lookAtEmail };

/** Checks a text alone, as it is typed; undefined if checking it needs the day, or the fields beside it. */
export function lookAtText(looks: LooksLike | undefined, text: string): Look | undefined {
  return looks === undefined ? undefined : LOOKS[looks]?.(text);
}

async function lookIn(
  { properties, items }: JsonSchema,
  value: unknown,
  path: readonly PropertyKey[],
  looker: Looker,
  seen: Seen,
): Promise<void> {
  if (items !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) await lookIn(items, item, [...path, index], looker, seen);
  }
  if (properties === undefined || !isRecord(value)) return;
  for (const [name, field] of Object.entries(properties)) {
    const here = [...path, name];
    const text = textIn(value[name]);
    if (field.looks === undefined || text === undefined) {
      if (field.looks === undefined) await lookIn(field, value[name], here, looker, seen);
      continue;
    }
    const look = lookAtText(field.looks, text);
    if (look !== undefined) tell(seen, fieldPath(here), look);
    else if (field.looks === 'birthday') tell(seen, fieldPath(here), lookAtBirthday(text, looker.today));
    else if (field.looks === 'province') await lookAtNames(value, path, looker, seen);
  }
}

/** Checks every phone number, e-mail address, birthday and place in a request, as its schema declares. */
export async function lookAt(schema: JsonSchema, value: unknown, looker: Looker): Promise<Seen> {
  const seen: Seen = { errors: [], notes: [] };
  await lookIn(schema, value, [], looker, seen);
  return seen;
}
