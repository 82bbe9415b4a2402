import type { Text } from "./cases/model.ts";

/** What a run does not show; part of every manifest and every report (retry-boundaries §14). */
export const CAVEATS: readonly Text[] = [
  {
    en: "One environment: the one named in this manifest. Other systems and versions were not tried by this run.",
    ja: "環境は一つ。この manifest に記した環境だけであり、他のOSや版はこの実行では試していない。",
  },
  {
    en: "Processes ended at chosen points and one overlapping write. Power loss, disk failure, distributed transactions and all other orders of concurrency were not tried.",
    ja: "決めた位置でのプロセス終了と、一つの重なる書込みの実験である。電源断、ディスク故障、分散トランザクション、他の並行順序は確かめていない。",
  },
  {
    en: "The file outside stands for a notification; no mail was sent and no external service was called.",
    ja: "外側のファイルは通知に見立てたもので、メール送信も外部サービスの呼出しもしていない。",
  },
  {
    en: "In case F the refusal by a lock is not de-duplication: the second worker is started again, once, as planned.",
    ja: "Fのロックによる拒否は重複排除ではない。二つ目は、決めたとおり一回だけ明示的に再処理する。",
  },
  {
    en: "Nothing here measures how often faults happen or what they cost. The numbers are conditions of this experiment, not a promise of exactly once in operation.",
    ja: "障害の頻度や費用は測っていない。回数は実験条件であり、実務での「必ず一度だけ」を保証しない。",
  },
  {
    en: "No step was repeated to obtain a better result; the second execution inside a case is part of the plan.",
    ja: "結果をよくするための再試行はしていない。ケース内の再処理は最初から決めた手順である。",
  },
];

/** Said by the Fleet cases of the extended suite, whose service is not part of this experiment. */
export const FLEET_CAVEAT: Text = {
  en: "Cases Q, Q2, R and R2 run the transactions the Fleet text describes, on tables of their own; the Fleet service itself was not started.",
  ja: "Q・Q2・R・R2 は、Fleet の文書が述べるトランザクションを専用の表で行う。Fleet のサービス自体は起動していない。",
};
