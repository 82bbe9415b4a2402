import { z } from "zod";
import { createIssues, invalid } from "../../errors.ts";
import type { Process } from "../../settings/settings-model.ts";
import { TEXT } from "../../texts.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { readShape } from "../shape.ts";
import { changePreview, checkCondition, checkLang, liveSide, previewSide, type Side } from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);
const code = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const scoped = z.array(
  z.object({ entity: z.object({ type: z.string(), code }), includeSubs: z.boolean().default(false) }),
);
const stateInput = z.object({
  index: numeric,
  name: z.string().optional(),
  assignee: z.object({ type: z.enum(["ONE", "ALL", "ANY"]), entities: scoped }).optional(),
});
const statesInput = z.record(z.string(), stateInput);
const actionsInput = z.array(
  z.object({
    name: z.string().min(1),
    from: z.string(),
    to: z.string(),
    filterCond: z.string().default(""),
    type: z.enum(["PRIMARY", "SECONDARY"]).default("PRIMARY"),
    executableUser: z.object({ entities: scoped }).optional(),
  }),
);

function showProcess({ preview }: Side): Result {
  const { enable, states, actions } = preview.settings.process;
  return { enable, states, actions, revision: String(preview.revision) };
}

/** GET `app/status.json`, live; `states` and `actions` are null when never set up (kintone-rest §12). */
export function getProcess(services: Services, call: Call): Result {
  const side = liveSide(services, call);
  checkLang(call);
  return showProcess(side);
}

/** GET `preview/app/status.json`. */
export function getPreviewProcess(services: Services, call: Call): Result {
  const side = previewSide(services, call);
  checkLang(call);
  return showProcess(side);
}

const BLANK = { type: "ONE", entities: [] } as const;

function readStates(value: unknown, before: Process): Process["states"] {
  const issues = createIssues();
  const states: NonNullable<Process["states"]> = {};
  for (const [key, read] of Object.entries(readShape(statesInput, value, "states"))) {
    const name = read.name ?? key;
    if (Object.hasOwn(states, name)) issues.add(`states.${key}.name`, SETTINGS_TEXT.nameTwice);
    const assignee = read.assignee ?? before.states?.[key]?.assignee ?? { ...BLANK, entities: [] };
    states[name] = { name, index: read.index, assignee };
  }
  if (Object.keys(states).length === 0) issues.add("states", TEXT.parameterRequired);
  issues.throwIfAny();
  return states;
}

function readActions(value: unknown): NonNullable<Process["actions"]> {
  return readShape(actionsInput, value, "actions").map(({ executableUser, ...action }) => ({
    ...action,
    ...(executableUser === undefined ? {} : { executableUser }),
  }));
}

function readProcess(call: Call, before: Process): Process {
  const { enable, states, actions } = call.params;
  if (enable !== undefined && typeof enable !== "boolean") throw invalid("enable", TEXT.badShape);
  const next: Process = {
    enable: enable ?? before.enable,
    states: states === undefined ? before.states : readStates(states, before),
    actions: actions === undefined ? before.actions : readActions(actions),
  };
  const issues = createIssues();
  if (next.enable && next.states === null) issues.add("states", TEXT.parameterRequired);
  (next.actions ?? []).forEach((action, index) => {
    for (const end of ["from", "to"] as const) {
      const isKnown = next.states !== null && Object.hasOwn(next.states, action[end]);
      if (!isKnown) issues.add(`actions[${index}].${end}`, TEXT.enumValue);
    }
  });
  issues.throwIfAny();
  return next;
}

/** PUT `preview/app/status.json`: keys that are absent keep their value; `type` defaults to PRIMARY (kintone-rest §16). */
export function putPreviewProcess(services: Services, call: Call): Result {
  return changePreview(services, call, (side) => {
    const { preview } = side;
    const process = readProcess(call, preview.settings.process);
    for (const { filterCond } of process.actions ?? []) checkCondition(services, call, side, filterCond);
    return { ...preview, settings: { ...preview.settings, process } };
  });
}
