import { EMBEDDED_PROFILE } from "../console/index.ts";

/** The profile a definition is checked for: job lock keys are made of profile and job id (orchestration section 1.2). */
export function definitionProfile(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.KSQL_FLOWNET_PROFILE ?? "";
  return named === "" ? EMBEDDED_PROFILE : named;
}
