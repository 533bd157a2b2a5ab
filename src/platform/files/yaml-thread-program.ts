/* The program of a thread that parses one YAML text and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { warnInParent } from '../process/node-warnings.ts';
import { parseYamlHere } from './yaml-here.ts';

warnInParent();
parentPort?.postMessage(parseYamlHere(String(workerData)));
