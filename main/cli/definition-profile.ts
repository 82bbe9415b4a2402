/**
 * The profile a definition is checked for, as far as one is named: job lock keys are made of profile and job
 * id (orchestration section 1.2).
 */
export function definitionProfile(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env.KSQL_FLOWNET_PROFILE ?? "";
  return named === "" ? undefined : named;
}
