import type {
  Candidate,
  CopyAnswer,
  FenceAction,
  FenceEvent,
  HeldLock,
  Leaves,
  Round,
  Verdict,
} from "../../../main/store/kintone/fence/settle.ts";
import type { Protocol } from "./protocol.ts";
import type { Request, Response, World } from "./world.ts";

interface Sent {
  readonly candidate: Candidate;
  readonly write: string | null;
}

const RELEASE: Leaves = { kind: "released", status: "SUCCESS", resultCode: "OK" };
const HELD: Leaves = { kind: "held" };

/** What a holder waits for: the answer to one request, or its next turn. */
type Waiting = { readonly exchange: number } | "turn" | "pause" | "over";

/**
 * One process: takes the lock, writes its effects one by one (the last together with the release), and
 * settles each with the protocol under test. It is told of answers and time-outs and decides nothing else.
 */
export class Holder {
  readonly name: string;
  waiting: Waiting = "turn";
  crashed = false;
  /** Effects it was told of as applied. */
  readonly acknowledged = new Set<string>();
  private readonly protocol: Protocol;
  private readonly world: World;
  private readonly send: (request: Request) => number;
  private readonly todo: string[];
  /** Whether what stays unsettled is asked for again by its caller, as the same write. */
  private readonly repeats: boolean;
  private readonly tokens: string[] = [];
  private held: (HeldLock & { readonly id: number }) | null = null;
  private sent: Sent[] = [];
  private nextId = 1;
  private current: Sent | null = null;
  private round: Round | null = null;
  /** A refused set whose copies may be alive: the round that runs is the beat that rules them out. */
  private doubtful: Sent | null = null;

  constructor(
    name: string,
    writes: number,
    deps: {
      readonly protocol: Protocol;
      readonly world: World;
      readonly send: (request: Request) => number;
      readonly repeats: boolean;
    },
  ) {
    this.name = name;
    this.protocol = deps.protocol;
    this.world = deps.world;
    this.send = deps.send;
    this.repeats = deps.repeats;
    this.todo = Array.from({ length: writes }, (_, index) => `${name}${index}`);
  }

  inRound(): boolean {
    return this.round !== null;
  }

  canBeat(): boolean {
    return this.waiting === "turn" && this.held !== null;
  }

  /** The next thing on its list. */
  turn(): void {
    const [write] = this.todo;
    const twin = this.sent.find((one) => one.write !== null && one.write === write);
    if (this.held === null) this.acquire();
    else if (twin !== undefined) this.burn(twin);
    else if (write === undefined) this.begin(null, RELEASE);
    else this.begin(write, this.todo.length === 1 ? RELEASE : HELD);
  }

  beat(): void {
    this.begin(null, HELD);
  }

  resume(): void {
    this.advance({ kind: "resumed" });
  }

  expire(): void {
    this.advance({ kind: "expired" });
  }

  crash(): void {
    this.crashed = true;
    this.waiting = "over";
  }

  /** Null: the answer did not come. */
  answer(response: Response | null): void {
    if (this.round === null) this.acquiring(response);
    else this.advance(eventOf(response, this.pending));
  }

  private pending: FenceAction["kind"] = "send";

  private acquire(): void {
    const token = `${this.name}-${this.tokens.length}`;
    this.tokens.push(token);
    this.waiting = { exchange: this.send({ kind: "insert", token }) };
  }

  private acquiring(response: Response | null): void {
    if (response?.kind === "inserted") {
      this.take(response.id, this.tokens.at(-1) ?? "");
    } else if (response?.kind === "found") {
      const mine = response.token !== null && this.tokens.includes(response.token);
      if (mine && response.id !== null) this.take(response.id, response.token ?? "");
      else this.waiting = response.id === null && this.tokens.length < 3 ? "turn" : "over";
    } else {
      this.waiting = { exchange: this.send({ kind: "find" }) };
    }
  }

  private take(id: number, token: string): void {
    // A lock found by reading may have been edited meanwhile; its holder learns that like any other edit.
    this.held = { id, token, revision: 1 };
    this.waiting = "turn";
  }

  private begin(write: string | null, leaves: Leaves): void {
    if (this.held === null) return;
    const again = this.sent.find(
      (one) =>
        one.write === write &&
        one.candidate.leaves.kind === leaves.kind &&
        (write !== null || leaves === RELEASE),
    );
    const set = again ?? { candidate: { id: this.nextId, leaves, witnessed: write !== null }, write };
    this.nextId += 1;
    this.current = set;
    const earlier = this.sent.filter((one) => one !== set).map((one) => one.candidate);
    this.round = this.protocol.begin(this.held, set.candidate, earlier);
    this.advance({ kind: "start" });
  }

