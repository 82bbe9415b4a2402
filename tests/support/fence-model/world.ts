import type { CopyAnswer, Leaves, LockView } from "../../../main/store/kintone/fence/settle.ts";
import type { TerminalStatus } from "../../../shared/domain/model.ts";

/**
 * A kintone reduced to what fenced writes rest on: lock records with revisions, and effects that nothing but
 * the fence protects. Effects have no key of their own here, so an effect that happens twice is seen twice.
 */
export interface LockRow {
  readonly id: number;
  /** True while the row holds the unique key of the network. */
  held: boolean;
  token: string | null;
  revision: number;
  status: string;
  reason: string;
}

export type Request =
  | { readonly kind: "insert"; readonly token: string }
  | { readonly kind: "find" }
  | { readonly kind: "read-lock"; readonly id: number }
  | { readonly kind: "read-witness"; readonly write: string }
  | {
      readonly kind: "write";
      readonly id: number;
      /** Null: unchecked, as a naive client would send it. */
      readonly revision: number | null;
      readonly leaves: Leaves;
      /** The effect behind the lock; null for a beat or a lone release. */
      readonly write: string | null;
      readonly token: string;
    };

export type Response =
  | { readonly kind: "inserted"; readonly id: number }
  | { readonly kind: "taken" }
  | { readonly kind: "found"; readonly id: number | null; readonly token: string | null }
  | { readonly kind: "lock"; readonly view: LockView }
  | { readonly kind: "witness"; readonly shows: boolean }
  | { readonly kind: "copy"; readonly answer: CopyAnswer };

export class World {
  readonly rows: LockRow[] = [];
  readonly effects: string[] = [];
  /** What must never happen, as it happened. */
  readonly violations: string[] = [];
  /** Writes of which somebody was told that they will never be applied. */
  readonly ruledOut = new Set<string>();

  holder(): LockRow | undefined {
    return this.rows.find((row) => row.held);
  }

  serve(request: Request): Response {
    switch (request.kind) {
      case "insert":
        return this.insert(request.token);
      case "find": {
        const row = this.holder();
        return { kind: "found", id: row?.id ?? null, token: row?.token ?? null };
      }
      case "read-lock":
        return { kind: "lock", view: this.view(request.id) };
      case "read-witness":
        return { kind: "witness", shows: this.effects.includes(request.write) };
      case "write":
        return { kind: "copy", answer: this.write(request) };
    }
  }

  private insert(token: string): Response {
    if (this.holder() !== undefined) return { kind: "taken" };
    const id = this.rows.length + 1;
    this.rows.push({ id, held: true, token, revision: 1, status: "RUNNING", reason: "owner" });
    return { kind: "inserted", id };
  }

  private view(id: number): LockView {
    const row = this.rows.find((one) => one.id === id);
    if (row === undefined) return { kind: "gone" };
    return {
      kind: "record",
      revision: row.revision,
      token: row.token,
      status: row.status,
      statusReason: row.reason,
      businessRevision: row.revision,
      leaseExpiresAt: "2026-09-01T00:03:00Z",
    };
  }

  private write(request: Extract<Request, { readonly kind: "write" }>): CopyAnswer {
    const row = this.rows.find((one) => one.id === request.id);
    if (row === undefined) return { kind: "lock-gone" };
    if (request.revision !== null && request.revision !== row.revision) return { kind: "lock-stale" };
    if (request.write !== null) this.effect(request.write, row, request.token);
    row.revision += 1;
    if (request.leaves.kind === "released") {
      this.release(row, request.leaves.status, request.leaves.resultCode);
    }
    return { kind: "applied" };
  }

  private effect(write: string, row: LockRow, token: string): void {
    if (!row.held || row.token !== token) this.violations.push(`${write} without the lock`);
    if (this.effects.includes(write)) this.violations.push(`${write} twice`);
    if (this.ruledOut.has(write)) this.violations.push(`${write} after it was ruled out`);
    this.effects.push(write);
  }

  private release(row: LockRow, status: TerminalStatus, reason: string): void {
    row.held = false;
    row.token = null;
    row.status = status;
    row.reason = reason;
  }

  /** A person opens the lock record and saves it. */
  edit(): void {
    const row = this.holder();
    if (row !== undefined) row.revision += 1;
  }

  /** A person releases the lock by force. */
  force(): void {
    const row = this.holder();
    if (row === undefined) return;
    row.revision += 1;
    this.release(row, "CANCELLED", "NETWORK_LOCK_FORCE_RELEASED");
  }
}
