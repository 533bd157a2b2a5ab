/** What a service manager is to run. */
export interface ServiceUnit {
  /** Its name, for people. */
  readonly description: string;
  /** The whole command line, one word per item. */
  readonly words: readonly string[];
  /** Environment variables; never a secret, because others can read the file. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether it is started again after any exit, or runs to its end whenever it is started. */
  readonly runs: 'always' | 'when-started';
}

/**
 * A word in systemd's quoting, with its specifiers and variables escaped. Throws a RangeError for a control character.
 */
export function systemdWord(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new RangeError('a unit cannot hold a control character');
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** The file name of a unit: of what, for whom. */
export function unitName(called: string, name: string, kind: 'service' | 'timer'): string {
  return `shopctl-${called}-${name.replace(/[^\w.-]/g, '_')}.${kind}`;
}

/** Text of a description, on one line. */
const described = (text: string) => `Description=${text.replace(/[\u0000-\u001f\u007f]/g, ' ').replaceAll('%', '%%')}`;

/**
 * A systemd user unit. One that runs always restarts after any exit: changes sent meanwhile are retried by the service,
 * and stored ones are on disk.
 */
export function serviceUnit({ description, words, environment, runs }: ServiceUnit): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${systemdWord(`${name}=${value}`).replaceAll('$$', '$')}`,
  );
  const isAlways = runs === 'always';
  return [
    '[Unit]',
    described(description),
    'Wants=network-online.target',
    'After=network-online.target',
    ...(isAlways ? ['StartLimitIntervalSec=0'] : []),
    '',
    '[Service]',
    `Type=${isAlways ? 'exec' : 'oneshot'}`,
    ...variables,
    `ExecStart=${words.map(systemdWord).join(' ')}`,
    ...(isAlways ? ['Restart=always', 'RestartSec=2'] : []),
    'TimeoutStopSec=30',
    'UMask=0077',
    'NoNewPrivileges=yes',
    '',
    ...(isAlways ? ['[Install]', 'WantedBy=default.target', ''] : []),
  ].join('\n');
}

/** The systemd timer of the service of the same name: soon after it is started, and then after each run and a pause. */
export function timerUnit(description: string, pauseMs: number): string {
  return [
    '[Unit]',
    described(description),
    '',
    '[Timer]',
    'OnActiveSec=10s',
    `OnUnitInactiveSec=${pauseMs}ms`,
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n');
}
