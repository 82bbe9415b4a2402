import {
  CUSTOMER_FORM,
  DEAL_FORM,
  DEAL_STATES,
  DEPARTMENTS,
  GRADES,
  PREFECTURES,
  type SampleForm,
  STOCK_FORM,
  TRADES,
  WAREHOUSES,
} from "./sample-fields.ts";

export type SampleRecord = Readonly<Record<string, { readonly value: string }>>;

/** A business app of the sample workspace: what it is called, its form, and its invented records. */
export interface SampleApp {
  /** The name SQL uses: `LAPP_<name>`. */
  readonly logicalName: string;
  /** ASCII, unique in the server: the app is found again by it. */
  readonly code: string;
  readonly title: string;
  readonly form: SampleForm;
  records(): readonly SampleRecord[];
}

const COUNTS = { customers: 800, deals: 3600, stock: 1200 } as const;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAYS = 730;

/**
 * The sample business apps. Every record is made up by arithmetic from a fixed seed: the same on every
 * machine and every day, so that a figure in a test or in the documentation can be checked by anybody.
 */
export const SAMPLE_APPS: readonly SampleApp[] = [
  {
    logicalName: "案件",
    code: "DEALS",
    title: "案件管理",
    form: DEAL_FORM,
    records: deals,
  },
  {
    logicalName: "顧客",
    code: "CUSTOMERS",
    title: "顧客管理",
    form: CUSTOMER_FORM,
    records: customers,
  },
  {
    logicalName: "在庫",
    code: "STOCK",
    title: "在庫管理",
    form: STOCK_FORM,
    records: stock,
  },
];

const PLACES = [
  "みどり坂",
  "風見",
  "白樺台",
  "月見野",
  "星ヶ浜",
  "霞原",
  "若草",
  "千鳥",
  "朝凪",
  "夕凪",
  "青嶺",
  "紅葉谷",
];
const BUSINESSES = ["商事", "製作所", "運輸", "食品", "設計", "化成", "電機", "建材", "印刷", "薬品"];
const FAMILY = ["青木", "石黒", "上原", "江口", "大森", "片桐", "菊地", "黒川", "小暮", "榊", "白石", "関根"];
const GIVEN = ["葵", "樹", "薫", "圭", "晶", "翠", "純", "誠", "望", "光", "泉", "玲"];
const SUBJECTS = [
  "基幹更新",
  "保守契約",
  "端末入替",
  "倉庫移設",
  "分析支援",
  "帳票電子化",
  "追加発注",
  "年間供給",
];
const GOODS = [
  "六角ボルト",
  "継手",
  "軸受",
  "制御盤",
  "電源装置",
  "計測器",
  "樹脂板",
  "配管部材",
  "緩衝材",
  "工具箱",
];

function customers(): readonly SampleRecord[] {
  const random = seeded(11);
  return Array.from({ length: COUNTS.customers }, (_, index) =>
    record({
      顧客番号: customerNumber(index),
      顧客名: customerName(index),
      業種: pick(TRADES, random()),
      都道府県: pick(PREFECTURES, random()),
      与信限度額: String((1 + Math.floor(random() * 60)) * 500_000),
      担当部署: pick(DEPARTMENTS, random()),
    }),
  );
}

function deals(): readonly SampleRecord[] {
  const random = seeded(23);
  return Array.from({ length: COUNTS.deals }, (_, index) => {
    const customer = Math.floor(random() * COUNTS.customers);
    return record({
      案件番号: `D-${String(index + 1).padStart(5, "0")}`,
      案件名: `${customerName(customer)} ${pick(SUBJECTS, random())}`,
      顧客番号: customerNumber(customer),
      顧客名: customerName(customer),
      担当者: `${pick(FAMILY, random())} ${pick(GIVEN, random())}`,
      部署: pick(DEPARTMENTS, random()),
      確度: pick(GRADES, random()),
      // Many small deals and few large ones, in units of 10,000 yen.
      金額: String(10_000 * (5 + Math.floor(random() ** 3 * 3000))),
      受注予定日: dayText(Math.floor(random() * DAYS)),
      状態: pick(DEAL_STATES, random()),
      データ区分: "本番",
    });
  });
}

function stock(): readonly SampleRecord[] {
  const random = seeded(37);
  return Array.from({ length: COUNTS.stock }, (_, index) =>
    record({
      品番: `P-${String(index + 1).padStart(5, "0")}`,
      品名: `${pick(GOODS, random())} ${String.fromCharCode(65 + (index % 26))}${index % 90}`,
      倉庫: pick(WAREHOUSES, random()),
      数量: String(Math.floor(random() * 5000)),
      発注点: String(Math.floor(random() * 800)),
      単価: String(20 + Math.floor(random() * 48_000)),
      最終入庫日: dayText(Math.floor(random() * DAYS)),
    }),
  );
}

const customerNumber = (index: number): string => `C-${String(index + 1).padStart(4, "0")}`;

function customerName(index: number): string {
  const place = PLACES[index % PLACES.length] ?? "";
  const business = BUSINESSES[Math.floor(index / PLACES.length) % BUSINESSES.length] ?? "";
  const round = Math.floor(index / (PLACES.length * BUSINESSES.length));
  return `${place}${business}株式会社${round === 0 ? "" : ` 第${round + 1}営業所`}`;
}

const dayText = (offset: number): string =>
  new Date(FIRST_DAY + offset * 86_400_000).toISOString().slice(0, 10);

function pick<T>(choices: readonly [T, ...T[]] | readonly T[], at: number): T {
  const chosen = choices[Math.floor(at * choices.length)];
  if (chosen === undefined) throw new RangeError("nothing to choose from");
  return chosen;
}

const record = (values: Readonly<Record<string, string>>): SampleRecord =>
  Object.fromEntries(Object.entries(values).map(([code, value]) => [code, { value }]));

/** Numbers in [0, 1) from a seed: a 32-bit linear congruential step with its high bits mixed in. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}
