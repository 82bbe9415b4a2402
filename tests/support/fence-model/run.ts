import { Holder } from "./holder.ts";
import type { Protocol } from "./protocol.ts";
import { type Request, type Response, World } from "./world.ts";

/** Copies of one request the network may hold at the same time. */
const COPIES_MAX = 3;

interface Copy {
  readonly exchange: number;
  readonly holder: Holder;
  readonly request: Request;
}
interface Reply {
  readonly exchange: number;
  readonly holder: Holder;
  readonly response: Response;
}

interface Network {
  readonly copies: Copy[];
  readonly replies: Reply[];
  readonly made: Map<number, number>;
}

type Move = () => unknown;

const take = <T>(list: T[], index: number): T | undefined => list.splice(index, 1)[0];
const awaits = (holder: Holder, exchange: number): boolean =>
  typeof holder.waiting === "object" && holder.waiting.exchange === exchange;

function deliver(world: World, network: Network, index: number): void {
  const copy = take(network.copies, index);
  if (copy === undefined) return;
  network.replies.push({ ...copy, response: world.serve(copy.request) });
}

/** Turned away unread: the write did not run (429, lock failure, a right that is missing). */
function turnAway(network: Network, index: number, kind: "busy" | "refused"): void {
  const copy = take(network.copies, index);
  if (copy === undefined) return;
  const answer = kind === "busy" ? ({ kind, index: null } as const) : ({ kind } as const);
  network.replies.push({ ...copy, response: { kind: "copy", answer } });
}

function duplicate(network: Network, copy: Copy): void {
  network.made.set(copy.exchange, (network.made.get(copy.exchange) ?? 1) + 1);
  network.copies.push(copy);
}

function hear(network: Network, index: number): void {
  const reply = take(network.replies, index);
  if (reply !== undefined && awaits(reply.holder, reply.exchange)) reply.holder.answer(reply.response);
}

const often = (times: number, move: Move): Move[] => Array.from({ length: times }, () => move);

function networkMoves(world: World, network: Network, rare: number): Move[] {
  const moves: Move[] = [];
  for (const [index, copy] of network.copies.entries()) {
    moves.push(...often(4, () => deliver(world, network, index)));
    const writes = copy.request.kind === "write";
    if (writes && rare % 4 === 0) moves.push(() => turnAway(network, index, "busy"));
    if (writes && rare % 8 === 1) moves.push(() => turnAway(network, index, "refused"));
    const repeatable = writes || copy.request.kind === "insert";
    if (repeatable && (network.made.get(copy.exchange) ?? 1) < COPIES_MAX) {
      moves.push(() => duplicate(network, copy));
    }
    if (network.copies.length > 4) moves.push(() => void take(network.copies, index));
  }
  for (const [index] of network.replies.entries()) {
    moves.push(...often(4, () => hear(network, index)), () => void take(network.replies, index));
  }
  return moves;
}

function holderMoves(holder: Holder, rare: number): Move[] {
  if (holder.crashed || holder.waiting === "over") return [];
  if (holder.waiting === "turn") {
    const turns = often(3, () => holder.turn());
    return holder.canBeat() ? [...turns, () => holder.beat()] : turns;
  }
  if (holder.waiting === "pause") return [...often(3, () => holder.resume()), () => holder.expire()];
  // The answer does not come in time; the copy itself may still be anywhere.
  const late = (): void => holder.answer(null);
  return rare % 16 === 2 ? [late, () => holder.crash()] : [late];
}

/**
 * Plays one schedule: every number picks the next thing that happens among all that can. Two processes, up to
 * three copies of a request, loss, duplication, delay, refusals, crashes, a person editing the lock and a
 * person releasing it by force (fenced-writes, introduction).
 */
export function play(
  protocol: Protocol,
  schedule: readonly number[],
): World & { readonly acknowledged: number } {
  const world = new World();
  const network: Network = { copies: [], replies: [], made: new Map() };
  let exchanges = 0;
  const holders: Holder[] = [];
  // Both kinds of callers: one that repeats what stays unsettled, and one that goes on.
  for (const [name, repeats] of [
    ["A", true],
    ["B", false],
  ] as const) {
    const holder: Holder = new Holder(name, 3, {
      protocol,
      world,
      repeats,
      send(request) {
        exchanges += 1;
        network.copies.push({ exchange: exchanges, holder, request });
        return exchanges;
      },
    });
    holders.push(holder);
  }
  for (const choice of schedule) {
    const rare = Math.floor(choice / 1_000);
    const moves = [
      ...networkMoves(world, network, rare),
      ...holders.flatMap((holder) => holderMoves(holder, rare)),
      ...(rare % 4 === 3 ? [() => world.edit()] : []),
      ...(rare % 16 === 7 ? [() => world.force()] : []),
    ];
    moves[(choice % 1_000) % Math.max(1, moves.length)]?.();
    if (world.violations.length > 0) break;
  }
  const acknowledged = holders.reduce((sum, holder) => sum + holder.acknowledged.size, 0);
  return Object.assign(world, { acknowledged });
}
