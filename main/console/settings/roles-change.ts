import type { Mode, RolesFile } from "../../../shared/api/index.ts";
import type { RoleChange, RolesChange } from "./ports.ts";
import type { VersionedContent } from "./versioned-file.ts";

type Content = Pick<VersionedContent<RolesFile>, "value" | "readOnly">;

/** Whose role is another one, by account, and what everybody else may do. Pure; accounts are the same in any case. */
export function changedRoles(before: Content, after: Content): Omit<RolesChange, "from"> {
  const [was, is] = [modesOf(before.value), modesOf(after.value)];
  const names = new Map([...was, ...is].map(([key, { account }]) => [key, account]));
  const changes = [...names].flatMap(([key, account]): readonly RoleChange[] => {
    const [from, to] = [was.get(key)?.mode ?? null, is.get(key)?.mode ?? null];
    return from === to ? [] : [{ account, before: from, after: to }];
  });
  return { changes, problem: after.value === null ? (after.readOnly?.code ?? null) : null };
}

interface Listed {
  /** Null: whoever is not listed. */
  readonly account: string | null;
  readonly mode: Mode;
}

function modesOf(roles: RolesFile | null): ReadonlyMap<string | null, Listed> {
  if (roles === null) return new Map();
  const others: Listed = { account: null, mode: roles.otherAccounts };
  const listed = roles.accounts.map((each) => [each.account.toLowerCase(), each] as const);
  return new Map<string | null, Listed>([[null, others], ...listed]);
}
