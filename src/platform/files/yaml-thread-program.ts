/* The program of a thread that parses one YAML text and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseYamlHere } from './yaml-here.ts';

parentPort?.postMessage(parseYamlHere(String(workerData)));
