import type { AppSlot, ConnectionSettings } from "../../../../shared/api/index.ts";
import { compareForm, ORCHESTRATOR_RIGHTS, RECORD_KEY_FIELD } from "../../../../shared/records/index.ts";
import {
  getFormFields,
  type KintoneAnswer,
  type KintoneTransport,
  type WriteRequest,
  write,
} from "../../../kintone-client/index.ts";
import { confirmed, type Finding, type Probe, unreadable, wrong } from "./probe.ts";

export interface AppProbeDeps {
  readonly connection: ConnectionSettings;
  /** Tokens that are there, by slot. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly transport: KintoneTransport;
}

const SLOTS: readonly AppSlot[] = ["state", "audit", "request", "jobLog"];

/** Authentication, then every app's form, then every token's rights. Writes nothing. */
export function appProbes(deps: AppProbeDeps): readonly Probe[] {
  const { apps } = deps.connection;
  const present = SLOTS.flatMap((slot) => {
    const appId = apps[slot];
    return appId === null ? [] : [{ slot, appId }];
  });
  return [
    {
      id: "authentication",
      group: "apps",
      subject: "authentication",
      of: null,
      place: deps.connection.baseUrl,
      needs: "tls",
      look: (signal) => authenticate(deps, signal),
    },
    ...present.map(
      (app): Probe => ({
        id: `app/${app.slot}`,
        group: "apps",
        subject: "app",
        of: app.slot,
        place: `connections.${deps.connection.id}.apps.${app.slot}`,
        needs: "tls",
        look: (signal) => lookAtForm(deps, app, signal),
      }),
    ),
    ...present.map(
      (app): Probe => ({
        id: `rights/${app.slot}`,
        group: "rights",
        subject: "rights",
        of: app.slot,
        place: `connections.${deps.connection.id}.tokens.${app.slot}`,
        needs: `app/${app.slot}`,
        look: (signal) => lookAtRights(deps, app, signal),
      }),
    ),
  ];
}

interface App {
  readonly slot: AppSlot;
  readonly appId: number;
}

/** Any well-formed answer but "this token is unknown" says that the token was recognised. */
async function authenticate(
  { connection, tokens, transport }: AppProbeDeps,
  signal: AbortSignal,
): Promise<Finding> {
  if (!tokens.has("state")) return wrong("TOKEN_MISSING", { slot: "state" });
  const answer = await transport.send(getFormFields(connection.apps.state), { signal });
  if (answer.kind === "unknown") return noAnswer(answer);
  if (answer.kind === "refused" && isUnknownToken(answer)) return wrong("TOKEN_UNKNOWN", factsOf(answer));
  return confirmed("AUTHENTICATED");
}

async function lookAtForm(
  { tokens, transport }: AppProbeDeps,
  app: App,
  signal: AbortSignal,
): Promise<Finding> {
  const about = { app: String(app.appId) };
  if (!tokens.has(app.slot)) return wrong("TOKEN_MISSING", { ...about, slot: app.slot });
  const answer = await transport.send(getFormFields(app.appId), { signal });
  if (answer.kind !== "ok") {
    const finding = formRefused(answer);
    return { ...finding, facts: { ...about, ...finding.facts } };
  }
  const differences = compareForm(app.slot, answer.value);
  if (differences.length === 0) return confirmed("APP_OK", about);
  const count = String(differences.length);
  return { ...wrong("APP_FORM_MISMATCH", { ...about, count }), differences };
}

function formRefused(answer: Exclude<KintoneAnswer<unknown>, { readonly kind: "ok" }>): Finding {
  if (answer.kind === "unknown") return noAnswer(answer);
  const facts = factsOf(answer);
  if (answer.status === 429 || answer.code === "GAIA_DA02") return unreadable("KINTONE_BUSY", facts);
  if (answer.code === "GAIA_IL23") return wrong("APP_IN_GUEST_SPACE", facts);
  if (answer.code === "CB_NO02") return wrong("APP_NOT_IN_GUEST_SPACE", facts);
  if (answer.status === 404) return wrong("APP_NOT_FOUND", facts);
  if (isUnknownToken(answer)) return wrong("TOKEN_UNKNOWN", facts);
  return wrong("TOKEN_REFUSED", facts);
}

/**
 * Asks for writes that cannot succeed: an insert with a choice no form offers, and an update of a record that cannot
 * exist. A right that is missing is refused before the content is looked at (kintone-rest §4).
 */
async function lookAtRights({ transport }: AppProbeDeps, app: App, signal: AbortSignal): Promise<Finding> {
  const missing: string[] = [];
  const needed = ORCHESTRATOR_RIGHTS[app.slot];
  for (const right of needed) {
    const request = impossible(right, app);
    if (request === null) continue;
    const answer = await transport.send(write(request), { signal });
    if (answer.kind === "unknown") return noAnswer(answer);
    if (answer.kind === "refused" && answer.status === 403) missing.push(right);
  }
  const facts = { app: String(app.appId), needed: needed.join(", ") };
  if (missing.length === 0) return confirmed("RIGHTS_OK", facts);
  return wrong("RIGHTS_MISSING", { ...facts, missing: missing.join(", ") });
}

const NOBODY = "FLOWNET-RIGHTS-CHECK";
/** Far above what a record's number can reach. */
const NO_RECORD = "9007199254740991";

function impossible(right: "view" | "add" | "edit", { slot, appId: app }: App): WriteRequest | null {
  if (right === "add") return { kind: "addRecord", app, record: { record_type: { value: NOBODY } } };
  if (right === "view") return null;
  const keyed = slot === "state" || slot === "audit";
  const entry = keyed
    ? { updateKey: { field: RECORD_KEY_FIELD, value: NOBODY }, record: {} }
    : { id: NO_RECORD, record: {} };
  return { kind: "updateRecord", app, entry };
}

type Refused = Extract<KintoneAnswer<unknown>, { readonly kind: "refused" }>;

const isUnknownToken = ({ code, status }: Refused): boolean => code === "GAIA_IA02" || status === 401;
const factsOf = ({ status, code }: Refused): Record<string, string> => ({
  status: String(status),
  answer: code,
});

const noAnswer = (answer: Extract<KintoneAnswer<unknown>, { readonly kind: "unknown" }>): Finding =>
  unreadable("KINTONE_NO_ANSWER", { reason: answer.detail ?? answer.reason });
