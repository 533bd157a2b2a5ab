/** A shop that a partner's profile is signed in to. The key is the wire's text; only the store and `Secret` hold it. */
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
  /** What shops are called, by their ids: the one whose key this is, and those that may sign in. */
  readonly shop_names?: Readonly<Record<string, string>>;
  readonly sign_in_component_url?: string;
  /** The sandbox of this machine that saved it, by its name. */
  readonly sandbox?: string;
  readonly output?: string;
  readonly read_only?: boolean;
  /** Further settings, as the texts that they were given as, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Everything that is saved, as in the file. */
export interface Settings {
  readonly version: 1;
  readonly current_profile?: string;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
}

/** The one settings file: read as it is, changed under a lock, whole and atomically. */
export interface SettingsStore {
  readonly path: string;
  /**
   * No profiles when there is not a file; throws a SettingsError when the file is damaged, a link or of a newer
   * version.
   */
  read(): Promise<Settings>;
  /** Reads, changes and writes under a lock held against other processes. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** One sentence for each permission that lets other users in; reading changes nothing about them. */
  warnings(): Promise<readonly string[]>;
  /** Takes the permissions of other users away. */
  mend(): Promise<void>;
}

/** Thrown when the settings cannot be used as they are; nothing was changed. */
export class SettingsError extends Error {
  readonly kind = 'configuration';
  readonly path: string;
  readonly hint?: string;

  constructor(path: string, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SettingsError';
    this.path = path;
    if (hint !== undefined) this.hint = hint;
  }
}
