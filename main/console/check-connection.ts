import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import { type AppRole, compareForm, RECORD_KEY_FIELD } from "../../shared/records/index.ts";
import {
  createKintoneTransport,
  getFormFields,
  type KintoneAnswer,
  type KintoneTransport,
  write,
} from "../kintone-client/index.ts";
import type { AppAccess, Connection } from "./environment.ts";

/** Where a finding about an app is to be corrected. */
interface Names {
  readonly id: string;
  readonly token: string;
}

const VARIABLES: Readonly<Record<AppRole, Names>> = {
  state: { id: "KSQL_FLOWNET_STATE_APP_ID", token: "KSQL_FLOWNET_STATE_API_TOKEN" },
  audit: { id: "KSQL_FLOWNET_AUDIT_APP_ID", token: "KSQL_FLOWNET_AUDIT_API_TOKEN" },
  request: { id: "KSQL_FLOWNET_REQUEST_APP_ID", token: "KSQL_FLOWNET_REQUEST_API_TOKEN" },
  jobLog: { id: "KSQL_FLOW_LOG_APP_ID", token: "KSQL_FLOW_LOG_API_TOKEN" },
};

/** The variables, or the settings, an app's id and token come from. */
function namesOf({ settingsId }: Connection, role: AppRole): Names {
  if (settingsId === undefined) return VARIABLES[role];
  return { id: `connections.${settingsId}.apps.${role}`, token: `connections.${settingsId}.tokens.${role}` };
}

const sourceOf = ({ settingsId }: Connection): string =>
  settingsId === undefined ? "environment" : "settings";

interface AppToCheck extends AppAccess {
  readonly role: AppRole;
  readonly names: Names;
  /** `environment` or `settings`. */
  readonly source: string;
  /** Rights beside view that the orchestrator uses. */
  readonly writes: boolean;
}

/**
 * Holds a configured workspace against what the wire format needs, before anything rests on it: the forms of
 * the state, audit and JOB log apps, and the rights of their tokens. Writes nothing. Errors as `FlowError`:
 * `KINTONE_UNREACHABLE`, `TOKEN_REFUSED`, `APP_NOT_FOUND`, `APP_FORM_MISMATCH`, `TOKEN_RIGHT_MISSING`,
 * each naming the variable to correct.
 */
export async function checkConnection(connection: Connection, signal?: AbortSignal): Promise<void> {
  const about = (role: AppRole) => ({ role, names: namesOf(connection, role), source: sourceOf(connection) });
  const apps: readonly AppToCheck[] = [
    { ...connection.state, ...about("state"), writes: true },
    { ...connection.audit, ...about("audit"), writes: true },
    { ...connection.jobLog, ...about("jobLog"), writes: false },
  ];
  const tokens = new Map(apps.map((app) => [app.appId, [app.token]] as const));
  const transport = createKintoneTransport({ baseUrl: connection.baseUrl, tokens, ...connection.reach });
  try {
    const found = await Promise.all(apps.map((app) => checkApp(transport, connection, app, signal)));
    const problem = found.find((candidate) => candidate !== null);
    if (problem !== undefined && problem !== null) throw new FlowError(problem);
  } finally {
    await transport.dispose();
  }
}

async function checkApp(
  transport: KintoneTransport,
  connection: Connection,
  app: AppToCheck,
  signal?: AbortSignal,
): Promise<Problem | null> {
  const options = signal === undefined ? {} : { signal };
  const form = await transport.send(getFormFields(app.appId), options);
  if (form.kind !== "ok") return answerProblem(form, connection, app);
  const [difference] = compareForm(app.role, form.value);
  if (difference !== undefined) {
    const { id } = app.names;
    return {
      code: "APP_FORM_MISMATCH",
      message: `App ${app.appId} is not the ${app.role} app: its field ${difference.field} should be ${difference.expected} and is ${difference.found === "" ? "missing" : difference.found}.`,
      place: `${app.source} ${id}`,
      remedy: `Correct ${id}, or complete the app's form.`,
    };
  }
  return app.writes ? checkRights(transport, app, options) : null;
}

