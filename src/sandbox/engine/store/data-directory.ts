import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateDirectory } from '../../../platform/files/private-directory.ts';

/**
 * Creates the data directory (0700) and the database file in it (0600) if they are missing. The file contains API keys;
 * SQLite gives the files that it creates beside it the same mode.
 */
export async function prepareDirectory(directory: string, databaseFile: string): Promise<void> {
  makePrivateDirectory(directory);
  const file = await open(join(directory, databaseFile), 'a', 0o600);
  await file.close();
}
