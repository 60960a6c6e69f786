import { describe, expect, it } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { Field, TypeDeclaration } from "../../generator/ir/contract.js";
import { parseJson } from "../../runtime/typescript/wire/json.js";
import {
  printFailures,
  FailureReport,
  type ReportOptions,
} from "../../runtime/typescript/values/validation.js";
import {
  alias,
  contract,
  enumeration,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "../support/contract-parts.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const plain: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/**
 * Returns the failures that the generated check finds in a request, as text.
 */
function checking(
  fields: readonly Field[],
  types: readonly TypeDeclaration[] = [],
  options: EmitOptions = plain,
): (request: unknown, reportOptions?: ReportOptions) => string {
  const send = method("Test", "Send", { request: message(fields) });
  const made = contract(types, [host("test", [service("Test", [send])])]);
  const text = validatorsEmitter.emit(made, options)[0]?.text ?? "";
  const check = exportedFunction(runEmitted(text), "checkSendRequest");
  return (request, reportOptions) => {
    const report = new FailureReport(reportOptions);
    check(request, report);
    return printFailures(report.failures);
  };
}

describe("failures contain the path, the expectation, and the actual value", () => {
  const uint: Field = field("projectId", scalar("uint64"));
  const limited = (constraints: Field["constraints"], name = "string") =>
    field("a", scalar(name === "string" ? "string" : "int32"), { constraints });

  it.each([
    [uint, "abc", 'projectId: expected an unsigned integer, got "abc"'],
    [uint, -1, "projectId: expected an unsigned integer, got -1"],
    [uint, undefined, "projectId: expected an unsigned integer, got nothing"],
    [field("a", scalar("bool")), 1, "a: expected a boolean, got 1"],
    [field("a", scalar("int8")), 200, "a: expected an 8-bit integer, got 200"],
    [
      limited({ minimum: 1, maximum: 10 }, "int32"),
      11,
      "a: expected an integer from 1 to 10, got 11",
    ],
    [
      limited({ minimum: 3 }, "int32"),
      1,
      "a: expected a 32-bit integer of at least 3, got 1",
    ],
    [
      limited({ minLength: 1, maxLength: 20 }),
      "",
      'a: expected a string of 1 to 20 characters, got ""',
    ],
    [
      limited({ maxLength: 1 }),
      "ab",
      'a: expected a string of at most 1 character, got "ab"',
    ],
    [
      limited({ minLength: 2, maxLength: 2 }),
      "😀",
      'a: expected a string of 2 characters, got "😀"',
    ],
    [
      limited({ pattern: "^a$" }),
      "b",
      'a: expected a string that matches ^a$, got "b"',
    ],
    [
      limited({ format: "uri" }),
      "b",
      'a: expected an http or https URL, got "b"',
    ],
    [
      field("a", scalar("timestamp")),
      "today",
      'a: expected a timestamp, got "today"',
    ],
    [field("a", list(scalar("byte"))), "?", 'a: expected base64 text, got "?"'],
    [
      field("a", scalar("bool"), { isNullable: true }),
      1,
      "a: expected a boolean or null, got 1",
    ],
    [
      field("a", list(scalar("bool")), { constraints: { maxItems: 1 } }),
      [true, true],
      "a: expected a list of at most 1 item, got a list of 2",
    ],
    [
      field("a", list(list(scalar("bool")))),
      [[true], [1]],
      "a[1][0]: expected a boolean, got 1",
    ],
    [
      field("a", scalar("string"), { isSensitive: true }),
      5,
      "a: expected a string, got a hidden value",
    ],
    [
      field("__proto__", scalar("string")),
      undefined,
      "__proto__: expected a string, got nothing",
    ],
    [
      field("toString", scalar("string")),
      undefined,
      "toString: expected a string, got nothing",
    ],
  ])("%# %o", (subject, value, failure) => {
    const check = checking([subject]);
    const request = value === undefined ? {} : { [subject.jsonName]: value };
    expect(check(request)).toBe(failure);
  });

  it("describes values by the members of an enum and the title of an alias", () => {
    const types = [
      enumeration("Side", ["listing", "offer"]),
      alias(
        "Address",
        scalar("string"),
        { pattern: "^0x" },
        { title: "an address" },
      ),
      struct("Item", [
        field("side", reference("Side")),
        field("address", reference("Address"), {
          constraints: { maxLength: 4 },
        }),
      ]),
    ];
    const check = checking([field("items", list(reference("Item")))], types);
    expect(check({ items: [{ side: "x", address: "0x123" }] })).toBe(
      'items[0].side: expected one of "listing", "offer", got "x"; ' +
        'items[0].address: expected an address of at most 4 characters, got "0x123"',
    );
    expect(check({ items: [{ side: "offer", address: "0x12" }] })).toBe("");
    expect(check({ items: ["x"] })).toBe(
      'items[0]: expected an object, got "x"',
    );
    expect(check(null)).toContain("expected an object, got null");
  });
});

describe("absent values", () => {
  const page = field("page", scalar("uint32"), { isOptional: true });

  it("include null for an optional field, and the null is removed on request", () => {
    const request = { page: null };
    expect(checking([page])(request)).toBe("");
    expect(request).toEqual({ page: null });
    expect(checking([page])(request, { dropsNulls: true })).toBe("");
    expect(request).toEqual({});
  });

  it("include null for an optional field of a frozen value", () => {
    expect(checking([page])(Object.freeze({ page: null }))).toBe("");
  });

  it("do not include null if it is a value", () => {
    const request = { page: null, data: null };
    const check = checking([
      { ...page, isNullable: true },
      field("data", scalar("any"), { isOptional: true }),
    ]);
    expect(check(request, { dropsNulls: true })).toBe("");
    expect(request).toEqual({ page: null, data: null });
  });

  describe("with `nullAsEmpty`", () => {
    const names = field("names", list(scalar("string")));
    const lenient = { ...plain, nullAsEmpty: true };
    const dropsNulls = { dropsNulls: true };

    it("replaces null in requests, and rejects it elsewhere", () => {
      const check = checking([names], [], lenient);
      const request = { names: null };
      expect(check(request)).toBe("names: expected a list, got null");
      expect(request).toEqual({ names: null });
      expect(check(request, dropsNulls)).toBe("");
      expect(request).toEqual({ names: [] });
      expect(check({}, dropsNulls)).toContain("got nothing");
    });

    it("replaces null in lists and maps of lists, maps, and bytes", () => {
      const of = (name: string, type: Field["type"]): Field[] => [
        field(name, list(type)),
        field(`${name}ByName`, map(scalar("string"), type)),
      ];
      const check = checking(
        [
          ...of("lists", list(scalar("string"))),
          ...of("maps", map(scalar("string"), scalar("bool"))),
          ...of("bytes", list(scalar("byte"))),
        ],
        [],
        lenient,
      );
      const sent = {
        ...{ lists: [null], listsByName: { a: null } },
        ...{ maps: [null], mapsByName: { a: null } },
        ...{ bytes: [null], bytesByName: { a: null } },
      };
      expect(check(sent, dropsNulls)).toBe("");
      expect(sent).toEqual({
        ...{ lists: [[]], listsByName: { a: [] } },
        ...{ maps: [{}], mapsByName: { a: {} } },
        ...{ bytes: [""], bytesByName: { a: "" } },
      });
    });

    it("applies limits to the replaced value", () => {
      const limited = { ...names, constraints: { minItems: 1 } };
      expect(
        checking([limited], [], lenient)({ names: null }, dropsNulls),
      ).toContain("a list of at least 1 item");
    });

    it("keeps null where it is a value, and drops it from optional fields", () => {
      const check = checking(
        [
          { ...names, isNullable: true },
          field("more", list(scalar("string")), { isOptional: true }),
        ],
        [],
        lenient,
      );
      const request = { names: null, more: null };
      expect(check(request, dropsNulls)).toBe("");
      expect(request).toEqual({ names: null });
    });
  });

  it("ignores inherited and undeclared properties", () => {
    const names = ["constructor", "toString", "__proto__", "valueOf"];
    const check = checking(
      names.map((name) => field(name, scalar("bool"), { isOptional: true })),
    );
    expect(check({ unknown: 1 })).toBe("");
    expect(check(JSON.parse('{ "__proto__": 1 }'))).toContain("__proto__");
  });
});

describe("integers", () => {
  const id = field("id", scalar("uint64"));
  const bigint: EmitOptions = { ...plain, int64: "bigint" };

  it("are never rounded", () => {
    const check = checking([id]);
    expect(check(parseJson('{"id":9007199254740991}'))).toBe("");
    expect(check(parseJson('{"id":9007199254740993}'))).not.toBe("");
    expect(check(JSON.parse('{"id":9007199254740993}'))).not.toBe("");
  });

  it("use their whole range as bigint, but no more", () => {
    const check = checking([id], [], bigint);
    expect(check(parseJson('{"id":18446744073709551615}'))).toBe("");
    expect(check(parseJson('{"id":18446744073709551616}'))).not.toBe("");
    const signed = checking([field("id", scalar("int64"))], [], bigint);
    expect(signed(parseJson('{"id":-9223372036854775808}'))).toBe("");
    expect(signed(parseJson('{"id":9223372036854775808}'))).not.toBe("");
  });

  it("can have limits beyond the range of a number", () => {
    const limits = { minimum: 5n, maximum: 18_446_744_073_709_551_000n };
    const fields = [
      { ...id, constraints: limits },
      field("big", scalar("bigint"), { constraints: limits }),
    ];
    const check = checking(fields, [], bigint);
    const text = (id: string, big: string) => `{"id":${id},"big":"${big}"}`;
    expect(check(parseJson(text("18446744073709551000", "5")))).toBe("");
    expect(check(parseJson(text("18446744073709551001", "5")))).not.toBe("");
    expect(check(parseJson(text("5", "18446744073709551001")))).not.toBe("");
    expect(check(parseJson(text("4", "5")))).not.toBe("");
    expect(check(parseJson(text("5", "4")))).not.toBe("");
  });

  it("are accepted as strings if the alias allows it", () => {
    const types = [
      alias(
        "Id",
        scalar("string"),
        { pattern: "^[0-9]+$" },
        { acceptsInteger: true },
      ),
      alias("Short", reference("Id"), { maxLength: 2 }),
    ];
    const check = checking(
      [field("id", reference("Id")), field("short", reference("Short"))],
      types,
    );
    const sent = (value: unknown): string => check(value, { isRequest: true });
    expect(sent({ id: 7, short: "12" })).toBe("");
    const long = '{"id":115792089237316195423570,"short":9}';
    expect(sent(parseJson(long))).toBe("");
    expect(sent({ id: -7, short: 1 })).toContain("id:");
    expect(sent({ id: 1.5, short: 1 })).toContain("id:");
    expect(sent({ id: 1, short: 123 })).toContain("short:");
  });

  it("are rejected as strings in responses", () => {
    const id = alias("Id", scalar("string"), {}, { acceptsInteger: true });
    const check = checking(
      [
        field("id", reference("Id"), { isNullable: true }),
        field("own", reference("Id"), { constraints: { maxLength: 2 } }),
        field("ids", list(map(scalar("string"), reference("Id")))),
      ],
      [id],
    );
    expect(check({ id: null, own: "1", ids: [{ a: "1" }] })).toBe("");
    const faults = check({ id: 1, own: 2, ids: [{ a: 3n }] });
    expect(faults).toContain("id:");
    expect(faults).toContain("own:");
    expect(faults).toContain("ids[0].a:");
  });

  it("must be within range as map keys", () => {
    const check = checking([field("by", map(scalar("uint8"), scalar("bool")))]);
    expect(check({ by: { 0: true, 255: true } })).toBe("");
    for (const key of ["256", "-1", "01", "1.0", "x", ""]) {
      expect(check({ by: { [key]: true } }), key).not.toBe("");
    }
  });
});
