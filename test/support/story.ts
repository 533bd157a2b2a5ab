import type { RunOptions, TestMachine } from './context.ts';
import { shellWords } from './shell-words.ts';

/** One command line of a story, with its result. */
export interface Reported {
  readonly exit: number;
  /** Without the final line feed. */
  readonly out: string;
  readonly err: string;
  /** stdout parsed as JSON. */
  // Tests read results of every shape; what they expect of them says the test itself.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
}

/** Masks for what differs between runs, of the same length as what they replace, so that tables stay aligned. */
export interface Masks {
  mask(text: string): string;
}

/** Masks ids in order of first appearance, and times; `also` are further patterns that a run generates. */
export function masks(also: readonly (readonly [pattern: RegExp, name: string])[] = []): Masks {
  const ids = new Map<string, string>();
  const nameOf = (id: string) => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const name = `id-${String(ids.size + 1).padStart(16, '0')}`;
    ids.set(id, name);
    return name;
  };
  return {
    mask: (text) =>
      also
        .reduce((masked, [pattern, name]) => masked.replace(pattern, name), text)
        .replace(/(?<!\d)[1-9]\d{18}(?!\d)/g, nameOf)
        .replace(
          /\d{4}-\d\d-\d\d(T|\s+)\d\d:\d\d(:\d\d)?/g,
          (_, gap, seconds) => `YYYY-MM-DD${gap}hh:mm${seconds ? ':ss' : ''}`,
        )
        .replace(/shopctl-[0-9a-z-]{8,}/g, (made) => 'shopctl-'.padEnd(made.length, 'x')),
  };
}

/** The output on one stream, each line prefixed with the stream's name. */
export function streamBlock(name: string, text: string): string {
  if (text === '') return '';
  const end = text.endsWith('\n') ? '' : '\n(no line feed at the end)';
  const lines = `${text.replace(/\n$/, '')}${end}`.split('\n');
  return lines
    .map((line) => `${name} ${line.replace(/\r$/, '\\r')}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** A whole session, recorded command by command with exit code, stdout and stderr. */
export interface Story {
  /** Runs `shopctl` with the words of a line as a shell would parse them. */
  run(line: string, options?: RunOptions): Promise<Reported>;
  /** Everything so far, with ids and times masked. */
  text(): string;
}

/** Starts a story on a machine; a chapter's heading may be written between its commands. */
export function story(machine: TestMachine, { mask }: Masks = masks()): Story {
  const pages: string[] = [];
  return {
    async run(line, options = {}) {
      const { exit, stdout, stderr } = await machine.run(shellWords(line), options);
      pages.push(mask(`$ shopctl ${line}\nexit ${exit}\n${streamBlock('out', stdout)}${streamBlock('err', stderr)}`));
      return {
        exit,
        out: stdout.replace(/\n$/, ''),
        err: stderr,
        get json() {
          return JSON.parse(stdout);
        },
      };
    },
    text: () => pages.join('\n'),
  };
}
