#!/usr/bin/env node
import module from 'node:module';

// Code that is kept is code that is run: it lies where only this user writes, never in a directory for everybody.
const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
if (cache) module.enableCompileCache?.(`${cache}/shopctl/code`);
const { start } = await import('../dist/start.js');
await start();
