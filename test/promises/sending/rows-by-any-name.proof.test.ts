/* The other names by which a row may call an order: `rows-by-any-name.test.ts` has one. */
import { orderCalledByARow, ways } from './rows-by-name.ts';

orderCalledByARow(ways.filter(([name]) => name !== 'code'));
