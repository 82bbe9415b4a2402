import { readFile, rename } from "node:fs/promises";
import { FlowError } from "../../../shared/api/index.ts";
import { writePrivateFile } from "../../console/index.ts";
import type { Vault } from "../ports.ts";
import { EMPTY_SECRETS, isSecretName, type SecretFile, secretFileSchema } from "./schema.ts";

/** Tokens kept by this host for this account; the port the console's settings ask for (main/console/settings). */
export interface SealedSecrets {
  /** `unavailable`: nothing is ever stored, a token is entered for each use (electron-desktop S3). */
  state(): Promise<"available" | "unavailable">;
  /** Errors: `FlowError` `SECRET_STORE_UNAVAILABLE`, `SECRET_INVALID`. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** The value, for main alone; null when there is none or it cannot be opened here any more. */
  get(name: string): Promise<string | null>;
  /** Names to be entered again (electron-desktop S2). */
  undecryptable(): Promise<readonly string[]>;
}

export interface SealedSecretsDeps {
  /** Of this account alone: several people on one host have a file each (electron-desktop S3). */
  readonly file: string;
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** A file that cannot be used, or holds what cannot be opened, was kept under this name. */
  readonly keptAside: (path: string) => void;
}

/** Secrets sealed by the system for this account, in a file of our own (electron-desktop §6). */
export function createSealedSecrets(deps: SealedSecretsDeps): SealedSecrets {
  // One at a time: two changes must not both start from the same file.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (file: SecretFile) => Promise<T>): Promise<T> => {
    const turn = last.then(async () => work(await load(deps)));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    state: async () => ((await deps.vault.available()) ? "available" : "unavailable"),
    set: (name, value) => inTurn((file) => save(deps, file, name, value)),
    remove: (name) => inTurn((file) => remove(deps, file, name)),
    has: (name) => inTurn(async (file) => file.entries[name] !== undefined),
    get: (name) => inTurn((file) => read(deps, file, name)),
    undecryptable: () => inTurn((file) => unreadable(deps.vault, file)),
  };
}

async function save(deps: SealedSecretsDeps, file: SecretFile, name: string, value: string): Promise<void> {
  if (!isSecretName(name) || value === "") {
    throw new FlowError({
      code: "SECRET_INVALID",
      message: "A secret needs a name of letters, digits, dots, underscores and hyphens, and a value.",
      remedy: "Enter the token again.",
    });
  }
  if (!(await deps.vault.available())) throw unavailable();
  await keepUnreadable(deps, file, name);
  const entry = { sealed: await seal(deps.vault, value), savedAt: new Date(deps.nowMs()).toISOString() };
  await write(deps.file, { ...file, entries: { ...file.entries, [name]: entry } });
}

async function remove(deps: SealedSecretsDeps, file: SecretFile, name: string): Promise<void> {
  if (file.entries[name] === undefined) return;
  await keepUnreadable(deps, file, name);
  const { [name]: _, ...entries } = file.entries;
  await write(deps.file, { ...file, entries });
}

async function read(deps: SealedSecretsDeps, file: SecretFile, name: string): Promise<string | null> {
  const entry = file.entries[name];
  const opened = entry === undefined ? null : await unseal(deps.vault, entry.sealed);
  if (entry === undefined || opened === null) return null;
  if (opened.stale) {
    const renewed = { ...entry, sealed: await seal(deps.vault, opened.text) };
    await write(deps.file, { ...file, entries: { ...file.entries, [name]: renewed } });
  }
  return opened.text;
}

async function unreadable(vault: Vault, file: SecretFile): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [name, { sealed }] of Object.entries(file.entries)) {
    if ((await unseal(vault, sealed)) === null) names.push(name);
  }
  return names;
}

/** Another account, a restored disk, a new profile: opening fails, and that is a normal case (electron-desktop S2). */
async function unseal(vault: Vault, sealed: string) {
  try {
    return await vault.open(Buffer.from(sealed, "base64"));
  } catch {
    return null;
  }
}

const seal = async (vault: Vault, text: string): Promise<string> =>
  Buffer.from(await vault.seal(text)).toString("base64");

const write = (path: string, file: SecretFile): Promise<void> =>
  writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);

/** The stored file; one that is none is put aside, never deleted, and a new one starts. */
async function load(deps: SealedSecretsDeps): Promise<SecretFile> {
  const text = await readFile(deps.file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return EMPTY_SECRETS;
  const file = parse(text);
  if (file !== null) return file;
  const aside = asideName(deps);
  await rename(deps.file, aside);
  deps.keptAside(aside);
  return EMPTY_SECRETS;
}

function parse(text: string): SecretFile | null {
  try {
    return secretFileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Before a blob nobody can open is replaced, the whole file is kept: a restored profile may open it again. */
async function keepUnreadable(deps: SealedSecretsDeps, file: SecretFile, name: string): Promise<void> {
  const before = file.entries[name];
  if (before === undefined || (await unseal(deps.vault, before.sealed)) !== null) return;
  const aside = asideName(deps);
  await write(aside, file);
  deps.keptAside(aside);
}

const asideName = ({ file, nowMs }: SealedSecretsDeps): string =>
  `${file}.${new Date(nowMs()).toISOString().replaceAll(/[:.]/g, "-")}.aside`;

const unavailable = (): FlowError =>
  new FlowError({
    code: "SECRET_STORE_UNAVAILABLE",
    message: "The system cannot encrypt for this account, and a token must not lie open on the disk.",
    remedy: "Enter the token for each use, or repair the account's profile.",
  });
