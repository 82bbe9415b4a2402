import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Intent, LockRow } from "../../../shared/api/index.ts";
import { useNow, useStores } from "../../state/context.tsx";
import { releaseGate } from "./release-gate.ts";

/** The form of a forced release as it opens: the PID is the holder's, everything a person vouches for is blank. */
export function freshRelease({ networkId, profile, holder }: LockRow): Intent | null {
  if (holder === null || networkId === null || holder.ownerInvocationId === null) return null;
  return {
    kind: "forceUnlock",
    recordId: holder.recordId,
    networkId,
    profile,
    ownerInvocationId: holder.ownerInvocationId,
    pid: holder.pid,
    stopLabel: "processEnded",
    stopOther: "",
    checked: [],
    stopConfirmedBy: "",
    evidenceText: "",
    evidenceFiles: [],
    reason: "",
    withoutAudit: false,
  };
}

/** Opens the form once the holder is known, and puts it away with the drawer; what was filled in is kept. */
export function useReleaseForm(recordId: string): void {
  const { action, locks } = useStores();
  const lock = useStore(locks.store, ({ detail }) => detail.value?.lock ?? null);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (lock === null || lock.holder?.recordId !== recordId || opened.current === recordId) return;
    const intent = freshRelease(lock);
    if (intent === null) return;
    opened.current = recordId;
    const { networkId, profile } = lock;
    const { runId = null, businessKey = null } = lock.holder;
    void action.open(intent, { subject: { networkId, profile, runId, businessKey }, place: "page" });
  }, [action, lock, recordId]);
  useEffect(
    () => () => {
      opened.current = null;
      // Another action may have taken the place of this one.
      if (action.store.getState().place === "page") action.close();
    },
    [action],
  );
}

/** Between the end of the lease by this window's clock and the look that tells it by main's; milliseconds. */
const LEASE_SLACK_MS = 500;

/**
 * Looks again when the world moves under the drawer: the lock was written or released, or its lease has run out. Nothing
 * is asked otherwise (operator-ux U8).
 */
export function useReleaseNews(recordId: string): void {
  const { action, locks } = useStores();
  const list = useStore(locks.store, (state) => state.list.value);
  const detail = useStore(locks.store, (state) => state.detail.value);
  const skewMs = useStore(locks.store, (state) => state.skewMs);
  const now = useNow() + skewMs;
  const looked = useRef<number | null>(null);
  useEffect(() => {
    const { detail: known } = locks.store.getState();
    if (list === null || known.value === null || known.problem?.code === "LOCK_NOT_HELD") return;
    const held = list.locks.find(({ holder }) => holder?.recordId === recordId)?.holder ?? null;
    if (held?.revision === known.value.lock.holder?.revision) return;
    void locks.probe();
    void action.recompute();
  }, [action, locks, list, recordId]);
  const gate = detail === null ? null : releaseGate(detail);
  const endsAt = gate?.kind === "lease" ? gate.allowedAtMs : null;
  const ended = endsAt !== null && now > endsAt + LEASE_SLACK_MS;
  useEffect(() => {
    if (!ended || looked.current === endsAt) return;
    looked.current = endsAt;
    void locks.probe();
    void action.recompute();
  }, [action, locks, ended, endsAt]);
}
