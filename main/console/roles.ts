import { userInfo } from "node:os";
import { join } from "node:path";
import { type RolesFile, rolesFile, type SessionInfo } from "../../shared/api/index.ts";
import { createVersionedFile, type VersionedContent, type VersionedFile } from "./settings/versioned-file.ts";

/** `roles.json` of a data folder (decisions §2, §5). */
export const openRolesFile = (dataDir: string): VersionedFile<RolesFile> =>
  createVersionedFile({ path: join(dataDir, "roles.json"), schema: rolesFile, version: 1 });

/**
 * What this session may do (decisions §5). Without roles every account may operate, as before there were any; with a
 * file that cannot be read nobody may, because it may say so. A newer file counts as far as it is understood.
 */
export function decideSession(
  account: string,
  { value, readOnly }: Pick<VersionedContent<RolesFile>, "value" | "readOnly">,
): SessionInfo {
  if (value === null) {
    return readOnly === null
      ? { account, mode: "operate", source: "noRoles" }
      : { account, mode: "view", source: "unreadable" };
  }
  // Windows does not tell accounts apart by case, and a list that did elsewhere would be misread.
  const found = value.accounts.find((entry) => entry.account.toLowerCase() === account.toLowerCase());
  if (found !== undefined) return { account, mode: found.mode, source: "roles" };
  return { account, mode: value.otherAccounts, source: "otherAccounts" };
}

/**
 * The account of the operating system this process runs as. Variables are not asked: whoever starts the program could
 * set them, and roles hang on this name.
 */
export function sessionAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the system's user list has no name; it can be given no role either.
    return "unknown";
  }
}

/** Whether the roles may be changed by this session: by approvers where there are any, else by operators. */
export function mayChangeRoles(session: SessionInfo, roles: RolesFile | null): boolean {
  const approvers =
    roles !== null &&
    (roles.otherAccounts === "approve" || roles.accounts.some(({ mode }) => mode === "approve"));
  return approvers ? session.mode === "approve" : session.mode !== "view";
}
