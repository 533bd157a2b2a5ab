#!/usr/bin/env node
// An old Node cannot even parse the rest: it is told here, in words that it understands.
const parts = process.versions.node.split('.').map(Number);
if (parts[0] < 20 || (parts[0] === 20 && (parts[1] < 18 || (parts[1] === 18 && parts[2] < 1)))) {
  process.stderr.write(`shopctl needs Node.js 20.18.1 or newer; this is ${process.versions.node}\n`);
  process.exitCode = 14;
} else {
  require('../dist/start.cjs').start();
}
