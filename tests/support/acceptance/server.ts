import { randomBytes } from "node:crypto";
import { createKintoneTransport, type KintoneTransport } from "../../../main/kintone-client/index.ts";
import {
  createFaultControl,
  createLocalKintone,
  type FaultControl,
  startFaultControl,
} from "../../../main/local-kintone/index.ts";
import { APP_NAMES, type AppRole, appFields } from "../../../shared/records/index.ts";

/** Whose tokens a program uses: fault rules can name the orchestrator without touching children and people. */
export const ORCHESTRATOR = "orchestrator";
const OTHERS = "others";

interface StageApp {
  readonly id: string;
  /** Of the programs under test. */
  readonly token: string;
  /** Of children, people and the test itself. */
  readonly free: string;
}

/** A local kintone with the four apps of the orchestrator and its fault control. */
export interface StageServer {
  readonly port: number;
  readonly apps: Readonly<Record<AppRole, StageApp>>;
  readonly control: FaultControl;
  /** Past every rule that names the orchestrator's tokens. */
  transport(): KintoneTransport & { dispose(): Promise<void> };
  dispose(): Promise<void>;
}

/** Starts it in memory; whoever starts it disposes. */
export async function startStageServer(): Promise<StageServer> {
  const clock = { now: () => Date.now() };
  const server = createLocalKintone({
    databasePath: ":memory:",
    clock,
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
    faults: { clock },
  });
  const make = (role: AppRole): StageApp => {
    const fields = appFields(role, null);
    const id = server.provision.createApp({ name: APP_NAMES[role], code: role.toUpperCase(), fields });
    const token = (label: string): string => server.provision.createToken(id, ["view", "add", "edit"], label);
    return { id, token: token(ORCHESTRATOR), free: token(OTHERS) };
  };
  const apps = {
    state: make("state"),
    audit: make("audit"),
    jobLog: make("jobLog"),
    request: make("request"),
  };
  const listening = await server.listen({ port: 0 });
  if (server.faults === null) throw new Error("the server was made without faults");
  const token = randomBytes(16).toString("hex");
  const control = await startFaultControl(server.faults, { token });
  const tokens = new Map(Object.values(apps).map(({ id, free }) => [Number(id), [free]]));
  return {
    port: listening.port,
    apps,
    control: createFaultControl({ port: control.port, token }),
    transport: () => createKintoneTransport({ baseUrl: `http://localhost:${listening.port}`, tokens }),
    async dispose() {
      await control.close();
      await listening.close();
      await server.dispose();
    },
  };
}
