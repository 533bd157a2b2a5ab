/** What a service manager is to run. */
export interface ServiceUnit {
  /** What it is called, for people. */
  readonly description: string;
  /** The whole command line, a word each. */
  readonly words: readonly string[];
  /** Variables that it needs; never a secret, for the file can be read by others. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A word as systemd reads it back: quoted, without its own specifiers and variables. Throws a RangeError for a control character. */
export function systemdWord(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new RangeError('a unit cannot hold a control character');
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** A name as a part of a unit's file name. */
export function unitName(listener: string): string {
  return `shopctl-listen-${listener.replace(/[^\w.-]/g, '_')}.service`;
}

/**
 * A systemd user unit. It starts again whatever ended it: what comes meanwhile is sent again by the service, and what was
 * kept is on disk.
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
