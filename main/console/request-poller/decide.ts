import { FlowError } from "../../../shared/domain/problem.ts";
import { isConfigured } from "../environment.ts";
import type { Workspace } from "../ports.ts";
import { type PollOptions, pollOptions } from "./options.ts";

type Env = Readonly<Record<string, string | undefined>>;

const POLLER_WISHES = ["auto", "on", "off"] as const;
export type PollerWish = (typeof POLLER_WISHES)[number];

/** Why a resident polls or not; the reason is printed and logged. */
export type PollDecision = { readonly poll: boolean; readonly why: string };

export interface PollFacts {
  readonly wish: PollerWish;
  readonly kind: Workspace["kind"];
  /** It stands in for a connection that cannot be opened: nobody may act on it. */
  readonly standsIn: boolean;
  readonly requestApp: boolean;
  readonly allowedNetworks: number;
}

/**
 * Whether a resident carries requests out. By itself (`auto`) only on a host that was given both a request app and a list
 * of what it may start; the embedded workspace has both from the first start, without anybody having asked for it, and
 * polls when told to. Pure.
 */
export function decidePolling(facts: PollFacts): PollDecision {
  const no = (why: string): PollDecision => ({ poll: false, why });
  if (facts.wish === "off") return no("the settings say so");
  if (facts.standsIn) return no("the connection of the settings is not open");
  if (!facts.requestApp) return no("no request app is configured");
  if (facts.allowedNetworks === 0) return no("no network is in the allow list");
  if (facts.wish === "on") return { poll: true, why: "the settings say so" };
  if (facts.kind === "embedded") return no("the embedded workspace polls only when told to");
  return { poll: true, why: "this host has a request app and an allow list" };
}

/** `KSQL_FLOWNET_REQUEST_POLLER`, else the settings, else `auto`. Error: `ENVIRONMENT_INVALID`. */
export function pollerWish(env: Env, saved: PollerWish | undefined): PollerWish {
  const text = env.KSQL_FLOWNET_REQUEST_POLLER ?? "";
  if (text === "") return saved ?? "auto";
  const wish = POLLER_WISHES.find((each) => each === text);
  if (wish !== undefined) return wish;
  throw new FlowError({
    code: "ENVIRONMENT_INVALID",
    message: `The variable KSQL_FLOWNET_REQUEST_POLLER cannot be used: it is one of ${POLLER_WISHES.join(", ")}.`,
    place: "environment KSQL_FLOWNET_REQUEST_POLLER",
    remedy: "Correct KSQL_FLOWNET_REQUEST_POLLER.",
  });
}

/** What a workspace says about polling it. Error: `ENVIRONMENT_INVALID`. */
export function pollDecisionFor(
  workspace: Pick<Workspace, "kind" | "settings" | "requestStore" | "networks">,
  env: Env,
): PollDecision {
  return decidePolling({
    wish: pollerWish(env, workspace.settings?.reading().requestPoller),
    kind: workspace.kind,
    standsIn: workspace.settings?.session().source === "fallback",
    requestApp: workspace.requestStore !== null,
    allowedNetworks: workspace.networks.length,
  });
}

/**
 * What a console does about requests: the options of its poller, or none, with the reason in the log. Errors:
 * `ENVIRONMENT_INVALID`, `THRESHOLD_INVALID`.
 */
export function consolePolling(
  workspace: Pick<Workspace, "kind" | "settings" | "requestStore" | "networks" | "log">,
  env: Env,
): { readonly requestPoller?: PollOptions } {
  const options = pollOptions(env);
  const { poll, why } = pollDecisionFor(workspace, env);
  workspace.log.write("info", "poller", poll ? "POLLER_ON" : "POLLER_OFF", { why });
  return poll ? { requestPoller: options } : {};
}

/** The request app of a workspace that is to be polled. Errors: `ENVIRONMENT_INCOMPLETE`, `REQUESTS_NOT_CONFIGURED`. */
export function requireRequests(
  workspace: Pick<Workspace, "requestStore" | "networks">,
  env: Env,
): NonNullable<Workspace["requestStore"]> {
  const { requestStore, networks } = workspace;
  if (requestStore !== null && networks.length > 0) return requestStore;
  const names = [
    ...(requestStore === null ? ["KSQL_FLOWNET_REQUEST_APP_ID", "KSQL_FLOWNET_REQUEST_API_TOKEN"] : []),
    ...(networks.length === 0 ? ["KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH"] : []),
  ];
  if (isConfigured(env)) {
    throw new FlowError({
      code: "ENVIRONMENT_INCOMPLETE",
      message: `Requests cannot be polled: these variables are not set: ${names.join(", ")}`,
      place: `environment ${names.join(", ")}`,
      remedy: "Set them; the allow list is a YAML file of the networks this host may start.",
      details: { names },
    });
  }
  throw new FlowError({
    code: "REQUESTS_NOT_CONFIGURED",
    message:
      "Requests cannot be polled: the connection names no request app, or no allow list with a network.",
    place: "settings.json connections",
    remedy: "Name the request app with its token and the allow list in the connection's settings.",
  });
}
