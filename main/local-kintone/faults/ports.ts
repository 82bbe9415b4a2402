import type { Listening } from "../http/listen.ts";
import type { FaultRule } from "./rule-schema.ts";

/** The ports of a server that rules may close (F4, "refuse"). */
export interface Ports {
  add(listening: Listening, client: string | null): Promise<void>;
  /** Closes and opens ports until they are as the rules say. */
  settle(): Promise<void>;
}

const closes = (rule: FaultRule, client: string | null): boolean =>
  rule.effect.kind === "block" &&
  rule.effect.how === "refuse" &&
  (rule.match.client === undefined || rule.match.client === client);

/** Creates an empty set of ports. Changes run one after another: two at once could leave a port half open. */
export function createPorts(rules: () => readonly FaultRule[]): Ports {
  const ports: { readonly listening: Listening; readonly client: string | null }[] = [];
  let last: Promise<void> = Promise.resolve();
  async function apply(): Promise<void> {
    for (const { listening, client } of ports) {
      if (rules().some((rule) => closes(rule, client))) await listening.suspend();
      else await listening.resume();
    }
  }
  function settle(): Promise<void> {
    const next = last.catch(() => undefined).then(apply);
    last = next;
    return next;
  }
  return {
    add(listening, client) {
      ports.push({ listening, client });
      return settle();
    },
    settle,
  };
}
