import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Form, startForm } from "./forms.ts";

/** A Wednesday, 00:30 in Japan: the UTC day is still the 15th. */
const NOW = Date.parse("2026-09-15T15:30:20Z");
const DAY = 86_400_000;
const day = (shift: number): string =>
  new Date(Date.parse("2026-09-16") + shift * DAY).toISOString().slice(0, 10);

let form: Form;
let zone: Form;
beforeAll(async () => {
  const fields = {
    text: { type: "SINGLE_LINE_TEXT" },
    day: { type: "DATE" },
    moment: { type: "DATETIME" },
    at: { type: "TIME" },
  } as const;
  form = await startForm(fields, { clock: { now: () => NOW } });
  zone = await startForm(fields, { clock: { now: () => NOW }, timeZoneOffsetMinutes: 0 });
  const { app, client } = form;
  const dates = [-400, -45, -31, -16, -15, -10, -7, -3, -1, 0, 1, 3, 4, 11, 15, 31, 107, 400].map(day);
  await client.record.addRecords({
    app,
    records: dates.map((date) => ({ text: { value: date }, day: { value: date } })),
  });
  const moments = [
    "2026-09-15T14:59:00Z",
    "2026-09-15T15:00:00Z",
    "2026-09-15T15:30:00Z",
    "2026-09-16T14:59:00Z",
    "2026-09-16T15:00:00Z",
  ];
  await client.record.addRecords({
    app,
    records: moments.map((moment) => ({ text: { value: moment }, moment: { value: moment } })),
  });
});
afterAll(() => Promise.all([form.close(), zone.close()]));

/** Days found, as distances from today. */
async function distances(condition: string): Promise<string> {
  const found = await form.found(`${condition} order by day asc`);
  return found
    .split(" ")
    .map((text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) ? String((Date.parse(text) - Date.parse("2026-09-16")) / DAY) : text,
    )
    .join(" ");
}

describe("date functions on days (kintone-rest §13.3)", () => {
  it.each([
    ["day = TODAY()", "0"],
    ["day = YESTERDAY()", "-1"],
    ["day = TOMORROW()", "1"],
    ["day = NOW()", "0"],
    ["day = FROM_TODAY(3, DAYS)", "3"],
    ["day = FROM_TODAY(-1, WEEKS)", "-7"],
    ["day = FROM_TODAY(-1, MONTHS)", "-31"],
    ["day = FROM_TODAY(1, days)", "1"],
    ["day < FROM_TODAY(-1, YEARS)", "-400"],
    ["day = THIS_WEEK()", "-3 -1 0 1 3"],
    ["day = THIS_WEEK(SUNDAY)", "-3"],
    ["day = THIS_WEEK(SATURDAY)", "3"],
    ["day = LAST_WEEK()", "-10 -7"],
    ["day = LAST_WEEK(SUNDAY)", "-10"],
    ["day = NEXT_WEEK()", "4"],
    ["day = NEXT_WEEK(SUNDAY)", "4"],
    ["day = THIS_MONTH()", "-15 -10 -7 -3 -1 0 1 3 4 11"],
    ["day = THIS_MONTH(1)", "-15"],
    ["day = THIS_MONTH(31)", "15"],
    ["day = LAST_MONTH(LAST)", "-16"],
    ["day = LAST_MONTH()", "-45 -31 -16"],
    ["day = NEXT_MONTH()", "15 31"],
    ["day = THIS_YEAR()", "-45 -31 -16 -15 -10 -7 -3 -1 0 1 3 4 11 15 31"],
    ["day = LAST_YEAR()", "-400"],
    ["day = NEXT_YEAR()", "107 400"],
    ["day > THIS_MONTH()", "15 31 107 400"],
    ["day >= THIS_MONTH()", "15 31 107 400"],
    ["day < THIS_MONTH()", "-400 -45 -31 -16"],
    ["day <= LAST_WEEK(SUNDAY)", "-400 -45 -31 -16 -15 -10"],
    ["day != THIS_YEAR() and day > LAST_YEAR()", "107 400"],
    ["day > TODAY() and day < FROM_TODAY(5, DAYS)", "1 3 4"],
  ])("%s -> %s", async (condition, expected) => {
    expect(await distances(condition)).toBe(expected);
  });
});

