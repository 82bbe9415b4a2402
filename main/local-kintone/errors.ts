/** A refusal in kintone's own words, before a language is chosen (kintone-rest §3). */
export interface Text {
  readonly ja: string;
  readonly en: string;
  /** Where a Chinese wording was captured; elsewhere a Chinese caller reads the English one. */
  readonly zh?: string;
}
export type ErrorMap = ReadonlyMap<string, readonly Text[]>;

/** Unwinds a request; the outermost handler turns it into the JSON error body of kintone-rest §3. */
export class KintoneError extends Error {
  override readonly name = "KintoneError";
  readonly status: number;
  readonly code: string;
  readonly text: Text;
  readonly errors: ErrorMap | null;

  constructor(status: number, code: string, text: Text, errors: ErrorMap | null = null) {
    super(`${code}: ${text.en}`);
    this.status = status;
    this.code = code;
    this.text = text;
    this.errors = errors;
  }
}

/** Collects validation failures so that all of them are told at once (kintone-rest §3). */
export interface Issues {
  add(key: string, text: Text): void;
  readonly map: ErrorMap;
  /** Throws 400 `CB_VA01` when anything was collected. */
  throwIfAny(): void;
}

/** Creates an empty collection of validation failures. */
export function createIssues(): Issues {
  const map = new Map<string, Text[]>();
  return {
    map,
    add(key, text) {
      const list = map.get(key);
      if (list === undefined) map.set(key, [text]);
      else list.push(text);
    },
    throwIfAny() {
      if (map.size > 0) throw invalidInput(map);
    },
  };
}

/** 400 `CB_VA01` with its map of causes (kintone-rest §5, §8). */
function invalidInput(errors: ErrorMap): KintoneError {
  return new KintoneError(
    400,
    "CB_VA01",
    { ja: "入力内容が正しくありません。", en: "Missing or invalid input.", zh: "输入有误。" },
    errors,
  );
}

/** 400 `CB_VA01` with one cause. */
export function invalid(key: string, ...texts: readonly Text[]): KintoneError {
  return invalidInput(new Map([[key, texts]]));
}
