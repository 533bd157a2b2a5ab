#!/usr/bin/env node
// An old Node cannot even parse the rest: it is told here, in words that it understands.
const parts = process.versions.node.split('.').map(Number);
if (parts[0] < 20 || (parts[0] === 20 && (parts[1] < 18 || (parts[1] === 18 && parts[2] < 1)))) {
  const message = `shopctl needs Node.js 20.18.1 or newer; this is ${process.versions.node}`;
  const asked = ` ${process.argv.slice(2).join(' ')} `;
  const isForProgram =
    / (?:--json|(?:-o ?|--output[ =])jsonl?) /.test(asked) || /^jsonl?$/.test(process.env.SHOPCTL_OUTPUT);
  const error = {
    code: 'configuration',
    message,
    hint: null,
    exit_code: 14,
    http_status: null,
    meta: {},
    operation: null,
  };
  const envelope = { error: Object.assign(error, { field_errors: [], outcome: 'not_applied' }), schema_version: 1 };
  process.stderr.write(`${isForProgram ? JSON.stringify(envelope) : message}\n`);
  process.exitCode = 14;
} else {
  require('../dist/start.cjs').start();
}
