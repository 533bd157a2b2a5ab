import { describe, expect, it } from 'vitest';
import { lookAtBirthday, lookAtEmail, lookAtPhone } from '../../src/domain/likeness.ts';

describe('a phone number', () => {
  it.each(['0912000003', '0912 000 003', '0912.000.003', '(028) 3822-1234', '+84912000003', '+84 912 000 003'])(
    'is fine as %j',
    (text) => {
      expect(lookAtPhone(text)).toEqual({ kind: 'fine' });
    },
  );

  it.each(['84912000003', '02838221234', ' 0912000003 '])('is fine as %j, too', (text) => {
    expect(lookAtPhone(text)).toEqual({ kind: 'fine' });
  });

  it('that lost its leading 0 is told with the one that was meant', () => {
    const look = {
      kind: 'unusual',
      code: 'phone_without_zero',
      note: 'seems to have lost its leading 0',
      meant: '0912000003',
    };
    expect(lookAtPhone('912000003')).toEqual(look);
    expect(lookAtPhone('912 000 003')).toEqual(look);
    expect(lookAtPhone('842345678')).toMatchObject({ meant: '0842345678' });
  });

  it.each(['+4915112345678', '19001234', '18001234', '0112000003', '091200000', '09120000031', '8493456'])(
    'is told of as %j',
    (text) => {
      expect(lookAtPhone(text)).toMatchObject({ kind: 'unusual', note: expect.stringMatching(/^is /) });
    },
  );

  it.each(['0901234567/0912', '0901 234 567 / 12', '+84901234567/0912345678'])(
    'with more behind a stroke is refused: it may be two (%s)',
    (text) => {
      expect(lookAtPhone(text)).toMatchObject({ kind: 'impossible' });
    },
  );

  it('may have a stroke behind its area', () => {
    expect(lookAtPhone('028/3822-1234')).toEqual({ kind: 'fine' });
  });

  it.each(['912000003.0', '0912000003.0', '912000003.5', '2838221234.0'])(
    'with a decimal place is refused: its point is none between digits (%s)',
    (text) => {
      const message = 'is not a phone number: a program has added a decimal place';
      expect(lookAtPhone(text)).toEqual({ kind: 'impossible', message });
    },
  );

  it.each(['abc', '0912 000 00x', '12345', '0'.repeat(16), '', '+', '++84912000003', '0912+000003', '9.12E+08', '-'])(
    'is told of, and not refused, as %j',
    (text) => {
      expect(lookAtPhone(text)).toEqual({
        kind: 'impossible',
        message: expect.stringMatching(/^is not a phone number/),
      });
    },
  );
});

describe('an e-mail address', () => {
  it.each([
    'lan@example.com',
    'a.b+c@mail.example.co',
    ' lan@example.com ',
    'lan@gmail.com',
    'lan@bưuđiện.vn',
    "o'neil@x.vn",
  ])('is fine as %j', (text) => {
    expect(lookAtEmail(text)).toEqual({ kind: 'fine' });
  });

  it('at a host that is nearly a known one is told with the one that was meant', () => {
    const note = 'is at gmail.con';
    expect(lookAtEmail('Lan@Gmail.con')).toEqual({
      kind: 'unusual',
      code: 'unusual_email',
      note,
      meant: 'Lan@gmail.com',
    });
  });

  it.each(['lan', 'lan@', '@example.com', 'lan@example', 'lan @example.com', 'lan@exam ple.com', 'a@b@example.com'])(
    'cannot be %j',
    (text) => {
      expect(lookAtEmail(text)).toMatchObject({ kind: 'impossible' });
    },
  );

  it.each([
    'lan@example..com',
    'lan..h@example.com',
    'lan@-example.com',
    'lan@1.2',
    'lan,h@example.com',
    `${'a'.repeat(250)}@b.vn`,
  ])('cannot be %j, either', (text) => {
    expect(lookAtEmail(text)).toMatchObject({ kind: 'impossible' });
  });

  it('is judged by one look at each character, however long', () => {
    // More than one for each other character would take hours.
    lookAtEmail(`${'a.'.repeat(1_000_000)}@${'b-'.repeat(1_000_000)}`);
    lookAtEmail(`a@${'b'.repeat(200)}${'-'.repeat(50)}`);
  });
});

describe('a birthday', () => {
  const today = '2026-11-21';

  it.each(['1990-05-17', '17/05/1990', '17-5-1990', '17.05.1990', '1990', '2026-11-21', '29/02/2024', '1990/05/17'])(
    'is fine as %j',
    (text) => {
      expect(lookAtBirthday(text, today)).toEqual({ kind: 'fine' });
    },
  );

  it.each(['17 tháng 5', '17/05', '17/05/90', '05/17/1990', 'May 17, 1990'])('is told of as %j', (text) => {
    expect(lookAtBirthday(text, today)).toMatchObject({ kind: 'unusual' });
  });

  it.each(['31/02/1990', '1990-13-01', '2026-11-22', '22/11/2026', '1890-01-01', '0/1/1990', '29/02/2023'])(
    'cannot be %j',
    (text) => {
      expect(lookAtBirthday(text, today)).toMatchObject({ kind: 'unusual' });
    },
  );
});

it('what is said of a text has a code of its own: no line of a plan stands for two kinds', () => {
  const phones = ['912000003', '+4915112345678', '+8412345678', '19001234', '091200000', '09120000031'];
  const birthdays = ['in May', '05/17/1990', '31/02/1990', '01/01/2099', '01/01/1850'];
  const likeness = [
    ...phones.map(lookAtPhone),
    ...birthdays.map((text) => lookAtBirthday(text, '2026-01-31')),
    lookAtEmail('lan@gmail.con'),
  ];
  const said = likeness.map((look) => (look.kind === 'unusual' ? [look.code, look.note.replaceAll(/\d+/g, 'N')] : []));
  const notes = new Map(said.map(([code = '', note = '']) => [note, code]));
  expect([notes.has(''), notes.size, new Set(notes.values()).size]).toEqual([false, 11, 11]);
});
