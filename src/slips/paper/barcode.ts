import { code128, type DrawingContext } from 'bwip-js/generic';

/** The quiet zone that Code 128 requires on each side, in modules. */
const quietModules = 10;

/** One bar of a barcode: where it begins and how wide it is, in modules. */
export interface Bar {
  readonly at: number;
  readonly width: number;
}

/** A barcode as data, including both quiet zones; lengths are in modules, the width of the narrowest bar. */
export interface Bars {
  readonly bars: readonly Bar[];
  readonly modules: number;
}

/** A drawing context for the library that records the bars, one unit per module, and draws nothing. */
function recorder(): DrawingContext<Bars> {
  const bars: Bar[] = [];
  let modules = 0;
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width) => {
      modules = width;
    },
    // A bar is a vertical line along its middle, rounded up to a whole unit.
    line: (x, _top, _x1, _bottom, width) => bars.push({ at: x - Math.ceil(width / 2) + quietModules, width }),
    polygon: () => {},
    hexagon: () => {},
    ellipse: () => {},
    fill: () => {},
    text: () => {},
    end: () => ({ bars, modules: modules + 2 * quietModules }),
  };
}

/** The Code 128 symbol of a text; undefined if the text has a character that Code 128 cannot encode. */
export function barsOf(text: string): Bars | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined;
  return code128({ bcid: 'code128', text, scaleX: 1, scaleY: 1, includetext: false }, recorder());
}
