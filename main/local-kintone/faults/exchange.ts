import { request } from "node:http";
import { FlowError } from "../../../shared/domain/problem.ts";
import { cleanProblem, problemSchema } from "../process/control-contract.ts";
import { ANSWERS, CONTROL_TOKEN_HEADER, type ControlAnswer, type ControlRoute } from "./control-contract.ts";

/** How a control port is reached. */
export interface ControlAddress {
  readonly port: number;
  /** The secret of the control port. */
  readonly token: string;
}

interface Raw {
  readonly status: number;
  readonly text: string;
}

/** Own HTTP call instead of `fetch`: no proxy variable may ever lead it away from loopback. */
function send(
  { port, token }: ControlAddress,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method: "POST",
        agent: false,
        signal,
        headers: { [CONTROL_TOKEN_HEADER]: token, "content-type": "application/json" },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One call of the control API; rejects with the FlowError the server refused with, or `FAULT_CONTROL_FAILED`. */
export async function exchange<R extends ControlRoute>(
  address: ControlAddress,
  route: R,
  body: unknown,
  signal: AbortSignal,
): Promise<ControlAnswer<R>> {
  const raw = await send(address, route, JSON.stringify(body), signal);
  const parsed = parse(raw.text);
  const refused = problemSchema.safeParse(parsed);
  if (refused.success) throw new FlowError(cleanProblem(refused.data.problem));
  const schema: { safeParse(value: unknown): { success: boolean; data?: unknown } } = ANSWERS[route];
  const answer = schema.safeParse(parsed);
  if (raw.status === 200 && answer.success) return answer.data as ControlAnswer<R>;
  throw new FlowError({
    code: "FAULT_CONTROL_FAILED",
    message: `The fault control answered ${raw.status} to ${route}.`,
    place: route,
    remedy: "Check port and token; both change with every start of the server.",
  });
}
