import type { ProvisionField } from "./provision-fields.ts";

/** Forms of the sample business apps, as kintone's form-fields API describes them. */

export type SampleForm = Readonly<Record<string, ProvisionField>>;

export const DEPARTMENTS = ["営業一課", "営業二課", "営業三課", "東日本支店", "西日本支店"] as const;
export const GRADES = ["A", "B", "C", "D"] as const;
export const DEAL_STATES = ["商談中", "見積提出", "受注", "失注"] as const;
const DATA_KINDS = ["本番", "テスト", "研修"] as const;
export const TRADES = ["製造", "卸売", "小売", "運輸", "建設", "情報", "医療", "飲食"] as const;
export const WAREHOUSES = ["札幌", "仙台", "川崎", "名古屋", "堺", "福岡"] as const;
export const PREFECTURES = [
  "北海道",
  "宮城県",
  "東京都",
  "神奈川県",
  "愛知県",
  "大阪府",
  "広島県",
  "福岡県",
] as const;

const text = (code: string): ProvisionField => ({ type: "SINGLE_LINE_TEXT", code, label: code });
const key = (code: string): ProvisionField => ({ ...text(code), required: true, unique: true });
const number = (code: string): ProvisionField => ({ type: "NUMBER", code, label: code });
const date = (code: string): ProvisionField => ({ type: "DATE", code, label: code });
const choice = (code: string, choices: readonly string[]): ProvisionField => ({
  type: "DROP_DOWN",
  code,
  label: code,
  options: Object.fromEntries(choices.map((label, index) => [label, { label, index: String(index) }])),
});

const form = (...fields: readonly ProvisionField[]): SampleForm =>
  Object.fromEntries(fields.map((field) => [field.code, field]));

/** 案件: a deal, expected for a day and in one of four states. */
export const DEAL_FORM = form(
  key("案件番号"),
  text("案件名"),
  text("顧客番号"),
  text("顧客名"),
  text("担当者"),
  choice("部署", DEPARTMENTS),
  choice("確度", GRADES),
  number("金額"),
  date("受注予定日"),
  choice("状態", DEAL_STATES),
  choice("データ区分", DATA_KINDS),
);

/** 顧客: a customer, with the credit it is given. */
export const CUSTOMER_FORM = form(
  key("顧客番号"),
  text("顧客名"),
  choice("業種", TRADES),
  choice("都道府県", PREFECTURES),
  number("与信限度額"),
  choice("担当部署", DEPARTMENTS),
);

/** 在庫: what lies in which warehouse. */
export const STOCK_FORM = form(
  key("品番"),
  text("品名"),
  choice("倉庫", WAREHOUSES),
  number("数量"),
  number("発注点"),
  number("単価"),
  date("最終入庫日"),
);
