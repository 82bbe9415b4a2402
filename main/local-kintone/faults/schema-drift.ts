import { FlowError } from "../../../shared/domain/problem.ts";
import type { Services } from "../api/services.ts";
import type { AppState, FieldDefinition } from "../model.ts";
import { settleDeploys } from "../settings/deploy.ts";
import type { Preview } from "../storage/previews.ts";
import { ADMINISTRATOR } from "../storage/users.ts";
import type { ActionOf } from "./action-schema.ts";

type SchemaChange = ActionOf<"schema">;

function refuse(place: string, message: string): FlowError {
  return new FlowError({
    code: "FAULT_ACTION_REFUSED",
    message,
    place,
    remedy: "Name a field, and where needed an option, that the live form has.",
  });
}

function renamedOption(definition: FieldDefinition, change: SchemaChange): FieldDefinition {
  const { option = "", to } = change;
  if (definition.options[option] === undefined) {
    throw refuse(option, `The field "${definition.code}" has no option "${option}".`);
  }
  const options = Object.entries(definition.options).flatMap(([name, entry]) => {
    if (name !== option) return [[name, entry] as const];
    return change.change === "drop-option" || to === undefined
      ? []
      : [[to, { ...entry, label: to }] as const];
  });
  return { ...definition, options: Object.fromEntries(options) };
}

/** The field after a change, or null when it is dropped. Pure. */
function changedField(definition: FieldDefinition, change: SchemaChange): FieldDefinition | null {
  switch (change.change) {
    case "drop-field":
      return null;
    case "rename-field":
      return { ...definition, code: change.to ?? definition.code };
    case "drop-option":
    case "rename-option":
      return renamedOption(definition, change);
    case "make-required":
      return { ...definition, required: true };
    case "make-optional":
      return { ...definition, required: false };
    case "remove-unique":
      return { ...definition, unique: false };
  }
}

/** A form after a change, with where each of its codes comes from. Pure; throws FlowError `FAULT_ACTION_REFUSED`. */
function driftedForm(live: Preview, change: SchemaChange): Preview {
  const found = live.definitions.find(({ code }) => code === change.field);
  if (found === undefined) throw refuse(change.field, `The form has no field "${change.field}".`);
  if (change.change.startsWith("rename-") && change.to === undefined) {
    throw refuse("to", "A renaming needs a new name.");
  }
  const changed = changedField(found, change);
  const definitions = live.definitions.flatMap((definition) => {
    if (definition !== found) return [definition];
    return changed === null ? [] : [changed];
  });
  const origins = new Map(live.origins);
  origins.delete(found.code);
  if (changed !== null) origins.set(changed.code, found.code);
  return { ...live, revision: live.revision + 1, definitions, origins };
}

/**
 * Changes a live form as another administrator would between two calls (F21): through the ordinary deploy, but at once.
 * What stood undeployed in the preview is lost.
 */
export function changeSchema(services: Services, app: AppState, change: SchemaChange): void {
  const preview = driftedForm(services.previews.live(app), change);
  services.database.write(() => {
    services.previews.save(preview);
    services.deploys.queue([app.id], {
      due: services.clock.now(),
      revert: false,
      person: ADMINISTRATOR,
    });
  });
  settleDeploys(services);
  if (services.deploys.statusOf(app.id) !== "SUCCESS") {
    throw refuse(change.field, "The stored records do not allow this change of the form.");
  }
}
