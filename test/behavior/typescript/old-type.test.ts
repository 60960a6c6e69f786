import { expect, it } from "vitest";
import {
  judge,
  type OldType,
} from "../../../runtime/typescript/server/skew/old-type.js";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0, maximum: 255 } as const;
const wide = {
  type: "integer",
  minimum: "-9223372036854775808",
  maximum: "9223372036854775807",
} as const;
const dot = { type: "object", fields: { x: count } } as const;
const open = {
  type: "union",
  openTag: "kind",
  variants: [
    { type: "object", fields: { kind: { ...text, enum: ["dot"] }, x: count } },
  ],
} as const satisfies OldType;

const rows: readonly [OldType, unknown, string][] = [
  [text, undefined, "forbidden"],
  [text, null, "forbidden"],
  [{ ...text, mayBeAbsent: true }, undefined, "allowed"],
  [{ ...text, mayBeNull: true }, null, "allowed"],
  [text, 7, "forbidden"],
  [{ ...text, mayBeInteger: true }, 7, "allowed"],
  [{ ...text, max: 3, patterns: ["^[a-c]+$", "b"] }, "abc", "allowed"],
  [{ ...text, max: 3, patterns: ["^[a-c]+$", "b"] }, "aac", "forbidden"],
  [{ ...text, max: 3 }, "😀😀😀", "allowed"],
  [{ ...text, max: 3 }, "abcd", "forbidden"],
  [{ ...text, patterns: ["a"] }, "a".repeat(10_001), "forbidden"],
  [{ ...text, format: "base64" }, "aGk=", "allowed"],
  [{ ...text, format: "date-time" }, "yesterday", "forbidden"],
  [{ ...text, maximum: 9 }, "10", "forbidden"],
  [{ ...text, format: "uri" }, "https://example.com", "allowed"],
  [{ ...text, enum: ["a"] }, "b", "forbidden"],
  [count, 255, "allowed"],
  [count, 256, "forbidden"],
  [count, 0.5, "forbidden"],
  [count, "7", "forbidden"],
  [{ ...count, isText: true }, "7", "allowed"],
  [{ ...count, isText: true }, "300", "forbidden"],
  [{ ...count, enum: [1, 2] }, 3, "forbidden"],
  [{ ...wide, enum: ["9223372036854775807"] }, 2n ** 63n - 1n, "allowed"],
  [wide, 2 ** 63, "allowed"],
  [wide, 2n ** 63n, "forbidden"],
  [wide, 2 ** 70, "forbidden"],
  [{ type: "number" }, 0.5, "allowed"],
  [{ type: "boolean", isText: true }, "true", "allowed"],
  [{ type: "null" }, null, "allowed"],
  [{ type: "any" }, { a: 1 }, "allowed"],
  [{ type: "list", items: count, max: 2 }, [1, 2], "allowed"],
  [{ type: "list", items: count, max: 2 }, [1, 2, 3], "forbidden"],
  [{ type: "list", items: count }, [1, "2"], "forbidden"],
  [{ type: "list", items: count, isUnique: true }, [1, 1], "forbidden"],
  [{ type: "list", items: count, isText: true }, "7", "allowed"],
  [dot, { x: 1, y: 2 }, "allowed"],
  [dot, {}, "forbidden"],
  [dot, Object.create({ x: 1 }), "forbidden"],
  [{ ...dot, rest: { type: "object", max: 1 } }, { x: 1, y: 2 }, "allowed"],
  [{ ...dot, rest: { type: "object", max: 0 } }, { x: 1, y: 2 }, "forbidden"],
  [{ type: "object", keys: count, items: text }, { 7: "a" }, "allowed"],
  [{ type: "object", keys: count, items: text }, { a: "a" }, "forbidden"],
  [
    { type: "object", items: text },
    JSON.parse('{ "__proto__": 7 }'),
    "forbidden",
  ],
  [{ type: "union", variants: [text, count] }, 7, "allowed"],
  [{ type: "union", variants: [text, count] }, true, "forbidden"],
  [
    { type: "union", variants: [{ type: "object" }], choice: ["a", "b"] },
    { a: 1, b: 2 },
    "forbidden",
  ],
  [open, { kind: "dot", x: 1 }, "allowed"],
  [open, { kind: "dot", x: "1" }, "forbidden"],
  [open, { kind: "line" }, "allowed"],
  [{ type: "unknown" }, 7, "unknown"],
  [{ type: "list", items: { type: "unknown" } }, [1], "unknown"],
  [{ type: "list", items: count }, Array(10_001).fill(1), "unknown"],
];

it.each(rows)("compares %o with %o: %s", (type, value, verdict) => {
  expect(judge(type, value)).toBe(verdict);
});
