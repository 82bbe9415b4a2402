import { createStore } from "zustand/vanilla";
import {
  type ApproversView,
  type BreakGlassAction,
  type ConsoleApi,
  type FiledRequest,
  needsReview,
  type Operation,
  settle,
} from "../../shared/api/index.ts";
import type { OperationPlan } from "../../shared/domain/operations/operation.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface ApprovalsState {
  readonly people: Loaded<ApproversView>;
  readonly unreviewed: Loaded<readonly BreakGlassAction[]>;
  readonly filed: Loaded<readonly FiledRequest[]>;
  /** What is being asked of main, by the account or operation it is about; null while nothing is. */
  readonly busy: string | null;
  /** Why the last was not taken. */
  readonly refused: { readonly about: string; readonly problem: Problem } | null;
  /** The request somebody looks at, and its plan as it is now; null while it is being made. */
  readonly looked: {
    readonly requestId: string;
    readonly plan: OperationPlan | null;
    readonly problem: Problem | null;
  } | null;
  /** The request that was approved last. */
  readonly begun: string | null;
}

const initial: ApprovalsState = {
  people: idle,
  unreviewed: idle,
  filed: idle,
  busy: null,
  refused: null,
  looked: null,
  begun: null,
};

export interface ApprovalsDeps {
  readonly api: ConsoleApi;
  readonly operationId: () => string;
}

/** 承認者: whose word counts, what waits for it, and what was done without. No passphrase ever stands in the store. */
export function createApprovalsStore({ api, operationId }: ApprovalsDeps) {
  const store = createStore<ApprovalsState>(() => initial);
  const read = async (): Promise<void> => {
    const answer = await settle(api.approvals.listBreakGlass({}));
    store.setState(({ unreviewed }) => ({
      unreviewed: answer.ok ? ready(answer.value.actions) : failed(unreviewed, answer.error),
    }));
  };
  const readFiled = async (): Promise<void> => {
    const answer = await settle(api.approvals.list({}));
    store.setState(({ filed }) => ({
      filed: answer.ok ? ready(answer.value.requests) : failed(filed, answer.error),
    }));
  };
  /** Asks main for one thing at a time; the answer says whether it was taken. */
  const ask = async <T>(
    about: string,
    call: () => ReturnType<typeof settle<T>>,
    taken: (value: T) => Partial<ApprovalsState>,
  ): Promise<boolean> => {
    if (store.getState().busy !== null) return false;
    store.setState({ busy: about, refused: null });
    const answer = await call();
    store.setState(
      answer.ok
        ? { ...taken(answer.value), busy: null }
        : { busy: null, refused: { about, problem: answer.error } },
    );
    return answer.ok;
  };
  return {
    store,
    /** What waits for an approver: what was filed, and what was done without one. */
    async load(): Promise<void> {
      await Promise.all([read(), readFiled()]);
    },
    /** The plan of a filed request as it would be now; writes nothing (operator-ux D13). */
    async look({ requestId, intent }: Pick<FiledRequest, "requestId" | "intent">): Promise<void> {
      store.setState({ looked: { requestId, plan: null, problem: null }, refused: null });
      const answer = await settle(api.acting.plan({ intent }));
      if (store.getState().looked?.requestId !== requestId) return;
      const plan = answer.ok ? answer.value.plan : null;
      store.setState({ looked: { requestId, plan, problem: answer.ok ? null : answer.error } });
    },
    async open(): Promise<void> {
      store.setState(({ people }) => ({ people: loading(people), begun: null, refused: null }));
      const [answer] = await Promise.all([settle(api.approvals.approvers({})), read(), readFiled()]);
      store.setState(({ people }) => ({
        people: answer.ok ? ready(answer.value) : failed(people, answer.error),
      }));
    },
    register: (account: string, passphrase: string): Promise<boolean> =>
      ask(
        account,
        () => settle(api.approvals.register({ account, passphrase })),
        (people) => ({ people: ready(people) }),
      ),
    remove: (account: string): Promise<boolean> =>
      ask(
        account,
        () => settle(api.approvals.remove({ account })),
        (people) => ({ people: ready(people) }),
      ),
    review: (id: string, account: string, passphrase: string, note: string): Promise<boolean> =>
      ask(
        id,
        () => settle(api.approvals.review({ operationId: id, account, passphrase, note })),
        ({ actions }) => ({ unreviewed: ready(actions) }),
      ),
    async approve(requestId: string, account: string, passphrase: string): Promise<boolean> {
      const input = { requestId, operationId: operationId(), account, passphrase };
      const taken = await ask(
        requestId,
        () => settle(api.approvals.approve(input)),
        () => ({ begun: requestId }),
      );
      await readFiled();
      return taken;
    },
    withdraw: (requestId: string): Promise<boolean> =>
      ask(
        requestId,
        () => settle(api.approvals.withdraw({ requestId })),
        ({ requests }) => ({ filed: ready(requests) }),
      ),
    /** Something that was done without a second person has ended: it waits for its review from now on. */
    follow({ consent, endedAt }: Operation): void {
      if (needsReview(consent) && endedAt !== null) void read();
    },
  };
}
export type ApprovalsStore = ReturnType<typeof createApprovalsStore>;
