import { exportMirror } from './export.ts';
import { forget } from './forget.ts';
import { mirrorPathAction } from './place.ts';
import { sql } from './sql.ts';
import { status } from './status.ts';
import { sync } from './sync.ts';
import { mirrorSchema, tables } from './tables.ts';
import { verify } from './verify.ts';

/** A copy of the shop in a database. */
export const actions = [sync, status, verify, sql, tables, mirrorSchema, exportMirror, mirrorPathAction, forget];
