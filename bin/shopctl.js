#!/usr/bin/env node
const { start } = await import('../dist/start.js');
await start();
