import { formatMoney } from '../../domain/amounts/money.ts';
import { textsIn } from '../../domain/language.ts';

/** What stands around tables for people. */
export const printTexts = {
  /** Before what is to be read as a warning. */
  warning: 'warning: ',
  nothing: 'nothing to show',
  timesIn: ({ zone }: { zone: string }) => `times in ${zone}`,
  /** Columns for which a terminal is too narrow. */
  leftOut: ({ columns, width }: { columns: readonly string[]; width: number }) =>
    `${columns.length === 1 ? '1 column is' : `${columns.length} columns are`} left out on a terminal of ${width}: ${columns.join(', ')}; choose with --fields`,
  unprinted: ({ why }: { why: string }) => `it was done, but could not be printed: ${why}`,
  unsaved: 'nothing was saved, as this was only a preview',
  /** How far a long work is. */
  progress: {
    waiting: ({ seconds }: { seconds: number }) => `waiting for the service, ${seconds} s`,
    after: ({ reported, seconds }: { reported: string; seconds: number }) => `${reported}, ${seconds} s`,
    soFar: ({ records }: { records: number }) => `${formatMoney(records)} records so far`,
    ofList: ({ list, reported }: { list: string; reported: string }) => `${list}: ${reported}`,
    of: ({ records, all, failed }: { records: number; all: number; failed: number }) =>
      `${formatMoney(records)} of ${formatMoney(all)}, ${formatMoney(failed)} failed`,
    left: ({ reported, seconds }: { reported: string; seconds: number }) => `${reported}, about ${seconds} s left`,
    serviceWait: ({ seconds }: { seconds: number }) => `the service asks to wait ${seconds} s before the next attempt`,
  },
  fields: {
    names: '--fields takes names separated by commas, for example id,shipping.cod_amount',
    unknown: ({ names }: { names: readonly string[] }) =>
      `unknown ${names.length === 1 ? 'field' : 'fields'} in --fields: ${names.join(', ')}`,
    list: '--fields without a value lists the fields there are',
    none: 'is not a field of this result',
  },
  didYouMean: ({ names }: { names: readonly string[] }) => `did you mean ${names.join(', ')}?`,
  query: {
    whereToRead: 'the language is described at https://jmespath.site',
    tooLong: ({ length }: { length: number }) =>
      `--query: the expression of ${length} characters takes too long to read`,
    openQuote: ({ at, expression }: { at: number; expression: string }) =>
      `--query: a quote is not closed at character ${at} of ${expression}`,
    /** The reason is in the words of the parser. */
    wrong: ({ why, at, expression }: { why: string; at: number; expression: string }) =>
      `--query: ${why} at character ${at} of ${expression}`,
    failed: ({ why }: { why: string }) => `--query: ${why}`,
    number: 'a number stands in backquotes: [?fee > `5`]',
    assigned: ({ name, expression }: { name: string; expression: string }) =>
      `--query: one = after ${name} compares nothing in ${expression}`,
    compare: ({ name }: { name: string }) => `compare with ==: ${name} == …`,
    noFunction: ({ name, at }: { name: string; at: number }) =>
      `--query: there is no function ${name}(), at character ${at}`,
    endsEarly: 'the expression ends too early or something is left open',
    ofList: ({ field }: { field: string }) =>
      `the query found nothing: the result is a list, so begin with [].${field}, or with [?…] to choose`,
  },
  twoFormats: '--json and --output name different formats',
};

export const say = textsIn('print', printTexts);