describe("date functions on moments, in the users' time zone (kintone-rest §13.3)", () => {
  it.each([
    ["moment = TODAY()", "2026-09-16T14:59:00Z 2026-09-15T15:30:00Z 2026-09-15T15:00:00Z"],
    ["moment < TODAY()", "2026-09-15T14:59:00Z"],
    ["moment > TODAY()", "2026-09-16T15:00:00Z"],
    ["moment = NOW()", "2026-09-15T15:30:00Z"],
    ["moment < NOW()", "2026-09-15T15:00:00Z 2026-09-15T14:59:00Z"],
    ["moment >= NOW()", "2026-09-16T15:00:00Z 2026-09-16T14:59:00Z 2026-09-15T15:30:00Z"],
    ["moment = TOMORROW()", "2026-09-16T15:00:00Z"],
    ["作成日時 = TODAY() and moment = YESTERDAY()", "2026-09-15T14:59:00Z"],
  ])("%s -> %s", async (condition, expected) => {
    expect(await form.found(condition)).toBe(expected);
  });

  it("counts days elsewhere by that zone", async () => {
    await zone.add({ text: "late", moment: "2026-09-15T23:59:00Z" });
    expect([
      await zone.found("moment = TODAY()"),
      await form.found('moment = TODAY() and text = "late"'),
    ]).toEqual(["late", ""]);
  });
});

describe("function errors (kintone-rest §13.3, §13.4)", () => {
  it.each([
    ["day = FROM_TODAY(1, HOURS)", "GAIA_IQ25"],
    ["day = THIS_WEEK(SOMEDAY)", "GAIA_IQ25"],
    ["day = FROM_TODAY()", "GAIA_IL08"],
    ["day = FROM_TODAY(1)", "GAIA_IL08"],
    ["day = THIS_MONTH(0)", "GAIA_IQ23"],
    ["day = THIS_MONTH(32)", "GAIA_IQ23"],
    ["day = NEXT_MONTH(MONDAY)", "GAIA_IQ23"],
    ["day = TODAY(1)", "CB_VA01"],
    ["day = SOMETIME()", "CB_VA01"],
    ["at = NOW()", "CB_VA01"],
    ["text = TODAY()", "CB_VA01"],
    ["day = LOGINUSER()", "CB_VA01"],
    ["作成者 in (TODAY())", "CB_VA01"],
    ["作成者 in (PRIMARY_ORGANIZATION())", "CB_VA01"],
  ])("%s is refused with %s", async (query, code) => {
    expect(await form.found(query)).toBe(`400 ${code}`);
  });
});

describe("functions on people (kintone-rest §13.3)", () => {
  it("stand for the caller and the caller's organisation; without one the condition is dropped", async () => {
    const people = await startForm({
      text: { type: "SINGLE_LINE_TEXT" },
      users: { type: "USER_SELECT" },
      orgs: { type: "ORGANIZATION_SELECT" },
    });
    await people.add({ text: "mine", users: [{ code: "sato" }], orgs: [{ code: "dev" }] });
    await people.add({ text: "theirs", users: [{ code: "suzuki" }] });
    const as = async (user: string, query: string): Promise<string> => {
      const auth = { "X-Cybozu-Authorization": Buffer.from(`${user}:pass`).toString("base64") };
      const path = `/k/v1/records.json?app=${people.app}&query=${encodeURIComponent(query)}`;
      const { text } = await people.send("GET", path, undefined, auth);
      return ["mine", "theirs"].filter((name) => text.includes(`"${name}"`)).join(" ");
    };
    expect(await as("sato", "users in (LOGINUSER())")).toBe("mine");
    expect(await as("suzuki", "users in (LOGINUSER())")).toBe("theirs");
    expect(await as("suzuki", 'users in (LOGINUSER(), "sato")')).toBe("mine theirs");
    expect(await as("sato", "orgs in (PRIMARY_ORGANIZATION())")).toBe("mine");
    expect(await as("sato", "orgs not in (PRIMARY_ORGANIZATION())")).toBe("theirs");
    expect(await as("suzuki", "orgs in (PRIMARY_ORGANIZATION())")).toBe("mine theirs");
    expect(await as("suzuki", 'orgs in (PRIMARY_ORGANIZATION()) and text = "mine"')).toBe("mine");
    await people.close();
  });
});
