import { createHash } from "node:crypto";
import { caseOf, runs, stage, stops } from "./build.ts";
import { type CaseDefinition, EVENT_ID, type Step } from "./model.ts";

/** Effects beyond the own database: outbox, receiver, lost response, torn line (retry-boundaries §10). */

const SERVICE: readonly Step[] = [
  ...([
    "BEGIN IMMEDIATE",
    "skip if processed",
    "insert processed",
    "insert effect",
    "insert outbox",
  ] as const),
  ...(["@before-commit", "COMMIT", "@committed"] as const),
];
const service = runs(["before-commit", "committed"], { child: "service", role: "service" });
const sender = { child: "sender", role: "sender" };

const REPLYING: readonly Step[] = [
  ...(["BEGIN IMMEDIATE", "answer stored reply if processed", "insert processed", "insert effect"] as const),
  ...(["store reply", "@before-commit", "COMMIT", "@after-commit-before-reply", "reply"] as const),
];
const REPLIES = "CREATE TABLE replies (event_id TEXT PRIMARY KEY, body TEXT NOT NULL)";

/** The reply of a first execution, byte by byte: what a repetition must answer too. */
const replyText = (key: string, total: number): string => JSON.stringify({ event: key, ledger_total: total });
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const FIRST_REPLY = sha256(replyText(EVENT_ID, 1));
const SECOND_KEY = `${EVENT_ID}:second-attempt`;

const UP_TO_COMMIT = ["before-commit", "after-commit-before-reply"];
const served = (points: readonly string[]): readonly string[] => points.map((point) => `service:${point}`);
const asksInVain = runs([...served(UP_TO_COMMIT), "AMBIGUOUS"], {
  child: "caller",
  role: "caller",
  input: { calledStop: "after-commit-before-reply" },
});
const CALLING: Readonly<Record<string, readonly Step[]>> = {
  caller: ["call the service"],
  service: REPLYING,
};

export const OUTSIDE_CASES: readonly CaseDefinition[] = [
  caseOf({
    id: "J",
    folder: "J-outbox",
    title: {
      en: "an outbox in the same transaction, a sender beside it",
      ja: "送信箱を同じトランザクションに置く",
    },
    lesson: {
      en: "An outbox moves the defect of G, it does not remove it.",
      ja: "送信箱はGの欠陥を移すだけで、消さない。",
    },
    work: {
      service: SERVICE,
      sender: [
        ...(["take the next unsent", "append outside", "@after-outside-append"] as const),
        ...(["BEGIN IMMEDIATE", "mark sent", "COMMIT", "@sent"] as const),
      ],
    },
    stages: [
      stage("service", [service], [1, 1, 0, 0]),
      stage("1", [stops(["after-outside-append"], sender)], [1, 1, 1, 0]),
      stage("2", [runs(["after-outside-append", "sent"], sender)], [1, 1, 2, 0]),
    ],
  }),
  caseOf({
    id: "J2",
    folder: "J2-outbox-and-receiver-key",
    title: { en: "an outbox, and the receiver knows the key", ja: "送信箱と、キーを知る受信側" },
    lesson: {
      en: "De-duplication must live where the effect lives.",
      ja: "重複排除は、効果のある場所に置かなければならない。",
    },
    work: {
      service: SERVICE,
      sender: [
        ...(["take the next unsent", "call the receiver", "@after-receiver-commit"] as const),
        ...(["BEGIN IMMEDIATE", "mark sent", "COMMIT", "@sent"] as const),
      ],
      receiver: ["BEGIN IMMEDIATE", "insert by key", "COMMIT", "@received"],
    },
    receiver: true,
    stages: [
      stage("service", [service], [1, 1, 0, 0]),
      stage("1", [stops(["receiver:received", "after-receiver-commit"], sender)], [1, 1, 0, 1]),
      stage(
        "2",
        [runs(["receiver:ALREADY_RECEIVED", "after-receiver-commit", "sent"], sender)],
        [1, 1, 0, 1],
      ),
    ],
  }),
  caseOf({
    id: "K",
    folder: "K-lost-response-same-key",
    title: { en: "the response is lost, the key is kept", ja: "応答が失われ、同じキーで再要求" },
    lesson: {
      en: "The outcome is unknown to the caller, and asking again with the same key makes it known.",
      ja: "呼出元には結果不明。同じキーで尋ね直せば分かる。",
    },
    work: CALLING,
    schema: [REPLIES],
    stages: [
      stage("1", [asksInVain], [1, 1, 0, 0]),
      stage(
        "2",
        [runs([`service:ALREADY_DONE=${FIRST_REPLY}`, "ANSWERED"], { child: "caller", role: "caller" })],
        [1, 1, 0, 0],
      ),
    ],
  }),
  caseOf({
    id: "K2",
    folder: "K2-lost-response-new-key",
    title: { en: "the response is lost, the caller takes a new key", ja: "応答が失われ、新しいキーで再要求" },
    lesson: { en: "A key made per attempt protects nothing.", ja: "試行ごとに作るキーは何も守らない。" },
    work: CALLING,
    schema: [REPLIES],
    stages: [
      stage("1", [asksInVain], [1, 1, 0, 0]),
      stage(
        "2",
        [
          runs([...served([...UP_TO_COMMIT, `replied=${sha256(replyText(SECOND_KEY, 2))}`]), "ANSWERED"], {
            child: "caller",
            role: "caller",
            input: { key: SECOND_KEY },
          }),
        ],
        [2, 2, 0, 0],
      ),
    ],
  }),
  caseOf({
    id: "O",
    folder: "O-torn-outside-line",
    title: { en: "stops in the middle of a line outside", ja: "外のファイルの行の途中で停止" },
    lesson: {
      en: "A file append is not atomic either; the torn bytes stay and are not counted.",
      ja: "ファイルへの追記も原子的でない。切れた行は残り、数えない。",
    },
    work: {
      worker: [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect"] as const),
        ...(["append the first half of a line", "@after-half-a-line"] as const),
        ...(["append the second half of a line", "@after-outside-append", "COMMIT", "@committed"] as const),
      ],
    },
    stages: [
      stage("1", [stops(["after-half-a-line"])], [0, 0, 0, 0], {
        facts: { partial_line: true, other_lines: 0 },
      }),
      stage("2", [runs(["after-half-a-line", "after-outside-append", "committed"])], [1, 1, 1, 0], {
        facts: { partial_line: false, other_lines: 1 },
      }),
    ],
  }),
  caseOf({
    id: "P",
    folder: "P-stored-reply",
    title: { en: "as E, with the reply stored", ja: "Eと同じ。ただし応答を保存" },
    lesson: {
      en: "The repetition answers the same bytes the first would have answered.",
      ja: "再処理は、一回目が返すはずだった応答をそのまま返す。",
    },
    work: { worker: REPLYING },
    schema: [REPLIES],
    queries: { replies: "SELECT count(*) FROM replies", reply: "SELECT max(body) FROM replies" },
    stages: [
      stage("1", [stops(UP_TO_COMMIT)], [1, 1, 0, 0], {
        facts: { replies: 1, reply: replyText(EVENT_ID, 1) },
      }),
      stage("2", [runs([`ALREADY_DONE=${FIRST_REPLY}`])], [1, 1, 0, 0], {
        facts: { replies: 1, reply: replyText(EVENT_ID, 1) },
      }),
    ],
  }),
];
