import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintText } from "./lint-text.js";

const raw = String.raw;

/** Patterns from real contracts, with the maximum lengths of their strings. */
const realPatterns: readonly (readonly [
  pattern: string,
  maxLength?: number,
])[] = [
  [
    raw`^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
  ],
  [raw`^[0-9A-HJKMNP-TV-Z]{26}$`],
  [raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`],
  [raw`^[a-z0-9]+(?:[._-][a-z0-9]+)*$`],
  [raw`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`],
  [raw`^\d{4}-\d{2}-\d{2}$`],
  [raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`],
  [raw`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$`],
  [raw`^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$`],
  [
    raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
    256,
  ],
  [raw`^v?\d+(\.\d+){0,2}$`],
  [raw`^\+[1-9]\d{1,14}$`],
  [raw`^\+?[0-9 ()-]{7,20}$`],
  [raw`^#(?:[0-9a-fA-F]{3}){1,2}$`],
  [raw`^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$`],
  [raw`^((25[0-5]|(2[0-4]|1\d|[1-9]|)\d)\.?\b){4}$`],
  [raw`^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$`],
  [raw`^(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}$`],
  [raw`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`],
  [raw`^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$`],
  [raw`^[A-Za-z0-9_-]{22,}$`],
  [raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 254],
  [
    raw`^[a-zA-Z0-9.!#$%&'*+/=?^_{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`,
    254,
  ],
  [raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$`, 254],
  [raw`^https?://[^\s]+$`],
  [
    raw`^https?:\/\/(?:www\.)?[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b(?:[-a-zA-Z0-9()@:%_+.~#?&/=]*)$`,
    2_000,
  ],
  [raw`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`],
  [raw`^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$`],
  [raw`^[a-z]{2}(-[A-Z]{2})?$`],
  [raw`^[A-Z]{3}$`],
  [raw`^-?\d+(\.\d+)?$`],
  [raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`],
  [raw`^\d{1,3}(,\d{3})*(\.\d{2})?$`],
  [raw`^\$?\d+(,\d{3})*(\.\d{2})?$`],
  [raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d@$!%*?&]{8,}$`],
  [raw`^[\p{L}\p{M}' .-]+$`],
  [raw`^\S+$`],
  [raw`^\S(.*\S)?$`],
  [raw`^[^<>]*$`],
  [raw`^[\w.-]+/[\w.+-]+$`],
  [raw`^/(?:[\w.-]+/)*[\w.-]*$`],
  [raw`^(?:/[^/]+)+/?$`],
  [raw`^[\w,\s-]+\.[A-Za-z]{3}$`],
  [raw`^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$`],
  [raw`^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.*$`],
  [raw`^0x[0-9a-fA-F]{40}$`],
  [raw`^0x(?:[0-9a-fA-F]{2})*$`],
  [raw`^[1-9A-HJ-NP-Za-km-z]{32,44}$`],
  [raw`^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$`],
  [raw`^[A-Z]{2}\d{2}[A-Z0-9]{4}\d{7}([A-Z0-9]?){0,16}$`],
  [raw`^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14})$`],
  [raw`^\d{5}(?:-\d{4})?$`],
  [raw`^(?:asc|desc)$`],
  [raw`^[a-z]+(:(asc|desc))?(,[a-z]+(:(asc|desc))?)*$`],
  [raw`^(?:[^,]+,)*[^,]+$`],
  [raw`^"(?:[^"\\]|\\.)*"$`],
  [raw`^@[a-z0-9-~][a-z0-9-._~]*/[a-z0-9-~][a-z0-9-._~]*$`],
  [raw`^[0-9a-f]{40}|[0-9a-f]{64}$`],
  [raw`[0-9a-f]{1,64}`],
  [raw`\.(?:png|jpe?g|gif|svg)$`],
  ["^$"],
];

const codesFor = (pattern: string, maxLength?: number): string[] => {
  const text = JSON.stringify(pattern).slice(1, -1);
  const limit = maxLength === undefined ? "" : `  + maxLength = ${maxLength}\n`;
  const document = `webrpc = v1\ntype A: string\n  + pattern = "${text}"\n${limit}`;
  return lintText(document, { categories: [] }).map(({ code }) => code);
};

test.each(realPatterns.map((each) => ({ each })))(
  "accepts $each",
  ({ each: [pattern, maxLength] }) => {
    expect(codesFor(pattern, maxLength)).toEqual([]);
  },
);

test("accepts the platform's patterns", () => {
  const folder = join(import.meta.dirname, "../../schema");
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".ridl"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const patterns = [...texts.join("").matchAll(/\+ pattern = "(.*)"/gu)];
  expect(patterns.length).toBeGreaterThan(5);
  for (const [, pattern = ""] of patterns) {
    expect(codesFor(pattern.replaceAll("\\\\", "\\"))).toEqual([]);
  }
});

test.each([
  raw`^(a+)+$`,
  raw`^(\w+\s?)*$`,
  raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$`,
  raw`^(a|a?)+$`,
  raw`^(.*)*$`,
  raw`\s+$`,
  raw`[a-z]+@`,
  raw`.*\.png$`,
  raw`(^|,)\s*\d+$`,
  raw`^\s*x|\d+$`,
  raw`^\s+|\s+$`,
  raw`\d{1,500}x`,
  raw`^.*,.*,.*$`,
  raw`^\s*(.*?)\s*$`,
  raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`,
])("rejects %s", (pattern) => {
  expect(codesFor(pattern)).toEqual(["pattern-redos"]);
});

test.each([
  ["", ["pattern-redos", "suppression-reason"]],
  [" only our own server sends it", []],
])(
  "accepts a slow pattern only if a comment gives a reason: %j",
  (reason, codes) => {
    const document = `webrpc = v1\n#! ridl-ignore pattern-redos${reason}\ntype A: string\n  + pattern = "^(a+)+$"\n  + maxLength = 9\n`;
    const found = lintText(document, { categories: ["minimal"] });
    expect(found.map(({ code }) => code).sort()).toEqual(codes);
  },
);

test("allows the configuration to disable the rule", () => {
  const document = `webrpc = v1\ntype A: string\n  + pattern = "^(a+)+$"\n`;
  const rules = { "pattern-redos": "off" } as const;
  expect(lintText(document, { categories: [], rules })).toEqual([]);
});
