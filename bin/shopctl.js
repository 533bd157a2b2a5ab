#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
const { start } = await import('../dist/start.js');
await start();
