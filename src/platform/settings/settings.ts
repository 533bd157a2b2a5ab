/** A shop that a partner's profile is signed in to. The key is as on the wire; only the store and `Secret` hold it. */
export interface StoredShop {
  readonly name?: string;
  readonly shop_key: string;
  /** When the key was saved, ISO 8601. */
  readonly since?: string;
}

/** One account at one service. A key belongs to the origin of `base_url` and is never sent to another. */
export interface StoredProfile {
  readonly kind: 'partner' | 'shop';
  readonly base_url: string;
  readonly api_key?: string;
  readonly shops?: Readonly<Record<string, StoredShop>>;
  readonly current_shop?: string;
  /** The shops' names by their ids: the shop whose key this is, and those that may sign in. */
  readonly shop_names?: Readonly<Record<string, string>>;
  readonly sign_in_component_url?: string;
  /** The name of this machine's sandbox that saved it. */
  readonly sandbox?: string;
  /** The instance of that sandbox: it is the same at another port, and another one at the same port is not. */
  readonly sandbox_instance?: string;
  /** The flags that start that sandbox as it was, besides its name and port, quoted for a shell. */
  readonly sandbox_flags?: string;
  readonly output?: string;
  readonly read_only?: boolean | 'locked';
  /** Other settings by name, as the texts they were given as. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A ledger: its random id, and the location of its workspace. */
export interface StoredLedger {
  readonly id: string;
  readonly place: string;
}

/** Everything that is saved, as in the file. */
export interface Settings {
  readonly version: number;
  readonly current_profile?: string;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
  /** Settings for every profile that has none of its own, by name, as the texts they were given as. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The ledger that an account belongs to, by the account. */
  readonly ledgers?: Readonly<Record<string, StoredLedger>>;
}

/** The settings file: read without a lock, changed under one, written atomically. */
export interface SettingsStore {
  readonly path: string;
  /** Empty if the file does not exist; throws a SettingsError if it is damaged, a link or of a newer version. */
  read(): Promise<Settings>;
  /** Reads, changes and writes under a lock that other processes respect. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** One sentence for each permission that gives other users access; changes nothing. */
  warnings(): Promise<readonly string[]>;
  /** Removes other users' permissions. */
  mend(): Promise<void>;
}

/** Thrown when the settings cannot be used; nothing was changed. */
export class SettingsError extends Error {
  readonly kind = 'configuration';
  readonly path: string;
  readonly hint?: string;
  /** `settings_full` if there was no space to write them; undefined otherwise. */
  readonly code?: 'settings_full';

  constructor(
    path: string,
    message: string,
    hint?: string,
    options: ErrorOptions & { readonly isFull?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'SettingsError';
    this.path = path;
    if (hint !== undefined) this.hint = hint;
    if (options.isFull === true) this.code = 'settings_full';
  }
}
