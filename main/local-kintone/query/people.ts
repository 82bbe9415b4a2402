import type { FieldType } from "../model.ts";
import { type PeopleType, personExists } from "../values/people.ts";
import type { CompileContext } from "./context.ts";
import { syntaxError, unknownUser } from "./errors.ts";
import type { Comparison } from "./parser.ts";

const PEOPLE: Readonly<Partial<Record<FieldType, PeopleType>>> = {
  CREATOR: "USER_SELECT",
  MODIFIER: "USER_SELECT",
  STATUS_ASSIGNEE: "USER_SELECT",
  USER_SELECT: "USER_SELECT",
  ORGANIZATION_SELECT: "ORGANIZATION_SELECT",
  GROUP_SELECT: "GROUP_SELECT",
};

/** The kind of people a field type holds; null for any other type. */
export const peopleKind = (type: FieldType): PeopleType | null => PEOPLE[type] ?? null;

/**
 * Codes a condition asks for. Null when nothing is left of it: `PRIMARY_ORGANIZATION()` of somebody without one drops
 * the condition (kintone-rest §13.3). Throws 400 `GAIA_IL42` for a code nobody has.
 */
export function peopleCodes(
  kind: PeopleType,
  condition: Comparison,
  context: CompileContext,
): readonly string[] | null {
  const { loginUser, people } = context.environment;
  const codes = condition.operands.flatMap((operand) => {
    if (operand.kind === "literal") {
      if (operand.text !== "" && !personExists(people, kind, operand.text)) throw unknownUser(operand.text);
      return [operand.text];
    }
    context.notes.volatile = true;
    if (operand.args.length > 0) throw syntaxError();
    if (operand.name === "LOGINUSER" && kind === "USER_SELECT") return [loginUser];
    if (operand.name !== "PRIMARY_ORGANIZATION" || kind !== "ORGANIZATION_SELECT") throw syntaxError();
    const primary = people.primaryOrganization(loginUser);
    return primary === null ? [] : [primary];
  });
  return codes.length === 0 ? null : codes;
}
