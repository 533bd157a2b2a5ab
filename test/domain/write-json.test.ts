import { describe, expect, it } from 'vitest';
import { writeJson } from '../../src/domain/json/values.ts';

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

describe('writeJson', () => {
  it('writes as JSON.stringify does', () => {
    const value = { id: '1', list: [1, null, { name: 'Trà', absent: undefined }], nothing: {}, none: [] };
    expect(writeJson(value)).toBe(JSON.stringify(value));
    expect(writeJson(value, 2)).toBe(JSON.stringify(value, null, 2));
    expect(writeJson(undefined)).toBe('null');
  });

  it('writes what is nested deeper than the stack, the same that was read', () => {
    for (const text of [
      nested(100_000, '[', ']'),
      nested(100_000, '{"a":', '}'),
      nested(50_000, '[{"a":[1,2],"b":', '}]'),
    ]) {
      expect(writeJson(JSON.parse(text)) === text).toBe(true);
      expect(writeJson(JSON.parse(text), 2) === text).toBe(true);
    }
  });
});
