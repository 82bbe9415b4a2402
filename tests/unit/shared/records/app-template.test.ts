import { describe, expect, it } from "vitest";
import {
  APP_ROLES,
  type AppTemplate,
  appTemplate,
  compareApp,
  type FoundApp,
  REQUEST_MACHINE_FIELDS,
  TEMPLATE_ORDER,
} from "../../../../shared/records/index.ts";

const RELATED = { audit: "2", request: "3", jobLog: "4" };
const templates = APP_ROLES.map((role) => appTemplate(role, RELATED));
const foundOf = (template: AppTemplate): FoundApp => {
  const copy = structuredClone(template);
  return {
    properties: Object.fromEntries(Object.entries(copy.fields).map(([code, field]) => [code, { ...field }])),
    views: Object.fromEntries(Object.entries(copy.views).map(([name, view]) => [name, { ...view, id: "1" }])),
    appRights: copy.appRights.map((right) => ({ ...right })),
    fieldRights: copy.fieldRights.map((right) => ({ ...right })),
  };
};
const request = appTemplate("request", null);

describe("the template of the four apps (wire-format §1)", () => {
  it("makes the state app last: its reference tables name the others (wire-format §1.1)", () => {
    expect(TEMPLATE_ORDER.at(-1)).toBe("state");
    expect([...TEMPLATE_ORDER].sort()).toEqual([...APP_ROLES].sort());
  });

  it.each(templates)("places every field of $role once, in a row of its own where it is wide", (template) => {
    const placed = template.layout.flatMap((row) => row.fields.map((field) => field.code));
    expect(placed).toEqual(Object.keys(template.fields));
    for (const { fields } of template.layout) {
      expect(fields.length).toBeLessThanOrEqual(3);
      if (fields.some(({ type }) => type === "MULTI_LINE_TEXT")) expect(fields).toHaveLength(1);
    }
  });

  it.each(templates)("lists only columns that $role has", (template) => {
    for (const view of Object.values(template.views)) {
      expect(view.fields.filter((code) => template.fields[code] === undefined)).toEqual([]);
      const [sorted = ""] = view.sort.split(" ");
      expect([...Object.keys(template.fields), "作成日時"]).toContain(sorted);
    }
  });

  it.each(templates)("lets people only read $role, or add a request; nobody deletes", (template) => {
    for (const right of template.appRights) {
      expect(right.recordDeletable || right.recordImportable).toBe(false);
      expect(right.recordViewable).toBe(true);
      expect([right.recordAddable, right.recordEditable]).toEqual(
        template.role === "request" ? [true, true] : [false, false],
      );
    }
  });

  it("keeps people from the columns the poller writes, and the tick to the requester (wire-format §1.3)", () => {
    const everyone = (code: string): unknown =>
      request.fieldRights
        .find((right) => right.code === code)
        ?.entities.find(({ entity }) => entity.code === "everyone")?.accessibility;
    for (const code of REQUEST_MACHINE_FIELDS) expect(everyone(code)).toBe("READ");
    expect(request.fieldRights.find((right) => right.code === "cancel_requested")?.entities[0]).toEqual({
      accessibility: "WRITE",
      entity: { type: "FIELD_ENTITY", code: "作成者" },
      includeSubs: false,
    });
    expect(request.fieldRights.filter(({ code }) => request.fields[code] === undefined)).toEqual([]);
  });

  it("asks for no delete right, and for the rights of wire-format §1", () => {
    const rights = Object.fromEntries(
      templates.map(({ role, tokens }) => [role, tokens.map((token) => token.rights)]),
    );
    expect(rights).toEqual({
      state: [["view", "add", "edit"]],
      audit: [["view", "add", "edit"]],
      request: [["view", "edit"]],
      jobLog: [["view"], ["view", "add", "edit"]],
    });
  });
});

describe("the comparison of an app with its template", () => {
  it.each(templates)("finds nothing in $role as it was made", (template) => {
    expect(compareApp(template, foundOf(template))).toEqual([]);
  });

  it("welcomes more fields, options, views and another label", () => {
    const found = foundOf(request);
    const type = found.properties.request_type;
    const more: FoundApp = {
      ...found,
      properties: {
        ...found.properties,
        memo: { type: "SINGLE_LINE_TEXT" },
        request_type: { ...type, label: "種別", options: { ...(type?.options ?? {}), NEW: {} } },
      },
      views: { ...found.views, 自分用: { type: "LIST" } },
    };
    expect(compareApp(request, more)).toEqual([]);
  });

  const field = (code: string, change: Readonly<Record<string, unknown>>): FoundApp => {
    const found = foundOf(request);
    const before = found.properties[code] ?? {};
    return { ...found, properties: { ...found.properties, [code]: { ...before, ...change } } };
  };
  const without = (code: string): FoundApp => {
    const found = foundOf(request);
    const { [code]: _gone, ...properties } = found.properties;
    return { ...found, properties };
  };
  const cases: readonly (readonly [string, FoundApp, readonly [string, string, boolean]])[] = [
    ["a missing field", without("result_code"), ["result_code", "missing", true]],
    ["another type", field("run_id", { type: "NUMBER" }), ["run_id", "type", false]],
    ["a missing option", field("request_type", { options: {} }), ["request_type", "option", true]],
    ["a field that became required", field("run_id", { required: true }), ["run_id", "required", true]],
    ["one that is required no more", field("reason", { required: false }), ["reason", "required", true]],
    ["one that became unique", field("run_id", { unique: true }), ["run_id", "unique", true]],
    ["a limit", field("run_id", { maxLength: "10" }), ["run_id", "maxLength", true]],
    [
      "another default",
      field("request_state", { defaultValue: "" }),
      ["request_state", "defaultValue", true],
    ],
    [
      "a default of now",
      field("claimed_at", { defaultNowValue: true }),
      ["claimed_at", "defaultNowValue", true],
    ],
    ["a missing list", { ...foundOf(request), views: {} }, ["未処理", "missing", true]],
    [
      "rights of a stranger",
      {
        ...foundOf(request),
        appRights: [
          ...foundOf(request).appRights,
          { entity: { type: "GROUP", code: "x" }, recordDeletable: true },
        ],
      },
      ["GROUP x", "grants", true],
    ],
    ["open machine fields", { ...foundOf(request), fieldRights: [] }, ["request_state", "entities", true]],
  ];
  it.each(cases)("tells %s", (_, found, [name, kind, applicable]) => {
    const told = compareApp(request, found);
    expect(told[0]).toMatchObject({ name, kind, applicable });
  });

  it("tells a reference table that points elsewhere (wire-format §1.1)", () => {
    const state = appTemplate("state", RELATED);
    const told = compareApp(state, foundOf(appTemplate("state", { ...RELATED, audit: "9" })));
    expect(told.map(({ name, kind }) => [name, kind])).toEqual([["related_audit_events", "referenceTable"]]);
  });
});
