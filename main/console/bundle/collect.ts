import type { Problem } from "../../../shared/domain/problem.ts";
import { problemOf } from "../live-model-readings.ts";

export interface CollectedFile {
  readonly path: string;
  readonly text: string;
}

export interface Gap {
  readonly what: string;
  readonly code: string;
  readonly message: string;
}

/** What goes into one bundle, and what could not be read for it. */
export interface Collection {
  json(path: string, read: () => Promise<unknown> | unknown): Promise<void>;
  text(path: string, read: () => Promise<string> | string): Promise<void>;
  gap(what: string, problem: Problem): void;
  readonly files: readonly CollectedFile[];
  readonly gaps: readonly Gap[];
}

/**
 * Collects what can be read: evidence that is partly out of reach is still evidence, and the rest is named with why
 * (operator-ux §1.2). `clean` removes every known secret before anything is kept.
 */
export function createCollection(clean: (value: unknown) => unknown): Collection {
  const files: CollectedFile[] = [];
  const gaps: Gap[] = [];
  const gap = (what: string, { code, message }: Problem): void => {
    gaps.push({ what, code, message: String(clean(message)) });
  };
  const text: Collection["text"] = async (path, read) => {
    try {
      files.push({ path, text: String(clean(await read())) });
    } catch (cause) {
      gap(path, problemOf(cause));
    }
  };
  return {
    files,
    gaps,
    gap,
    text,
    json: (path, read) => text(path, async () => `${JSON.stringify(clean(await read()), null, 2)}\n`),
  };
}