  private advance(event: FenceEvent): void {
    if (this.round === null) return;
    const next = this.protocol.step(this.round, event);
    this.round = next.round;
    this.perform(next.action);
  }

  private perform(action: FenceAction): void {
    const { current, held, round } = this;
    if (current === null || held === null || round === null) return;
    this.pending = action.kind;
    switch (action.kind) {
      case "send": {
        const basis = this.protocol.chases ? round.held : held;
        const revision = this.protocol.revision(basis);
        const { candidate, write } = current;
        const copy = { id: held.id, revision, leaves: candidate.leaves, write, token: held.token };
        this.waiting = { exchange: this.send({ kind: "write", ...copy }) };
        return;
      }
      case "read-lock":
        this.waiting = { exchange: this.send({ kind: "read-lock", id: held.id }) };
        return;
      case "read-witness": {
        const asked = [current, ...this.sent].find((one) => one.candidate.id === action.id);
        this.waiting = { exchange: this.send({ kind: "read-witness", write: asked?.write ?? "" }) };
        return;
      }
      case "read-target":
        this.advance({ kind: "target-read", stale: false });
        return;
      case "pause":
        this.waiting = "pause";
        return;
      case "done":
        this.finish(action.verdict);
        return;
    }
  }

  private finish(verdict: Verdict): void {
    const { current } = this;
    const basis = this.round?.held.revision ?? 0;
    this.round = null;
    this.current = null;
    this.waiting = "turn";
    if (current === null) return;
    switch (verdict.kind) {
      case "applied":
        this.applied(current, basis);
        return;
      case "superseded":
        this.superseded(verdict, basis);
        return;
      case "dead":
        throw new Error("the model has no revisions that could be stale");
      case "refused":
        this.refused(current);
        return;
      case "fence-lost":
        for (const one of [current, ...this.sent]) this.ruleOut(one);
        this.waiting = "over";
        return;
      case "unsettled":
        this.unsettled(current);
        return;
    }
  }

  private applied(set: Sent, basis: number): void {
    for (const one of this.sent) if (one !== set) this.ruleOut(one);
    this.moveTo(basis + 1);
    if (set.write !== null) this.acknowledge(set.write);
    this.doubtful = null;
    if (set.candidate.leaves.kind === "released") this.waiting = "over";
  }

  private superseded(verdict: Extract<Verdict, { kind: "superseded" }>, basis: number): void {
    const winner = this.sent.find((one) => one.candidate.id === verdict.appliedId);
    for (const one of this.sent) if (one !== winner) this.ruleOut(one);
    if (winner?.write && (this.protocol.claims || !this.todo.includes(winner.write))) {
      this.acknowledge(winner.write);
    }
    this.doubtful = null;
    this.moveTo(basis + 1);
    if (verdict.view.token === null) this.waiting = "over";
  }

  /** A refusal is told once a beat has used the revision up. */
  private refused(set: Sent): void {
    if (set.write !== null) this.drop(set.write);
    if (this.doubtful !== null || set.write === null) {
      this.unsettled(set);
      return;
    }
    this.sent.push(set);
    this.burn(set);
  }

  /** Uses the revision up with a beat, so that no copy of it can run any more. */
  private burn(set: Sent): void {
    this.doubtful = set;
    this.begin(null, HELD);
  }

  private unsettled(set: Sent): void {
    if (!this.sent.includes(set)) this.sent.push(set);
    // Told as unsettled, the caller asks again or goes on with something else; both rule the write in or out.
    if (set.write !== null && !this.repeats) this.drop(set.write);
    this.doubtful = null;
  }

  private moveTo(revision: number): void {
    this.sent = [];
    if (this.held !== null) this.held = { ...this.held, revision };
  }

  private drop(write: string): void {
    const at = this.todo.indexOf(write);
    if (at >= 0) this.todo.splice(at, 1);
  }

  private ruleOut(set: Sent): void {
    if (set.write === null || this.acknowledged.has(set.write)) return;
    // What is asked for again is ruled out as a copy only; that no such copy runs beside the repeat is "twice".
    if (!this.todo.includes(set.write)) this.world.ruledOut.add(set.write);
  }

  private acknowledge(write: string): void {
    this.drop(write);
    this.acknowledged.add(write);
    if (!this.world.effects.includes(write)) this.world.violations.push(`${write} acknowledged and lost`);
  }
}

function eventOf(response: Response | null, pending: FenceAction["kind"]): FenceEvent {
  if (pending === "read-lock") {
    return { kind: "lock-read", view: response?.kind === "lock" ? response.view : null };
  }
  if (pending === "read-witness") {
    return { kind: "witness-read", shows: response?.kind === "witness" ? response.shows : null };
  }
  const answer: CopyAnswer = response?.kind === "copy" ? response.answer : { kind: "unknown" };
  return { kind: "answered", answer };
}
