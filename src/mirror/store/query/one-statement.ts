/** What a text of SQL contains, as far as it matters for letting it read. */
export interface StatementLook {
  /** The first words in lower case; `explain` and what it explains. */
  readonly words: readonly string[];
  /** Whether anything follows its first semicolon. */
  readonly isSeveral: boolean;
  /** What it does, besides reading: its own verb, or one within parentheses. */
  readonly writes: string | undefined;
}

/** A comment, a quoted text or name, or a dollar-quoted text; what is unfinished goes to the end. */
const SKIPPED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|(\$[A-Za-z_]*\$)[\s\S]*?(?:\1|$)/g;

/** Looks at SQL without understanding it: its first words, and whether it is one statement. */
export function lookAtStatement(sql: string): StatementLook {
  const bare = sql.replaceAll(SKIPPED, (found) => (found.startsWith('--') || found.startsWith('/*') ? ' ' : '?'));
  const [first = '', ...rest] = bare.split(';');
  const words = first.toLowerCase().match(/[a-z_]+/g) ?? [];
  return { words, isSeveral: rest.some((part) => part.trim() !== ''), writes: writingVerb(first) };
}

const VERBS = /\b(?:select|values|insert|update|delete|replace|merge)\b/i;
const WRITING = /^(?:insert|update|delete|replace|merge)$/i;

/** The verb with which a statement writes: its own, outside all parentheses, or that of a part in parentheses. */
function writingVerb(bare: string): string | undefined {
  const [, within] = /\(\s*(insert|update|delete|merge)\b(?!\s*\()/i.exec(bare) ?? [];
  if (within !== undefined) return within;
  let outside = bare;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, ' ');
  }
  const [own] = VERBS.exec(outside) ?? [];
  return own !== undefined && WRITING.test(own) ? own : undefined;
}

const READING = ['select', 'with', 'values'];

/** Why a text may not be run, undefined if it may: only one statement that reads, by its first word. */
export function whyNotRead(sql: string): string | undefined {
  const { words, isSeveral, writes } = lookAtStatement(sql);
  if (words.length === 0) return 'there is no statement in it';
  if (isSeveral) return 'it has several statements';
  const [first = '', second = '', third = ''] = words;
  // `explain` followed by a pragma would run it.
  const told = first !== 'explain' ? first : second === 'query' && third === 'plan' ? (words[3] ?? '') : second;
  const explained =
    first === 'explain' && ['analyze', 'verbose'].includes(told) ? (words[words.indexOf(told) + 1] ?? '') : told;
  if (READING.includes(explained)) return writes === undefined ? undefined : `it has ${writes.toUpperCase()}`;
  return `it begins with ${first.toUpperCase()}${first === 'explain' ? ` ${explained.toUpperCase()}` : ''}`;
}
