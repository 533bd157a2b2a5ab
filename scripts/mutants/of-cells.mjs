// Planted faults in how the cells of sheets, mappings, answers and payment files become values.

const values = 'test/reading/values.test.ts';
const payments = 'test/reading/payment-files.test.ts';
const own = 'test/reading/own-amounts.test.ts';
const service = 'test/sheets/service/service-rows.test.ts';

const files = {
  rows: 'src/sheets/payments/row-reader.ts',
  cells: 'src/sheets/payments/payment-cells.ts',
  small: 'src/sheets/rows/small-amounts.ts',
  own: 'src/flows/batch/complete/own-amounts.ts',
};

export const ofCells = (fault) => [
  fault(
    'bare-number-of-a-mapping-is-guessed',
    'the cash of 350.000 in a mapping is taken for 350,000',
    'src/actions/batch/map/mappings.ts',
    'if (doubtful !== undefined) throw',
    'if (doubtful === null) throw',
    'test/batch/map.test.ts',
  ),
  fault(
    'bare-number-of-answers-is-guessed',
    'the cash of 350.000 in a file of answers is taken for 350,000',
    'src/cli/flags/request-input.ts',
    'if (doubtful !== undefined) {',
    'if (doubtful === null) {',
    'test/cli/ship/wizard.test.ts',
  ),
  fault(
    'one-reading-of-two',
    'a number whose decimals could be thousands is refused without what it may be',
    'src/domain/amounts/decimals-or-thousands.ts',
    String.raw`\d{0,2}\.\d{3}$/`,
    String.raw`\d{0,2}\.\d{4}$/`,
    values,
  ),
  fault(
    'day-of-a-csv-is-silent',
    'the code 12-Mar, which was 12-3, is sent without a word',
    'src/sheets/text-look.ts',
    'if (hasNoDays && MADE_DAY.test(text))',
    'if (hasNoDays && MADE_DAY.test(name))',
    values,
  ),
  fault(
    'day-of-a-note-is-told',
    'a day in a note is told to be no text',
    'src/sheets/text-look.ts',
    'if (hasNoDays && MADE_DAY.test(text))',
    'if (MADE_DAY.test(text))',
    values,
  ),
  fault(
    'hidden-name-of-the-service',
    'a name that a marketplace hides is sent from a sheet of the service',
    'src/sheets/service/reading.ts',
    'if (hidden !== undefined) this.fault(key, hidden, line);',
    '',
    service,
  ),
  fault(
    'hidden-code-is-paid',
    'a payment counts for a code that is hidden by asterisks',
    files.cells,
    'if (isMasked(read.value)) return',
    'if (isMasked(read.value) && after === null) return',
    payments,
  ),
  fault(
    'small-cash-is-paid',
    'cash below 1,000 counts in a payment file',
    files.rows,
    "const field = kind === 'cod' ? 'cod_amount' : column.field;",
    'const { field } = column;',
    payments,
  ),
  fault(
    'payments-in-thousands-are-not-asked',
    'a payment file in thousands counts for a thousandth',
    files.rows,
    'if (counted.ask !== undefined) this.asks.push(counted.ask);',
    '',
    payments,
  ),
  fault(
    'sum-in-thousands-is-a-row',
    'the sum of amounts in thousands is compared as it stands',
    files.small,
    '? sum * LEAST : sum;',
    '? sum : sum;',
    payments,
  ),
  fault(
    'missing-cells-of-payments',
    'nobody is told that a line of a payment file lacks cells',
    'src/sheets/payments/read-payments.ts',
    'widths?.finish(account);',
    'widths?.finish(undefined);',
    payments,
  ),
  fault(
    'discount-of-a-piece-is-of-the-line',
    'a discount of each piece is taken off once',
    files.own,
    '(name === PIECE ? amountOf(rest.quantity) : 1)',
    '1',
    own,
  ),
  fault(
    'discount-is-taken-twice',
    'a discount is taken off a price that has it already',
    files.own,
    'if (pieces * (retail - payment_price) === discount) return 0;',
    'if (pieces * (retail - payment_price) === discount) return discount;',
    own,
  ),
  fault(
    'deposit-is-collected-again',
    'the whole total is collected after a deposit',
    files.own,
    'cod_amount: rest }',
    'cod_amount: total }',
    own,
  ),
  fault(
    'deposit-beside-the-whole-total',
    'the whole total stands beside a deposit without a word',
    files.own,
    'if (shipping.cod_amount === total)',
    'if (shipping.cod_amount === -1)',
    own,
  ),
  fault(
    'discount-is-not-asked',
    'nobody is asked what a discount is of',
    'src/sheets/mapping/propose-mapping.ts',
    'return isOne ? fields',
    'return !isOne ? fields',
    own,
  ),
];
