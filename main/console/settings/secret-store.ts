/**
 * Where tokens are kept, apart from every other setting. The desktop front hands in one over the operating
 * system's own encryption; a host without a desktop falls back to {@link ./file-secret-store.ts}.
 * Names are `connection.<id>.<slot>`, of letters, digits, `.`, `_` and `-`, so that a file name can be made of one.
 * A value that is read here goes into a request or a child's environment and nowhere else.
 */
export interface SecretStore {
  /** Whether values can be kept at all on this host, for this account. */
  state(): Promise<SecretStoreState>;
  /** Keeps a value under a name, replacing what was there. Error: `SECRET_STORE_UNAVAILABLE`. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** True also for a value that is there and cannot be decrypted any more. */
  has(name: string): Promise<boolean>;
  /** The value; null when there is none or it cannot be decrypted. */
  get(name: string): Promise<string | null>;
  /** Names whose value is there and cannot be decrypted: another account, a restored disk. To be entered again. */
  undecryptable(): Promise<readonly string[]>;
}

export type SecretStoreState = "available" | "unavailable";
