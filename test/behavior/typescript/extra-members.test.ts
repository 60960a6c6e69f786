import { describe, expect, test } from "vitest";
import {
  checkExtra,
  mapOfValues,
} from "../../../runtime/typescript/codegen/checks.js";
import {
  collectExtra,
  decodeDate,
  readMapOf,
  readWithExtra,
  spreadExtra,
} from "../../../runtime/typescript/codegen/codec.js";
import {
  collectingSchemaOf,
  dateForm,
  formOfEach,
} from "../../../runtime/typescript/codegen/create-schemas.js";
import { jsonExtra } from "../../../runtime/typescript/codegen/printing.js";
import {
  isTimestamp,
  type Report,
  validate,
} from "../../../runtime/typescript/values/validation.js";

const fields = new Set(["id"]);

describe("extra members", () => {
  test("collects hostile names as keys of the map", () => {
    const record: Record<string, unknown> = JSON.parse(
      '{"id":1,"__proto__":{"polluted":true},"constructor":2,"more":3}',
    );
    collectExtra(record, fields, "more", false);
    expect(Object.keys(record)).toEqual(["id", "more"]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    const more = Object(record["more"]);
    expect(Object.entries(more)).toEqual([
      ["__proto__", { polluted: true }],
      ["constructor", 2],
      ["more", 3],
    ]);
    expect(more.polluted).toBeUndefined();
    expect(JSON.stringify(spreadExtra(record, fields, "more"))).toBe(
      '{"id":1,"__proto__":{"polluted":true},"constructor":2,"more":3}',
    );
  });

  test("omits an empty map only if it is optional", () => {
    const required = { id: 1 };
    collectExtra(required, fields, "more", false);
    expect(required).toEqual({ id: 1, more: {} });
    const optional = { id: 1 };
    collectExtra(optional, fields, "more", true);
    expect(optional).toEqual({ id: 1 });
    expect(spreadExtra(optional, fields, "more")).toEqual({ id: 1 });
  });

  test("refuses to write a key that is a field", () => {
    const spread = (more: unknown): unknown =>
      spreadExtra({ id: 1, more }, fields, "more");
    expect(() => spread({ id: 2 })).toThrow(
      new TypeError(
        "`more.id` cannot be an extra member, because `id` is a field",
      ),
    );
    expect(() => spread("text")).toThrow(TypeError);
    expect(spread({ a: undefined, b: null })).toEqual({ id: 1, b: null });
  });

  test("reads values in the map", () => {
    const read = readWithExtra(fields, "more", false, {
      more: readMapOf(decodeDate),
    });
    const text = "2024-02-29T00:00:00.000Z";
    expect(read({ id: 1, at: text })).toEqual({
      id: 1,
      more: { at: new Date(text) },
    });
  });

  test("reports the path of an invalid member", () => {
    const check = (value: unknown, report: Report): void =>
      checkExtra(
        Object(value),
        fields,
        mapOfValues(isTimestamp, "a timestamp", { maxProperties: 2 }),
        report,
      );
    expect(validate(check, { id: 1, at: 2 })).toMatchObject([
      { path: ["at"], expected: "a timestamp" },
    ]);
    expect(validate(check, { id: 1, a: 1, b: 2, c: 3 })).toMatchObject([
      { path: [], expected: "an object with at most 2 entries" },
    ]);
  });

  test("prints only members that no field declares", () => {
    const value = { id: 1, a: "x", b: undefined, 'q"': null };
    expect(jsonExtra(value, fields, JSON.stringify)).toBe(
      ',"a":"x","q\\"":null',
    );
  });

  test("a schema accepts both forms", () => {
    const schema = collectingSchemaOf(
      (value, report) =>
        checkExtra(
          Object(value),
          fields,
          mapOfValues(isTimestamp, "a timestamp"),
          report,
        ),
      fields,
      "more",
      true,
      () => ({ more: formOfEach(dateForm) }),
    );
    const { validate: run } = schema["~standard"];
    const text = "2024-02-29T00:00:00.000Z";
    const value = { id: 1, more: { at: new Date(text) } };
    expect(run({ id: 1, at: text })).toEqual({ value });
    expect(run(value)).toEqual({ value });
    expect(run({ id: 1 })).toEqual({ value: { id: 1 } });
    expect(run({ id: 1, more: text })).toEqual({
      value: { id: 1, more: { more: new Date(text) } },
    });
    expect(run({ id: 1, more: { at: 5 } })).toEqual({
      issues: [{ message: "expected a timestamp", path: ["at"] }],
    });
  });
});
