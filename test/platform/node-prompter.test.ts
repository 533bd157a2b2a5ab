import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { speak } from '../../src/domain/language.ts';
import { nodePrompter, type PrompterOptions } from '../../src/platform/terminal/node-prompter.ts';
import { PromptEnded, type Prompter } from '../../src/platform/terminal/prompter.ts';

const enter = '\r';
const down = '\u001b[B';
const controlC = '\u0003';
const controlD = '\u0004';

/** A person who answers as soon as the screen shows what they wait for, and everything that the screen showed. */
function terminal(options: PrompterOptions = {}) {
  const input = new PassThrough();
  let shown = '';
  const output = new Writable({
    write(chunk, _encoding, callback) {
      shown += chunk;
      callback();
    },
  });
  const see = (text: string) => expect.poll(() => stripVTControlCharacters(shown), { interval: 5 }).toContain(text);
  return {
    prompter: nodePrompter({ input, output, ...options }),
    input,
    output,
    see,
    async type(...keys: string[]) {
      for (const key of keys) {
        input.write(key);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    get shown() {
      return shown;
    },
  };
}

const name = { message: 'Name of the shop' };

describe('a question for text', () => {
  it('is answered by typing', async () => {
    const person = terminal();
    const answer = person.prompter.text(name);
    await person.see('Name of the shop');
    await person.type('Trà Sữa', enter);
    expect(await answer).toBe('Trà Sữa');
  });

  it('is asked again until the answer is right', async () => {
    const person = terminal();
    const answer = person.prompter.text({ ...name, validate: (text) => text === 'b' || `not \u001b[2J${text}` });
    await person.see('Name');
    await person.type('a', enter);
    await person.see('not \\x1b[2Ja');
    await person.type('\u007f', 'b', enter);
    expect(await answer).toBe('b');
  });

  it('shows its proposal safe and takes it as it was', async () => {
    const person = terminal();
    const seen: string[] = [];
    const validate = (text: string) => seen.push(text) > 0 || 'never';
    const answer = person.prompter.text({
      message: 'Name\u202e',
      initial: 'shop\u009b2J',
      validate: validate as (text: string) => true,
    });
    await person.see('Name\\u202e (shop\\x9b2J)');
    await person.type(enter);
    expect(await answer).toBe('shop\u009b2J');
    expect(seen).toEqual(['shop\u009b2J']);
    expect(person.shown).not.toMatch(/[\u0080-\u009f\u202e]/);
  });
});

describe('a terminal that is narrow', () => {
  it('has a long answer, and a long proposal, broken between their words', async () => {
    const person = terminal();
    Object.assign(person.output, { columns: 30 });
    const initial = 'Phường Dịch Vọng Hậu, Quận Cầu Giấy, Thành phố Hà Nội';
    const answer = person.prompter.text({ message: 'Place', initial });
    await person.see('Place');
    await person.type(enter);
    expect(await answer).toBe(initial);
    // Each word stands whole in the proposal, and again in the answer.
    const shown = stripVTControlCharacters(person.shown);
    for (const word of initial.split(' ')) expect([word, shown.split(word).length - 1 >= 2]).toEqual([word, true]);
  });

  /** Long words, none of which occurs twice, so that a broken one is missing. */
  const words = (letter: string) =>
    Array.from({ length: 9 }, (_, at) => `${letter}${'abcdefghi'[at]}${'x'.repeat(at + 3)}`);
  const sees = async (person: ReturnType<typeof terminal>, ...letters: string[]) => {
    for (const word of letters.flatMap(words)) await person.see(word);
  };

  it('has questions, refusals, choices and what is said of them broken between their words', async () => {
    const narrow = (letters: string) => {
      const person = terminal();
      Object.assign(person.output, { columns: 30 });
      return { ...person, message: words(letters).join(' ') };
    };
    const texts = narrow('m');
    const typed = texts.prompter.text({
      message: texts.message,
      validate: (text) => text === 'ab' || words('f').join(' '),
    });
    await sees(texts, 'm');
    await texts.type('a', enter);
    await sees(texts, 'f');
    await texts.type('b', enter);
    expect(await typed).toBe('ab');
    const choices = [{ name: words('c').join(' '), value: 1, description: words('d').join(' ') }];
    for (const kind of ['choose', 'search'] as const) {
      const person = narrow('m');
      const { message } = person;
      const chosen =
        kind === 'choose'
          ? person.prompter.choose({ message, choices })
          : person.prompter.search({ message, source: () => choices });
      await sees(person, 'm', 'c', 'd');
      await person.type(enter);
      expect(await chosen).toBe(1);
    }
  });
});

describe('a question for a secret', () => {
  it('never shows what is typed, and starts over after a wrong answer', async () => {
    const person = terminal();
    const answer = person.prompter.secret({ message: 'API key', validate: (key) => key.length > 3 || 'shor\u001bt' });
    await person.see('API key');
    await person.type('qzj', enter);
    await person.see('shor\\x1bt');
    // Nor with the keys that would show it in inquirer's own password prompt.
    await person.type('\u0014', 'qzjw', '\u0014', enter);
    expect(await answer).toBe('qzjw');
    expect(stripVTControlCharacters(person.shown)).not.toMatch(/[qzjw*]/);
    expect(person.shown).not.toContain('toggle');
  });

  it('says in the language of the run that what is typed is not shown', async () => {
    speak(vietnamese, 0);
    onTestFinished(() => speak(undefined, 0));
    const person = terminal();
    const answer = person.prompter.secret({ message: 'API key' });
    await person.see('[không hiện chữ đang gõ]');
    await person.type('qzj', enter);
    expect(await answer).toBe('qzj');
    expect(person.shown).not.toContain('masked');
  });
});

describe('a confirmation', () => {
  it.each([
    [undefined, enter, false],
    [true, enter, true],
    [undefined, `y${enter}`, true],
    [true, `n${enter}`, false],
  ])('proposing %j and answered %j is %j', async (initial, keys, expected) => {
    const person = terminal();
    const answer = person.prompter.confirm({ message: 'Cancel it?', ...(initial !== undefined && { initial }) });
    await person.see('Cancel it?');
    await person.type(...keys);
    expect(await answer).toBe(expected);
  });
});

describe('a choice', () => {
  const choices = [
    { name: 'Fast\u001b[31m', value: { fee: 1 }, description: 'tomorrow' },
    { name: 'Cheap', value: () => 'a function', description: 'on \u2066Friday' },
    { name: 'None', value: undefined },
  ];

  it('returns exactly the value that was offered', async () => {
    const person = terminal();
    const answer = person.prompter.choose<unknown>({ message: 'Which?', choices });
    await person.see('Fast\\x1b[31m');
    await person.type(down);
    await person.see('on \\u2066Friday');
    await person.type(enter);
    expect(await answer).toBe(choices[1]?.value);
  });

  it('goes to what begins with the digits that are typed, not to the choice of that number', async () => {
    const person = terminal();
    const names = ['Kho', '12 Lê Lợi', 'Lô 7'].map((name) => ({ name, value: name }));
    const first = person.prompter.choose({ message: 'From where?', choices: names });
    await person.see('From where?');
    await person.type('1', '2', enter);
    expect(await first).toBe('12 Lê Lợi');
    const second = person.prompter.choose({ message: 'Once more?', choices: names });
    await person.see('Once more?');
    await person.type('3', enter);
    expect(await second).toBe('Kho');
  });

  it('begins at the one that is proposed', async () => {
    const person = terminal();
    const answer = person.prompter.choose<unknown>({ message: 'Which?', choices, initial: choices[1]?.value });
    await person.see('on \\u2066Friday');
    await person.type(enter);
    expect(await answer).toBe(choices[1]?.value);
  });

  it('narrows as one types', async () => {
    const person = terminal();
    const source = (typed: string) =>
      ['Hà Nội', 'Hải Phòng', 'Đà Nẵng']
        .filter((city) => city.includes(typed))
        .map((city) => ({ name: city, value: city }));
    const answer = person.prompter.search({ message: 'City', source });
    await person.see('Hà Nội');
    await person.type('Đ');
    await expect.poll(() => person.shown.slice(person.shown.lastIndexOf('City')), { interval: 5 }).not.toContain('Nội');
    await person.type(enter);
    expect(await answer).toBe('Đà Nẵng');
  });
});

describe('a search', () => {
  const cities = ['Hà Nội', 'Hải Phòng', 'Đà Nẵng', 'Nha Trang'];
  const none = { name: 'none of these', value: 'none', lastResort: true };
  const source = (typed: string) => [
    ...cities.filter((city) => typed !== '' && city.startsWith(typed)).map((city) => ({ name: city, value: city })),
    none,
  ];
  const shownLast = (person: ReturnType<typeof terminal>) =>
    stripVTControlCharacters(person.shown.slice(person.shown.lastIndexOf('City')));

  it.each([
    ['all at once', ['Đà Nẵng\r']],
    ['behind something else', ['H', '\u007fĐà N\r']],
    ['behind what finds nothing', ['xx', '\u007f\u007fNha\r']],
  ])('takes the choice for what was pasted with its Enter, %s', async (_, pieces) => {
    const person = terminal();
    const answer = person.prompter.search({ message: 'City', source });
    await person.see('none of these');
    for (const piece of pieces) await person.type(piece);
    expect(['Đà Nẵng', 'Nha Trang']).toContain(await answer);
    expect(shownLast(person)).toMatch(/^City (?:Đà Nẵng|Nha Trang)/);
  });

  it('never takes the last resort by Enter alone, and keeps what was typed', async () => {
    const person = terminal();
    const answer = person.prompter.search({ message: 'City', source });
    await person.see('none of these');
    await person.type('Đaa N\r');
    await person.see('nothing matches');
    expect(shownLast(person)).toContain('City Đaa N');
    await person.type('\u007f\u007f\u007f\u007f', 'à');
    await expect.poll(() => shownLast(person), { interval: 5 }).toContain('❯ Đà Nẵng');
    await person.type(enter);
    expect(await answer).toBe('Đà Nẵng');
  });

  it('takes the last resort from somebody who goes to it', async () => {
    const person = terminal();
    const answer = person.prompter.search({ message: 'City', source });
    await person.see('none of these');
    await person.type('H');
    await person.see('❯ Hà Nội');
    await person.type(down, down);
    await person.see('❯ none of these');
    await person.type(down, enter);
    expect(await answer).toBe('none');
  });

  it('shows what was offered safe, with what is said about it', async () => {
    const person = terminal();
    const offered = () => [{ name: 'a\u001b[2J', value: 1, description: 'on \u2066Friday' }];
    const answer = person.prompter.search({ message: 'Which\u202e', source: offered });
    await person.see('a\\x1b[2J');
    await person.see('on \\u2066Friday');
    await person.see('Which\\u202e');
    await person.type(enter);
    expect(await answer).toBe(1);
  });
});

describe('a person who does not answer', () => {
  const questions: [string, (prompter: Prompter) => Promise<unknown>][] = [
    ['text', (prompter) => prompter.text({ message: 'Which?' })],
    ['secret', (prompter) => prompter.secret({ message: 'Which?' })],
    ['confirm', (prompter) => prompter.confirm({ message: 'Which?' })],
    ['choose', (prompter) => prompter.choose({ message: 'Which?', choices: [{ name: 'a', value: 1 }] })],
    ['search', (prompter) => prompter.search({ message: 'Which?', source: () => [{ name: 'a', value: 1 }] })],
  ];

  it.each(questions)('ends a question with Ctrl-C, Ctrl-D or the end of the input: %s', async (_kind, ask) => {
    for (const end of [
      (person: ReturnType<typeof terminal>) => person.type(controlC),
      (person: ReturnType<typeof terminal>) => person.type(controlD),
      (person: ReturnType<typeof terminal>) => person.input.end(),
      (person: ReturnType<typeof terminal>) => person.input.destroy(),
    ]) {
      const person = terminal();
      const answer = ask(person.prompter).catch((error: unknown) => error);
      await person.see('Which?');
      end(person);
      expect(await answer).toBeInstanceOf(PromptEnded);
    }
  });

  it('does not end one with Ctrl-D behind something typed', async () => {
    const person = terminal();
    const answer = person.prompter.text(name);
    await person.see('Name');
    await person.type('a', controlD, 'b', enter);
    expect(await answer).toBe('ab');
  });

  it('is not asked when the input has ended already', async () => {
    const person = terminal();
    person.input.resume().end();
    await new Promise((resolve) => person.input.once('end', resolve));
    await expect(person.prompter.text(name)).rejects.toThrow(PromptEnded);
    expect(person.shown).toBe('');
  });
});

describe('a signal', () => {
  it('ends an open question with its reason', async () => {
    const controller = new AbortController();
    const person = terminal({ signal: controller.signal });
    const answer = person.prompter.text(name);
    const failure = answer.catch((error: unknown) => error);
    await person.see('Name');
    controller.abort('SIGTERM');
    expect(await failure).toBe('SIGTERM');
    expect(await person.prompter.text(name).catch((error: unknown) => error)).toBe('SIGTERM');
  });

  it('reaches a listener that was added by once, without inquirer ending the process', async () => {
    const person = terminal({ signal: new AbortController().signal });
    const answer = person.prompter.text(name);
    await person.see('Name');
    const heard = new Promise((resolve) => process.once('SIGTERM', resolve));
    process.kill(process.pid, 'SIGTERM');
    expect(await heard).toBe('SIGTERM');
    await person.type('still here', enter);
    expect(await answer).toBe('still here');
  });
});

describe('what is typed before its question', () => {
  it('answers one text after another, a line each, whether it came at once or between the questions', async () => {
    const person = terminal();
    const first = person.prompter.text(name);
    await person.see('Name of the shop');
    person.input.write(`Trà Sữa${enter}0901234567${enter}da n`);
    expect(await first).toBe('Trà Sữa');
    expect(await person.prompter.text({ message: 'Phone' })).toBe('0901234567');
    person.input.write(`ang${enter}`);
    const source = (typed: string) => [{ name: `place ${typed}`, value: typed }];
    expect(await person.prompter.search({ message: 'Place', source })).toBe('da nang');
    person.input.write(`early${enter}`);
    expect(await person.prompter.text({ message: 'Street' })).toBe('early');
  });

  it('is dropped behind a line that was not accepted, which is corrected by who sees it', async () => {
    const person = terminal();
    const validate = (text: string) => text === '5' || 'must be 5';
    const answer = person.prompter.text({ ...name, validate });
    await person.see('Name');
    person.input.write(`6${enter}meant for another${enter}`);
    await person.see('must be 5');
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    await person.type('\u007f', '5', enter);
    expect(await answer).toBe('5');
    const next = person.prompter.text({ message: 'Next' });
    await person.see('Next');
    await person.type('seen', enter);
    expect(await next).toBe('seen');
  });

  it('never chooses and never agrees: that is for who sees what is chosen', async () => {
    const person = terminal();
    const first = person.prompter.text(name);
    await person.see('Name');
    person.input.write(`a${enter}${enter}y${enter}`);
    expect(await first).toBe('a');
    let sent = false;
    const sure = person.prompter.confirm({ message: 'Send it?', initial: true });
    void sure.then(() => {
      sent = true;
    });
    await person.see('Send it?');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(sent).toBe(false);
    await person.type('n', enter);
    expect(await sure).toBe(false);
    const next = person.prompter.text({ message: 'Next' });
    await person.see('Next');
    await person.type('b', enter);
    expect(await next).toBe('b');
  });

  it('is not dropped where it is a Ctrl-C', async () => {
    const person = terminal();
    const first = person.prompter.text(name);
    await person.see('Name');
    person.input.write(`a${enter}b${controlC}`);
    expect(await first).toBe('a');
    await expect(person.prompter.confirm({ message: 'Send it?' })).rejects.toThrow(PromptEnded);
    const refused = person.prompter.text({ message: 'Again', validate: () => 'never' });
    await person.see('Again');
    person.input.write(`a${enter}b${enter}${controlC}`);
    await expect(refused).rejects.toThrow(PromptEnded);
  });

  it.each([
    ['at once', ['\u001b[200~Lan\r\n12 ngõ là \r\r2 áo\u001b[201~', enter]],
    ['in pieces', ['\u001b[200~Lan\n12 ngõ l', 'à\n2 ', 'áo\u001b[201~', enter]],
  ])('is one answer where a message is asked for, %s', async (_, pieces) => {
    const person = terminal();
    const answer = person.prompter.text({ ...name, takesMessage: true });
    await person.see('Name of the shop');
    await person.type(...pieces);
    expect(await answer).toBe('Lan\n12 ngõ là\n2 áo');
    // Where its lines end is seen.
    expect(person.shown).toContain('Lan ⏎ 12 ngõ là ⏎ 2 áo');
    const other = terminal();
    const source = (typed: string) => [{ name: 'somebody else', value: typed }];
    const searched = other.prompter.search({ message: 'Who?', takesMessage: true, source });
    await other.see('Who?');
    await other.type(...pieces);
    expect(await searched).toBe('Lan\n12 ngõ là\n2 áo');
  });

  const typed = [...'2 áo'];
  it.each([
    [
      'an Enter of its own behind a paste that the terminal marks',
      ['\u001b[200~Lan 090\u001b[201~', enter],
      ['Lan 090'],
    ],
    ['that Enter together with the end of the paste', [`\u001b[200~Lan\u001b[201~${enter}`], ['Lan']],
    ['an Enter of its own behind a line in one piece', ['Lan 0901234567', enter], ['Lan 0901234567']],
    ['an Enter behind lines in one piece', [`Lan 1${enter}${enter}2 áo`, enter], ['Lan 1', '', '2 áo']],
    ['an Enter behind lines that end with one', [`Lan 1${enter}2 áo${enter}`, enter], ['Lan 1', '2 áo', '']],
    ['an Enter behind a piece that ends with a line', [`Lan 1${enter}`, `2 áo${enter}`, enter], ['Lan 1', '2 áo', '']],
    ['an empty line behind what was typed', [...typed, enter, enter], ['2 áo', '']],
  ])('is more of a message until %s', async (_, pieces, lines) => {
    const person = terminal();
    const more = (isMore: boolean) => person.prompter.text({ ...name, takesMessage: true, isMore });
    const first = more(false);
    await person.see('Name of the shop');
    const written = person.type(...pieces);
    const given = [await first];
    await expect(
      (async () => {
        for (;;) given.push(await more(true));
      })(),
    ).rejects.toMatchObject({ isEndOfInput: true });
    await written;
    expect(given).toEqual(lines);
  });

  it('ends with a Ctrl-C, even if the end of the message never comes', async () => {
    const person = terminal();
    const left = expect(person.prompter.text({ ...name, takesMessage: true })).rejects.toThrow(PromptEnded);
    await person.see('Name of the shop');
    await person.type('\u001b[200~Lan\n', controlC);
    await left;
  });

  it('is marked by a terminal only while a message is asked for', async () => {
    const person = terminal();
    Object.assign(person.output, { isTTY: true });
    for (const takesMessage of [true, false]) {
      const answer = person.prompter.text({ ...name, takesMessage });
      await person.see('Name of the shop');
      await person.type('a', enter);
      await answer;
    }
    expect(person.shown.match(/\u001b\[\?2004[hl]/g)).toEqual(['\u001b[?2004h', '\u001b[?2004l']);
  });

  it('keeps the letters of a pasted line, and reads its tabs as spaces', async () => {
    const person = terminal();
    const first = person.prompter.text(name);
    await person.see('Name');
    person.input.write(`Đỗ\tHữu Phước${enter}12 Lê Lợi\tBến Nghé\tQ1\tHCM${enter}`);
    expect(await first).toBe('Đỗ Hữu Phước');
    const place = person.prompter.search({ message: 'Place', source: (typed) => [{ name: typed, value: typed }] });
    expect(await place).toBe('12 Lê Lợi, Bến Nghé, Q1, HCM');
  });
});

describe('the streams of a prompter', () => {
  it('serve one question after another and keep no listener', async () => {
    const person = terminal();
    const listenersOf = () => person.input.eventNames().map((event) => [event, person.input.listenerCount(event)]);
    let afterFirst: unknown;
    const ofSignal = process.listenerCount('SIGTERM');
    for (const text of ['first', 'second', 'third']) {
      const answer = person.prompter.text({ message: `The ${text}?` });
      await person.see(`The ${text}?`);
      await person.type(text, enter);
      expect(await answer).toBe(text);
      afterFirst ??= listenersOf();
    }
    expect(listenersOf()).toEqual(afterFirst);
    expect(person.output.writableEnded).toBe(false);
    expect(process.listenerCount('SIGTERM')).toBe(ofSignal);
  });

  it('show no colour when none is wanted', async () => {
    const before = process.env.FORCE_COLOR;
    process.env.FORCE_COLOR = '1';
    try {
      for (const colour of [true, false]) {
        const person = terminal({ colour });
        const answer = person.prompter.choose({ message: 'Which?', choices: [{ name: 'a', value: 1 }] });
        await person.see('navigate');
        await person.type(enter);
        await answer;
        expect(/\u001b\[[\d;]*m/.test(person.shown)).toBe(colour);
      }
    } finally {
      if (before === undefined) delete process.env.FORCE_COLOR;
      else process.env.FORCE_COLOR = before;
    }
  });
});

describe('a long list of choices', () => {
  const twelve = Array.from({ length: 12 }, (_, index) => ({ name: `choice ${index + 1}`, value: index }));

  it('is shown whole where the terminal has room for it', async () => {
    const tall = terminal();
    Object.assign(tall.output, { columns: 80, rows: 24 });
    const answer = tall.prompter.choose({ message: 'Which?', choices: twelve });
    await tall.see('choice 12');
    await tall.type(enter);
    expect(await answer).toBe(0);
  });

  it('says how many more there are on a small one', async () => {
    const small = terminal();
    Object.assign(small.output, { columns: 80, rows: 12 });
    const answer = small.prompter.choose({ message: 'Which?', choices: twelve });
    await small.see('Which? (5 more below)');
    await small.type(enter);
    expect(await answer).toBe(0);
  });

  it('says so in a search, too', async () => {
    const person = terminal();
    const answer = person.prompter.search({ message: 'Who?', source: () => twelve });
    await person.see('2 more');
    await person.type(enter);
    expect(await answer).toBe(0);
  });
});
