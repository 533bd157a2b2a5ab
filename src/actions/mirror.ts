import { exportMirror } from './mirror/export.ts';
import { forget } from './mirror/forget.ts';
import { mirrorPathAction } from './mirror/place.ts';
import { sql } from './mirror/sql.ts';
import { status } from './mirror/status.ts';
import { sync } from './mirror/sync.ts';
import { mirrorSchema, tables } from './mirror/tables.ts';
import { verify } from './mirror/verify.ts';

/** A copy of the shop in a database. */
export const actions = [sync, status, verify, sql, tables, mirrorSchema, exportMirror, mirrorPathAction, forget];
