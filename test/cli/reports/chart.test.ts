import { describe, expect, it } from 'vitest';
import { chartText } from '../../../src/cli/print/chart-text.ts';
import type { Chart } from '../../../src/domain/chart.ts';
import { roundTicks, shortNumber, sparkline } from '../../../src/domain/chart.ts';
import { chartSvg } from '../../../src/domain/chart-svg.ts';
import { displayWidth } from '../../../src/platform/terminal/text-width.ts';
import { hostileName } from '../../support/random-shop.ts';

const bars: Chart = {
  kind: 'bars',
  title: 'Days of stock left',
  unit: 'days',
  along: 'names',
  labels: [
    'Khăn lụa Hà Đông, Xanh',
    'Áo len mỏng',
    'Ô gấp',
    '茶 trà',
    'a name that is much longer than there is room for',
  ],
  series: [{ name: 'days left', values: [81, 105, 0, 367, 12] }],
};

const stacked: Chart = {
  kind: 'stacked',
  title: 'Cash on delivery',
  unit: 'currency units',
  along: 'periods',
  labels: ['2026-11-20', '2026-11-21', '2026-11-22'],
  series: [
    { name: 'settled', values: [1_200_000, 0, 333_333] },
    { name: 'outstanding', values: [600_000, 4_094_000, 333_333] },
  ],
};

const lines: Chart = {
  kind: 'lines',
  title: 'Revenue',
  unit: 'currency units',
  along: 'periods',
  labels: Array.from({ length: 14 }, (_, day) => `2026-11-${String(day + 9).padStart(2, '0')}`),
  series: [{ name: 'revenue', values: [0, 2e6, 1.5e6, 0, 3e6, 4.2e6, 4e6, 1e6, 0, 0, 5e5, 2.5e6, 2.6e6, 3.9e6] }],
};

