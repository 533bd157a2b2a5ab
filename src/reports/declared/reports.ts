import { carriers } from './carriers.ts';
import { cod } from './cod.ts';
import { late, states, unreconciled } from './now.ts';
import type { Report } from './report.ts';
import { customers, products, sales } from './sales.ts';
import { stock } from './stock.ts';

/** Every report, in the order of the documentation. */
export const reports: readonly Report[] = [
  unreconciled,
  states,
  late,
  carriers,
  cod,
  sales,
  products,
  customers,
  stock,
];
