/* The thread of the workspace for `batch-process.ts`: the program's own, whose statements are points. */
import '../../src/platform/sqlite/sqlite-thread-program.ts';
import { watchDriver } from './fault-points.ts';

// In time: the program opens its database later.
watchDriver();
