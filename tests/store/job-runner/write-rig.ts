import { afterEach, beforeEach } from "vitest";
import { type FaultProxy, type ProxiedRequest, startFaultProxy } from "../../support/fault-proxy.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

type Rights = readonly ("view" | "add" | "edit" | "delete")[];

/** Opens a runner behind a line that may be bad before each test of a file, with every right, and ends it after it. */
export function writeRigForTests() {
  let opened: { readonly fixture: RunnerFixture; readonly proxy: FaultProxy } | null = null;
  const the = () => {
    if (opened === null) throw new Error("the rig is opened before each test");
    return opened;
  };
  const close = async (): Promise<void> => {
    await opened?.proxy.dispose();
    await opened?.fixture.dispose();
    opened = null;
  };
  async function open(rights: Rights): Promise<void> {
    await close();
    const fixture = await startRunnerFixture({ rights });
    const proxy = await startFaultProxy(fixture.port);
    fixture.writeConfig((profile) => Object.assign(profile, { limits: { maxReadRows: 1000 } }), proxy.port);
    opened = { fixture, proxy };
  }
  beforeEach(() => open(["view", "add", "edit", "delete"]));
  afterEach(close);
  return {
    get fixture() {
      return the().fixture;
    },
    get proxy() {
      return the().proxy;
    },
    /** Again, with other rights. */
    open,
    run: (sql: string) => the().fixture.runHere(the().fixture.writeJob(sql)),
    /** Methods of the writes so far, in order. */
    writes: () =>
      the()
        .proxy.requests()
        .filter(({ method, path }) => method !== "GET" && path.endsWith("/records.json"))
        .map(({ method }) => method),
  };
}

export const number = (place: number): string => `A-${String(place).padStart(3, "0")}`;
export const values = (count: number, more = ""): string =>
  Array.from({ length: count }, (_, place) => `('${number(place + 1)}', ${place + 1}${more})`).join(", ");
export const isWrite =
  (method: string) =>
  (request: ProxiedRequest): boolean =>
    request.method === method && request.path.endsWith("/records.json");
