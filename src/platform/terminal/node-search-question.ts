import type { Readable } from 'node:stream';
import type { makeTheme } from '@inquirer/core';
import { say } from './texts.ts';

/** One choice in a search. */
export interface SearchChoice<Value> {
  readonly name: string;
  readonly value: Value;
  /** The name as displayed in the list; `name` when absent. */
  readonly shown?: string;
  readonly description?: string;
  /** Whether it must be selected explicitly, and is never taken by Enter alone. */
  readonly lastResort?: boolean;
}

/** A question asked on the given streams; it rejects when the signal aborts. */
export type Asks<Answer, Question> = (
  question: Question,
  where: { readonly input: Readable; readonly output: NodeJS.WritableStream; readonly signal: AbortSignal },
) => Promise<Answer>;

/** What to search; every text in it is already safe. */
export interface Search<Value> {
  readonly message: string;
  readonly source: (typed: string) => readonly SearchChoice<Value>[];
}

const rowsShown = 10;

/**
 * A question that narrows its choices as one types. The choices always match what is typed, at every key, which
 * inquirer's own asynchronous search does not guarantee: text that arrives together with its Enter, as when pasted,
 * would select a choice for the earlier text.
 */
export async function searchQuestion<Value>(): Promise<Asks<Value, Search<Value>>> {
  const core = await import('@inquirer/core');
  const { createPrompt, isDownKey, isEnterKey, isTabKey, isUpKey, makeTheme, useKeypress, usePagination } = core;
  const { usePrefix, useState } = core;
  return createPrompt<Value, Search<Value>>(({ message, source }, done) => {
    const theme = makeTheme();
    const [taken, setTaken] = useState<string>();
    const [typed, setTyped] = useState('');
    const [moved, setMoved] = useState<number>();
    const [isRefused, setRefused] = useState(false);
    const prefix = usePrefix({ status: taken === undefined ? 'idle' : 'done', theme });
    const choices = source(typed);
    const first = choices.findIndex(({ lastResort }) => lastResort !== true);
    const active = moved ?? first;
    const chosen = choices[active];
    const narrow = (line: string) => {
      if (line === typed) return;
      setTyped(line);
      setMoved(undefined);
      setRefused(false);
    };
    useKeypress((key, line) => {
      if (isEnterKey(key)) {
        if (chosen === undefined) {
          // readline has cleared its line by now.
          line.write(typed);
          setRefused(choices.length > 0);
          return;
        }
        setTaken(chosen.name);
        done(chosen.value);
      } else if (isTabKey(key)) {
        line.clearLine(0);
        line.write(chosen?.name ?? typed);
        narrow(chosen?.name ?? typed);
      } else if (isUpKey(key) || isDownKey(key)) {
        line.clearLine(0);
        line.write(typed);
        const next = active + (isUpKey(key) ? -1 : 1);
        if (next >= 0 && next < choices.length) setMoved(next);
      } else narrow(line.line);
    });
    const page = usePagination({
      items: choices,
      active: Math.max(0, active),
      renderItem: ({ item, index }) => {
        const text = `${index === active ? '❯' : ' '} ${item.shown ?? item.name}`;
        return index === active ? theme.style.highlight(text) : text;
      },
      pageSize: rowsShown,
      loop: false,
    });
    const lines = linesOf({ prefix, message, theme, typed, taken });
    if (taken !== undefined) return lines.asked;
    const { description } = chosen ?? {};
    const below = choices.length - Math.max(rowsShown, active + 1);
    const list = typed !== '' && choices.length === 0 ? undefined : page;
    return [lines.asked, lines.below({ list, below, isRefused, description })];
  });
}

/** How the question is drawn: the line of the question, and what stands below it. */
function linesOf({ prefix, message, theme, typed, taken }: Drawing) {
  const { style } = theme;
  const answer = taken ?? typed;
  const shown = style.message(message, taken === undefined ? 'idle' : 'done');
  return {
    asked: `${prefix} ${shown}${answer === '' ? '' : ` ${style.answer(answer)}`}`,
    below({ list, below, isRefused, description }: Below): string {
      const parts = [
        list ?? style.error(say().nothingFound),
        below > 0 ? style.help(`  ↓ ${say().more({ below })}`) : undefined,
        isRefused ? style.error(say().nothingMatches) : undefined,
        description === undefined ? undefined : style.answer(description),
        style.help(`↑↓ ${say().navigate} • ⏎ ${say().select}`),
      ];
      return parts.filter((part) => part !== undefined).join('\n');
    },
  };
}

interface Drawing {
  readonly prefix: string;
  readonly message: string;
  readonly theme: ReturnType<typeof makeTheme>;
  readonly typed: string;
  /** The name of the choice that was taken. */
  readonly taken: string | undefined;
}

interface Below {
  /** The visible choices; undefined if nothing was found. */
  readonly list: string | undefined;
  /** How many choices are further down. */
  readonly below: number;
  readonly isRefused: boolean;
  readonly description: string | undefined;
}