/**
 * Asks for two writes that cannot succeed: an insert without its required key, and an update of a record
 * that cannot exist. A right that is missing is refused before the content is looked at.
 */
async function checkRights(
  transport: KintoneTransport,
  app: AppToCheck,
  options: { readonly signal?: AbortSignal },
): Promise<Problem | null> {
  const impossible = { field: RECORD_KEY_FIELD, value: "FLOWNET-RIGHTS-CHECK" };
  const probes = [
    { right: "add", request: { kind: "addRecord", app: app.appId, record: {} } },
    {
      right: "edit",
      request: { kind: "updateRecord", app: app.appId, entry: { updateKey: impossible, record: {} } },
    },
  ] as const;
  for (const { right, request } of probes) {
    const answer = await transport.send(write(request), options);
    if (isForbidden(answer)) return rightMissing(app, right);
  }
  return null;
}

function isForbidden(answer: KintoneAnswer<unknown>): boolean {
  return answer.kind === "refused" && answer.status === 403;
}

function rightMissing(app: AppToCheck, right: string): Problem {
  const { token } = app.names;
  return {
    code: "TOKEN_RIGHT_MISSING",
    message: `The token of the ${app.role} app ${app.appId} lacks the right to ${right} records.`,
    place: `${app.source} ${token}`,
    remedy: `Give the token view, add and edit in the app's settings, or correct ${token}.`,
  };
}

function answerProblem(
  answer: Exclude<KintoneAnswer<unknown>, { readonly kind: "ok" }>,
  connection: Connection,
  app: AppToCheck,
): Problem {
  const { id, token } = app.names;
  if (answer.kind === "unknown") {
    return {
      code: "KINTONE_UNREACHABLE",
      message: `No usable answer came from ${connection.baseUrl} (${answer.reason}).`,
      place:
        connection.settingsId === undefined
          ? "environment KSQL_FLOWNET_BASE_URL"
          : `settings connections.${connection.settingsId}.baseUrl`,
      remedy: "Check the address, the network, and whether the service is under maintenance.",
      retryable: true,
    };
  }
  if (answer.code === "GAIA_IL23") return inGuestSpace(app);
  if (answer.code === "CB_NO02") return outsideGuestSpace(app);
  if (answer.status === 404) {
    return {
      code: "APP_NOT_FOUND",
      message: `There is no app ${app.appId} at ${connection.baseUrl}, or it is not deployed.`,
      place: `${app.source} ${id}`,
      remedy: `Correct ${id}.`,
    };
  }
  return {
    code: "TOKEN_REFUSED",
    message: `The token of the ${app.role} app ${app.appId} was refused (HTTP ${answer.status}, ${answer.code}): it is unknown, of another app, or may not view.`,
    place: `${app.source} ${token}`,
    remedy: `Correct ${token} or ${id}; the token needs the right to view.`,
  };
}

/**
 * State and audit app are written in one request, which works within one guest space or outside of all
 * (fenced-writes R8). The variables name none, as the peer's do, so every app has to be outside.
 */
function inGuestSpace(app: AppToCheck): Problem {
  const { id } = app.names;
  return {
    code: "APP_IN_GUEST_SPACE",
    message: `The ${app.role} app ${app.appId} is in a guest space: it cannot be written together with the others.`,
    place: `${app.source} ${id}`,
    remedy: `Put state and audit app outside of guest spaces and correct ${id}.`,
  };
}

/** A connection of the settings may name a guest space; then every app has to be in that one (fenced-writes R8). */
function outsideGuestSpace(app: AppToCheck): Problem {
  const { id } = app.names;
  return {
    code: "APP_NOT_IN_GUEST_SPACE",
    message: `The ${app.role} app ${app.appId} is not in the guest space of this connection: it cannot be written together with the others.`,
    place: `${app.source} ${id}`,
    remedy: `Correct the guest space, or ${id}.`,
  };
}
