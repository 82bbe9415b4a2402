import { implement } from "@orpc/server";
import { contract } from "../../../shared/api/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { Approvals } from "../acting/index.ts";
import { answering } from "./answers.ts";
import type { CallContext } from "./deps.ts";
import { VIEW_ONLY } from "./gate.ts";
import type { ModeHolder } from "./mode.ts";

const api = implement(contract).$context<CallContext>();

/** 承認. What an old picture forbids is forbidden behind these, where something is carried out. */
export function approvalHandlers(approvals: Approvals, mode: Pick<ModeHolder, "now">) {
  const { approvers } = approvals;
  const changing = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    answering(async () => ((await mode.now()) === "view" ? fail(VIEW_ONLY) : work()));
  return {
    approvers: api.approvals.approvers.handler(() => answering(async () => ok(await approvers.view()))),
    register: api.approvals.register.handler(({ input }) =>
      changing(() => approvers.register(input.account, input.passphrase)),
    ),
    remove: api.approvals.remove.handler(({ input }) => changing(() => approvers.remove(input.account))),
    file: api.approvals.file.handler(({ input, signal }) => changing(() => approvals.file(input, signal))),
    list: api.approvals.list.handler(() => answering(async () => ok(await approvals.list()))),
    approve: api.approvals.approve.handler(({ input, signal }) =>
      changing(() => approvals.approve(input, signal)),
    ),
    withdraw: api.approvals.withdraw.handler(({ input }) =>
      changing(() => approvals.withdraw(input.requestId)),
    ),
    listBreakGlass: api.approvals.listBreakGlass.handler(() =>
      answering(async () => ok(await approvals.listBreakGlass())),
    ),
    review: api.approvals.review.handler(({ input }) => changing(() => approvals.review(input))),
  };
}
