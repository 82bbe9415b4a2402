import type { AppSource } from "../dialect/ast.ts";
import { CODES, DialectError } from "../dialect/diagnostic.ts";

/** An app a script may read. */
export interface KnownApp {
  /** As the profile writes it. */
  readonly name: string;
  readonly appId: number;
}

export type { AppSource };

/** Logical names compare after NFC and upper-casing (job-dialect §2.3). */
function foldAppName(name: string): string {
  return name.normalize("NFC").toUpperCase();
}

/** Finds the app of a reference among the profile's apps. Throws DialectError KSQL1101 when there is none. */
export function resolveApp(source: AppSource, apps: readonly KnownApp[]): KnownApp {
  if (source.kind === "app") {
    const app = apps.find((candidate) => candidate.appId === source.appId);
    if (app !== undefined) return app;
    throw new DialectError(
      CODES.unresolvedApp,
      `APP${source.appId} is not among the profile's apps.`,
      source.at,
    );
  }
  const app = apps.find((candidate) => foldAppName(candidate.name) === foldAppName(source.name));
  if (app !== undefined) return app;
  throw new DialectError(
    CODES.unresolvedApp,
    `The logical app LAPP_${source.name} is not defined in the profile.`,
    source.at,
  );
}
