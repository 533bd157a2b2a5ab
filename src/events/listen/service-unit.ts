/** What a service manager is to run. */
export interface ServiceUnit {
  /** Its name, for people. */
  readonly description: string;
  /** The whole command line, one word per item. */
  readonly words: readonly string[];
  /** Environment variables; never a secret, because others can read the file. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A word in systemd's quoting, with its specifiers and variables escaped. Throws a RangeError for a control character.
 */
export function systemdWord(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new RangeError('a unit cannot hold a control character');
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** A name as part of a unit's file name. */
export function unitName(listener: string): string {
  return `shopctl-listen-${listener.replace(/[^\w.-]/g, '_')}.service`;
}

/**
 * A systemd user unit. It restarts after any exit: changes sent meanwhile are retried by the service, and stored ones
 * are on disk.
 */
export function systemdUnit({ description, words, environment }: ServiceUnit): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${systemdWord(`${name}=${value}`).replaceAll('$$', '$')}`,
  );
  return [
    '[Unit]',
    `Description=${description.replace(/[\u0000-\u001f\u007f]/g, ' ').replaceAll('%', '%%')}`,
    'Wants=network-online.target',
    'After=network-online.target',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...variables,
    `ExecStart=${words.map(systemdWord).join(' ')}`,
    'Restart=always',
    'RestartSec=2',
    'TimeoutStopSec=30',
    'UMask=0077',
    'NoNewPrivileges=yes',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}