const plain = (line: string) => line.replaceAll(/\u001b\[\d+m/g, '');

describe.each([40, 80, 200])('a chart on %i columns', (width) => {
  it.each([bars, stacked, lines])('is drawn as before, with colour, without, and in ASCII: $kind', (chart) => {
    const drawn = chartText(chart, { width, colour: false, ascii: false });
    expect(drawn).toMatchSnapshot();
    expect(chartText(chart, { width, colour: false, ascii: true })).toMatchSnapshot();
    const coloured = chartText(chart, { width, colour: true, ascii: false });
    expect(coloured.map(plain)).toEqual(drawn);
    expect(coloured.join('')).toContain('\u001b[36m');
  });

  it.each([bars, stacked, lines])('fits, and its names and values align: $kind', (chart) => {
    for (const ascii of [false, true]) {
      const drawn = chartText(chart, { width, colour: false, ascii });
      for (const line of drawn) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      if (chart.kind === 'lines') continue;
      // Every bar begins in the same column and every value ends in the last one.
      expect(new Set(drawn.slice(-chart.labels.length).map(displayWidth))).toEqual(new Set([width]));
    }
    if (width > 40) expect(chartText(chart, { width, colour: false, ascii: true }).join('\n')).not.toMatch(/[█▒●·┤]/);
  });
});

describe('a chart', () => {
  it('gives a bar twice as large twice the length', () => {
    const chart: Chart = { ...bars, labels: ['a', 'b'], series: [{ name: '', values: [100, 200] }] };
    const [, one = '', two = ''] = chartText(chart, { width: 60, colour: false, ascii: true });
    const lengthOf = (line: string) => line.replaceAll(/[^#]/g, '').length;
    expect([lengthOf(one) * 2, lengthOf(two)]).toEqual([lengthOf(two), 60 - 'a  200'.length]);
  });

  it('draws on a page each part of a bar behind the one before, as long as it is large', () => {
    const series = [
      { name: 'delivered', values: [100, 200] },
      { name: 'returned', values: [300, 0] },
    ];
    const svg = chartSvg({ ...stacked, along: 'names', labels: ['a', 'b'], series }, { width: 800, id: 'x' });
    const parts = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]*class="edge">/g)];
    const [one, other, below] = parts.map(([, x, y, width]) => ({ x: Number(x), y: Number(y), width: Number(width) }));
    expect(parts.length).toBe(3);
    expect([one?.y, below?.x]).toEqual([other?.y, one?.x]);
    expect(other?.x).toBeCloseTo(Number(one?.x) + Number(one?.width), 0);
    expect(Number(other?.width) / Number(one?.width)).toBeCloseTo(3, 1);
    expect(Number(below?.width) / Number(one?.width)).toBeCloseTo(2, 1);
  });

  it('keeps names from a shop on their line, and harmless', () => {
    const chart: Chart = { ...bars, labels: ['\u001b[2Jclear\nline'], series: [{ name: '', values: [1] }] };
    expect(chartText(chart, { width: 60, colour: false, ascii: false }).join('')).not.toMatch(/[\u001b\n]/);
    const svg = chartSvg(
      { ...bars, labels: [hostileName], series: [{ name: '', values: [1] }] },
      { width: 800, id: 'x' },
    );
    expect(svg).not.toMatch(/<script|\u202e/);
    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('names every bar in full, above it where the drawing is narrow', () => {
    const chart: Chart = { ...bars, labels: bars.labels.slice(0, 3), series: [{ name: '', values: [81, 105, 0] }] };
    const textsOf = (width: number) => {
      const svg = chartSvg(chart, { width, id: 'x' });
      return [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">([^<]*)</g)].map(
        ([, x, y, anchor, text = '']) => ({ x: Number(x), y: Number(y), anchor, text }),
      );
    };
    for (const [width, anchor] of [
      [340, 'start'],
      [880, 'end'],
    ] as const) {
      const texts = textsOf(width);
      const named = chart.labels.map((label) => texts.find(({ text }) => text === label));
      expect(named.map((one) => one?.anchor)).toEqual([anchor, anchor, anchor]);
      const values = texts.filter(({ text }) => ['81', '105'].includes(text));
      const below = values.map(({ y }, index) => y - (named[index]?.y ?? 0));
      expect(below.every((gap) => (width === 340 ? gap > 12 && gap < 30 : gap === 0))).toBe(true);
    }
  });

  it('draws labels of an axis that do not touch', () => {
    for (const width of [340, 880]) {
      const labels = [...chartSvg(lines, { width, id: 'x' }).matchAll(/<text x="([\d.]+)"[^>]*middle">(\d+ Nov)</g)];
      const places = labels.map(([, x, text = '']) => [Number(x) - text.length * 3.6, Number(x) + text.length * 3.6]);
      expect(places.length).toBeGreaterThan(2);
      for (const [index, [from = 0]] of places.entries())
        if (index > 0) expect(from).toBeGreaterThan(places[index - 1]?.[1] ?? 0);
    }
  });

  it('has round numbers on its axis, 0 among them', () => {
    expect(roundTicks(0, 4_094_000, 6)).toEqual([0, 1e6, 2e6, 3e6, 4e6, 5e6]);
    expect(roundTicks(0, 3, 5)).toEqual([0, 1, 2, 3]);
    expect(roundTicks(-40, 90, 6)).toContain(0);
    expect(roundTicks(0, 0, 5)).toEqual([0, 1]);
    for (const most of [1, 7, 19, 99, 101, 12_345, 999_999, 123_456_789]) {
      const ticks = roundTicks(0, most, 6);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
    }
  });

  it('shortens numbers without changing their size', () => {
    expect([0, 950, 1500, 20_000_000, 999_999, -1_250_000].map(shortNumber)).toEqual([
      '0',
      '950',
      '1.5k',
      '20M',
      '1M',
      '-1.25M',
    ]);
    expect(sparkline([0, 5, 10])).toBe('▁▅█');
    expect(sparkline([0, 0])).toBe('▁▁');
  });
});
