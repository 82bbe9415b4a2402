/** What the dialogs of the rare actions say, in each language. */
export const WORDS = {
  ja: {
    actions: /^(この Run の操作|操作)$/,
    completeAudit: /^監査履歴を補う/,
    eventId: "報告されたイベントID",
    archivedAt: "クローズの日時",
    previousStatus: "クローズ前の状態",
    revision: "クローズ前の revision",
    reason: "理由",
    settle: "受付を終わらせる",
    confirmedBy: "停止確認(確認者)",
    evidence: "証拠の説明",
    identifier: "確認の入力",
    close: "閉じる",
    missing: { fact: "クローズが報告した事実", time: "クローズの日時の形", reason: "5文字以上の理由" },
    applied: "反映済み",
    settled: "結果未確定",
  },
  en: {
    actions: /^Actions( of this Run)?$/,
    completeAudit: /^Complete the audit/,
    eventId: "Reported event ID",
    archivedAt: "Closed at",
    previousStatus: "Status before",
    revision: "Revision before",
    reason: "Reason",
    settle: "End the claim",
    confirmedBy: "Stop confirmed by",
    evidence: "What shows it",
    identifier: "Confirmation",
    close: "Close",
    missing: {
      fact: "What the close reported",
      time: "The form of “Closed at”",
      reason: "A reason of 5 characters or more",
    },
    applied: "Applied",
    settled: "Outcome unknown",
  },
} as const;

/** Who acts: in which language, in which colours, with which hands. */
export interface Operator {
  readonly language: keyof typeof WORDS;
  readonly theme: "light" | "dark";
  readonly by: "mouse" | "keyboard";
}
export const OPERATORS: readonly Operator[] = [
  { language: "ja", theme: "light", by: "mouse" },
  { language: "en", theme: "dark", by: "keyboard" },
];
