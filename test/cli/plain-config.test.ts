import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainConfig } from "../../generator/cli/config/plain-config.js";
import { readConfig } from "../../generator/cli/config/read-config.js";

const path = "ridl.config.yaml";

test("plain configurations are read without YAML", () => {
  const text = `# What to generate.
schema:
  - schema/*.ridl
  - "other/**/*.ridl"

out: 'src/generated'
emit:
- client
int64: bigint
`;
  const plain = readPlainConfig({ path, text });
  expect(plain?.out).toBe("src/generated");
  expect(plain).toEqual(readConfig({ path, text }).value);
});

test.each([
  ["a fault", "schema:\n  - a.ridl\nout: 5\n"],
  ["a list in one line", "schema: [a.ridl]\n"],
  ["a setting inside a setting", "schema:\n  - a.ridl\nlint:\n  rules: {}\n"],
  ["a comment behind a value", "schema:\n  - a.ridl # all\n"],
  ["an escape", 'schema:\n  - "a\\u0041.ridl"\n'],
  ["CRLF", "schema:\r\n  - a.ridl\r\n"],
  ["a key that is there twice", "schema:\n  - a.ridl\nout: a\nout: b\n"],
  ["an alias", "schema:\n  - *.ridl\n"],
])("%s is left to YAML", (_, text) => {
  expect(readPlainConfig({ path, text })).toBeNull();
});

test("what is read without YAML is what YAML reads", () => {
  const value = fc.constantFrom(
    ..."a.ridl schema/*.ridl ./a ../b true Null yes 12 1e3 .5 ~ - ? * & !x".split(
      " ",
    ),
    ...'"a b" "" \'c\' "a\\n" "a: b" a: #x a#b a:b [a] {} | > @a `a` %a'.split(
      " ",
    ),
    "number",
    "bigint",
    "copy",
    "client",
  );
  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("schema", "out", "emit", "int64", "runtime"),
        value,
      )
      .map(([key, text]) => `${key}: ${text}`),
    fc.constantFrom("schema:", "emit:", "out:", "", "# x", "  # y", "---", " "),
    fc
      .tuple(fc.constantFrom("", " ", "  ", "   "), value)
      .map(([pad, text]) => `${pad}- ${text}`),
  );
  const head = fc.constantFrom([], ["schema:", "  - a.ridl"]);
  const lines = fc.tuple(head, fc.array(line, { maxLength: 6 }));
  let plainCount = 0;
  fc.assert(
    fc.property(lines, ([first, rest]) => {
      const text = [...first, ...rest, ""].join("\n");
      const plain = readPlainConfig({ path, text });
      if (plain === null) return;
      plainCount += 1;
      expect(readConfig({ path, text }).value).toEqual(plain);
    }),
    { numRuns: 4_000 },
  );
  expect(plainCount).toBeGreaterThan(80);
});
