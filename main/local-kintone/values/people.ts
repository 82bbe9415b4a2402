import type { Issues } from "../errors.ts";
import type { FieldDefinition, People, Person } from "../model.ts";
import { TEXT, unknownPerson } from "../texts.ts";

const KINDS = {
  USER_SELECT: "USER",
  ORGANIZATION_SELECT: "ORGANIZATION",
  GROUP_SELECT: "GROUP",
} as const;
export type PeopleType = keyof typeof KINDS;

/** True for the types whose values are lists of `{code, name}`. */
export const isPeopleType = (type: string): type is PeopleType => Object.hasOwn(KINDS, type);

/** Whether somebody of the right kind has this code. */
export function personExists(people: People, type: PeopleType, code: string): boolean {
  if (type === "USER_SELECT") return people.hasUser(code);
  return type === "GROUP_SELECT" ? people.hasGroup(code) : people.hasOrganization(code);
}

/**
 * Checks `[{code}]` and fills in the names (kintone-rest §8.4). A code nobody has throws 400 `GAIA_IL26` and its
 * siblings: the service tells it apart from the other failures.
 */
export function normalizePeople(
  type: PeopleType,
  list: readonly unknown[],
  place: string,
  context: { readonly people: People; readonly issues: Issues },
): readonly Person[] {
  const found = new Map<string, Person>();
  list.forEach((item, position) => {
    const code = typeof item === "object" && item !== null && "code" in item ? item.code : null;
    if (typeof code !== "string" || code === "") {
      context.issues.add(`${place}.values[${position}].value`, TEXT.badShape);
      return;
    }
    if (!personExists(context.people, type, code)) throw unknownPerson(KINDS[type], code);
    found.set(code, { code, name: context.people.nameOf(KINDS[type], code) ?? code });
  });
  return [...found.values()];
}

/** What a definition's default stands for when `user` makes the record (kintone-rest §8.3, §12). */
export function defaultPeople(
  { type, defaultValue }: FieldDefinition,
  people: People,
  user: string,
): readonly { readonly code: string }[] {
  if (!isPeopleType(type) || typeof defaultValue === "string") return [];
  return defaultValue.flatMap((entry) => {
    if (typeof entry === "string") return [];
    if (entry.type !== "FUNCTION") return entry.type === KINDS[type] ? [{ code: entry.code }] : [];
    const code = entry.code === "LOGINUSER()" ? user : people.primaryOrganization(user);
    return code !== null && personExists(people, type, code) ? [{ code }] : [];
  });
}
