import { at } from './svg-text.ts';

/** How many series can be told apart. */
export const MOST_SERIES = 5;

/** The style of charts, for the style sheet of a page: the colours of its text, and of its system's theme. */
export const chartLook = /* css */ `.chart { --first: #1d5fa8; --second: #a85400; --third: #0a7257; --fourth: #8a3b86; --fifth: #6b6f76; display: block; width: 100%; height: auto; }
.chart text { fill: currentColor; font: 12px system-ui, sans-serif; }
.chart .grid, .chart .axis { stroke: currentColor; stroke-width: 1; stroke-opacity: 0.2; } .chart .axis { stroke-opacity: 0.7; }
.chart .c1 { fill: var(--first); } .chart .c2 { fill: var(--second); } .chart .c3 { fill: var(--third); } .chart .c4 { fill: var(--fourth); } .chart .c5 { fill: var(--fifth); }
.chart .mark { stroke: Canvas; stroke-width: 1.5; fill: none; } .chart .dot { fill: Canvas; } .chart .edge { stroke: Canvas; stroke-width: 1; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .l1 { stroke: var(--first); } .chart .l2 { stroke: var(--second); stroke-dasharray: 7 3; } .chart .l3 { stroke: var(--third); stroke-dasharray: 2 3; } .chart .l4 { stroke: var(--fourth); stroke-dasharray: 9 3 2 3; } .chart .l5 { stroke: var(--fifth); stroke-dasharray: 4 4; }
@media (prefers-color-scheme: dark) { .chart { --first: #6cabf0; --second: #eb9950; --third: #45c29c; --fourth: #d18bcd; --fifth: #a9aeb7; } }
`;

const marks: readonly string[] = [
  '',
  '<path d="M-1 7L7 -1M3 11L11 3M-1 -1L1 -3" class="mark"/>',
  '<circle cx="2" cy="2" r="1.2" class="dot"/><circle cx="6" cy="6" r="1.2" class="dot"/>',
  '<path d="M0 4H8" class="mark"/>',
  '<path d="M4 0V8M0 4H8" class="mark"/>',
];

/** The patterns of a drawing: what is told apart by colour is told apart without it, too. */
export function patterns(id: string, count: number): string {
  const own = marks.slice(0, count).map((mark, index) => {
    const ground = `<rect width="8" height="8" class="c${index + 1}"/>`;
    return `<pattern id="${id}-${index + 1}" width="8" height="8" patternUnits="userSpaceOnUse">${ground}${mark}</pattern>`;
  });
  return `<defs>${own.join('')}</defs>`;
}

/** What an area of a series is filled with. */
export const fillOf = (id: string, series: number): string => `fill="url(#${id}-${(series % MOST_SERIES) + 1})"`;

/** Draws the sample of a series for a legend: a small area filled as its bars are. */
export const swatchOf =
  (id: string) =>
  (series: number, x: number, y: number): string =>
    `<rect x="${at(x)}" y="${at(y)}" width="14" height="12" ${fillOf(id, series)}/>`;
