/** How many series can be told apart. */
export const MOST_SERIES = 5;

/** The style of charts, for the style sheet of a page: its theme's `--text`, `--quiet` and `--line` are used if it has them. */
export const chartLook = /* css */ `.chart { --c1: #1d5fa8; --c2: #a85400; --c3: #0a7257; --c4: #8a3b86; --c5: #6b6f76; display: block; width: 100%; height: auto; }
.chart text { fill: var(--text, #1c2430); font: 12px system-ui, sans-serif; }
.chart .grid { stroke: var(--line, #d5d9e0); stroke-width: 1; }
.chart .axis { stroke: var(--quiet, #5a6473); stroke-width: 1; }
.chart .c1 { fill: var(--c1); } .chart .c2 { fill: var(--c2); } .chart .c3 { fill: var(--c3); } .chart .c4 { fill: var(--c4); } .chart .c5 { fill: var(--c5); }
.chart .mark { stroke: var(--card, #fff); stroke-width: 1.5; fill: none; }
.chart .dot { fill: var(--card, #fff); }
.chart .edge { stroke: var(--card, #fff); stroke-width: 1; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .l1 { stroke: var(--c1); } .chart .l2 { stroke: var(--c2); stroke-dasharray: 7 3; } .chart .l3 { stroke: var(--c3); stroke-dasharray: 2 3; } .chart .l4 { stroke: var(--c4); stroke-dasharray: 9 3 2 3; } .chart .l5 { stroke: var(--c5); stroke-dasharray: 4 4; }
@media (prefers-color-scheme: dark) { .chart { --c1: #6cabf0; --c2: #eb9950; --c3: #45c29c; --c4: #d18bcd; --c5: #a9aeb7; } }
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
