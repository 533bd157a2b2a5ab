#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
const { runProcess } = await import('../dist/process.js');
await runProcess();
