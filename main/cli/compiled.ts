import { enableCompileCache } from "node:module";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where this account keeps what a start compiled, or null where the account has no place of its own: a folder that
 * others may write to must not say what this program runs. Absolute.
 */
export function compiledFolder(env: Env, platform: NodeJS.Platform): string | null {
  const base =
    platform === "win32"
      ? env.LOCALAPPDATA
      : env.XDG_CACHE_HOME || (env.HOME ? join(env.HOME, ".cache") : undefined);
  return base ? join(base, "flownet", "compiled") : null;
}

/**
 * Lets this start and those of its children find what earlier ones compiled, which is two thirds of a short command's
 * work. Never fails: a folder that cannot be made only costs that time. `env` is the process's own and is told of the
 * folder, unless somebody chose one already.
 */
export function keepCompiled(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): void {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = compiledFolder(env, platform);
  if (folder === null) return;
  enableCompileCache(folder);
  env.NODE_COMPILE_CACHE = folder;
}
