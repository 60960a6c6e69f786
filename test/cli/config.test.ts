import { describe, expect, test } from "vitest";
import configSchema from "../../config.schema.json" with { type: "json" };
import { createSandbox } from "./support/sandbox.js";
import { readConfig } from "../../cli/config/read-config.js";
import { renderDiagnostic } from "../../generator/diagnostics/render.js";

/** Formats the names as the help lists them. */
function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

const settings = listOf(
  Object.keys(configSchema.properties).filter((key) => key !== "$schema"),
);

/** Returns the first line, location, and help of each finding. */
function complaints(text: string): string[] {
  const { value, diagnostics } = readConfig({ path: "ridl.config.yaml", text });
  expect(value).toBeNull();
  return diagnostics.map((diagnostic) => {
    const lines = renderDiagnostic(diagnostic, { color: false }).split("\n");
    const place = lines.find((line) => line.includes("--> ")) ?? "";
    const help = lines.find((line) => line.includes("= help")) ?? "";
    return [lines[0], place.trim(), help.trim()].filter(Boolean).join(" | ");
  });
}

describe("readConfig", () => {
  test("rejects YAML with unbounded expansion", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [index, name] of Array.from("bcdefghij").entries()) {
      const item = `*${"abcdefghi"[index]}`;
      lines.push(`${name}: &${name} [${Array(9).fill(item).join(", ")}]`);
    }
    expect(complaints(lines.join("\n"))).toEqual([
      "error[config-syntax]: the configuration cannot be read: Excessive alias count indicates a resource exhaustion attack | --> ridl.config.yaml:1:1",
    ]);
    const [deep] = complaints(`schema: ${"[".repeat(50_000)}`);
    expect(deep).toContain("error[config-syntax]");
  });

  test("fills in defaults", () => {
    const { value, diagnostics } = readConfig({
      path: "ridl.config.yaml",
      text: "schema:\n  - a.ridl\n",
    });
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({
      schema: [
        { pattern: "a.ridl", location: { span: { start: 12, end: 18 } } },
      ],
      out: "generated",
      targets: [{ name: "defaults" }],
      options: {
        int64: "number",
        timestamp: "string",
        runtime: "import",
        importExtension: ".js",
      },
    });
  });

  test("accepts several settings together", () => {
    const text = `
schema: [a.ridl, "b/*.ridl"]
out: src/gen
emit: [types, query: vue, ./own.js: { a: 1 }]
int64: bigint
timestamp: date
runtime: copy
importExtension: ""
lint:
  categories: [standard]
  rules: { unbounded-list: error, import-used: off }
`;
    expect(readConfig({ path: "c.yaml", text }).value).toMatchObject({
      lint: {
        categories: ["standard"],
        rules: { "unbounded-list": "error", "import-used": "off" },
        int64: "bigint",
      },
      out: "src/gen",
      targets: [{ name: "types" }, { name: "query", setting: "vue" }],
      emitterModules: [{ path: "./own.js", options: { a: 1 } }],
      options: {
        int64: "bigint",
        timestamp: "date",
        runtime: "copy",
        importExtension: "",
      },
    });
  });

  test("uses `.js` imports for JavaScript, even with a copied runtime", () => {
    const text = "schema: [a.ridl]\nlanguage: javascript\nruntime: copy\n";
    expect(readConfig({ path: "c.yaml", text }).value?.options).toMatchObject({
      language: "javascript",
      runtime: "copy",
      importExtension: ".js",
    });
  });

  test("copies the runtime if the configuration lists runtime files", () => {
    const text = "schema: [a.ridl]\nruntimeFiles: [node, shutdown]\n";
    expect(readConfig({ path: "c.yaml", text }).value?.options).toMatchObject({
      runtime: "copy",
      runtimeFiles: ["node", "shutdown"],
    });
  });

  test.each([
    [
      "an unknown runtime file",
      "schema: [a.ridl]\nruntimeFiles: [nod]\n",
      "error[invalid-config-value]: `runtimeFiles.0` must be one of `client-telemetry`, `explorer`, `express`, `fastify`, `hono`, `idempotency`, `in-process`, `interceptors`, `lambda`, `node`, `node-listener`, `opentelemetry`, `shutdown`, `sign-webhooks`, `stream-log` | --> ridl.config.yaml:2:16 | = help: did you mean `node`?",
    ],
    [
      "runtime files without a copied runtime",
      "schema: [a.ridl]\nruntimeFiles: [node]\nruntime: import\n",
      "error[invalid-config-value]: `runtime` must be `copy` if `runtimeFiles` is set | --> ridl.config.yaml:3:10",
    ],
    [
      "an unknown language",
      "schema: [a.ridl]\nlanguage: javascrip\n",
      "error[invalid-config-value]: `language` must be one of `typescript`, `javascript` | --> ridl.config.yaml:2:11 | = help: did you mean `javascript`?",
    ],
    [
      "an unknown import extension",
      "schema: [a.ridl]\nimportExtension: .mjs\n",
      'error[invalid-config-value]: `importExtension` must be one of `.js`, `.ts`, `""` | --> ridl.config.yaml:2:18 | = help: did you mean `.js`?',
    ],
    [
      "an import extension that JavaScript does not support",
      'schema: [a.ridl]\nlanguage: javascript\nimportExtension: ""\n',
      "error[invalid-config-value]: `importExtension` must be `.js` if `language` is `javascript`, because imports must name the files that run | --> ridl.config.yaml:3:18",
    ],
    [
      "an unknown key, with a suggestion",
      "schema: [a.ridl]\nimportExtention: .js\n",
      "error[unknown-config-key]: there is no setting `importExtention` | --> ridl.config.yaml:2:1 | = help: did you mean `importExtension`?",
    ],
    [
      "an unknown key without a suggestion",
      "schema: [a.ridl]\nplugins: []\n",
      `error[unknown-config-key]: there is no setting \`plugins\` | --> ridl.config.yaml:2:1 | = help: the settings are ${settings}`,
    ],
    [
      "a value that is not among the allowed ones",
      "schema: [a.ridl]\nint64: bigit\n",
      "error[invalid-config-value]: `int64` must be one of `number`, `bigint` | --> ridl.config.yaml:2:8 | = help: did you mean `bigint`?",
    ],
    [
      "what is neither a target, a package nor a path",
      "schema: [a.ridl]\nemit:\n  - types\n  - sql/templates\n",
      "error[invalid-config-value]: `emit.1` must be the name of a target or package, or a path such as `./my-emitter.js` | --> ridl.config.yaml:4:5",
    ],
    [
      "an emitter without `./`",
      "schema: [a.ridl]\nemit: [my-emitter.js]\n",
      "error[invalid-config-value]: `emit.0` must be the name of a target or package, or a path such as `./my-emitter.js` | --> ridl.config.yaml:2:8",
    ],
    [
      "a string instead of a list",
      "schema: a.ridl\n",
      'error[invalid-config-value]: `schema` must be a list | --> ridl.config.yaml:1:9 | = help: write `["a.ridl"]`',
    ],
    [
      "an empty list",
      "schema: []\n",
      "error[invalid-config-value]: `schema` must be a list with at least one entry | --> ridl.config.yaml:1:9",
    ],
    [
      "a number instead of a path",
      "schema: [a.ridl]\nout: 5\n",
      "error[invalid-config-value]: `out` must be a string | --> ridl.config.yaml:2:6",
    ],
    [
      "backslashes",
      "schema: ['a\\b.ridl']\n",
      "error[invalid-config-value]: `schema.0` must be a path on this computer, with `/` between its parts | --> ridl.config.yaml:1:10",
    ],
    [
      "a path on another computer",
      "schema: [//host/share/a.ridl]\n",
      "error[invalid-config-value]: `schema.0` must be a path on this computer, with `/` between its parts | --> ridl.config.yaml:1:10",
    ],
    [
      "an unknown lint rule, with a suggestion",
      "schema: [a.ridl]\nlint:\n  rules:\n    unbound-list: error\n",
      "error[unknown-config-key]: there is no rule `unbound-list` | --> ridl.config.yaml:4:5 | = help: did you mean `unbounded-list`?",
    ],
    [
      "an unknown lint rule without a suggestion",
      "schema: [a.ridl]\nlint: { rules: { __proto__: off } }\n",
      "error[unknown-config-key]: there is no rule `__proto__` | --> ridl.config.yaml:2:18 | = help: docs/lint.md describes the rules",
    ],
    [
      "an unknown severity",
      "schema: [a.ridl]\nlint: { rules: { unbounded-list: warn } }\n",
      "error[invalid-config-value]: `lint.rules.unbounded-list` must be one of `error`, `warning`, `info`, `off` | --> ridl.config.yaml:2:34",
    ],
    [
      "a Go package without a module",
      "schema: [a.ridl]\nemit: [{ go: { package: internal/shop } }]\n",
      "error[missing-config-key]: `emit.0.go` has no `module` | --> ridl.config.yaml:2:14",
    ],
    [
      "a Go runtime without a package",
      "schema: [a.ridl]\nemit: [{ go: { module: example.com/a, runtime: example.com/a/ridl } }]\n",
      "error[missing-config-key]: `emit.0.go` has no `package` | --> ridl.config.yaml:2:14",
    ],
    [
      "an unknown category",
      "schema: [a.ridl]\nlint: { categories: [security, standards] }\n",
      "error[invalid-config-value]: `lint.categories.1` must be one of `minimal`, `security`, `standard`, `comments`, `guesses` | --> ridl.config.yaml:2:32 | = help: did you mean `standard`?",
    ],
    [
      "an unknown key in `lint`",
      "schema: [a.ridl]\nlint: { rule: {} }\n",
      "error[unknown-config-key]: there is no setting `lint.rule` | --> ridl.config.yaml:2:9 | = help: did you mean `rules`?",
    ],
    [
      "an unquoted pattern, which YAML reads as an alias",
      "schema:\n  - *.ridl\n",
      'error[config-syntax]: `*.ridl` is a YAML reference to an undefined name | --> ridl.config.yaml:2:5 | = help: put a pattern in quotes: `"*.ridl"`',
    ],
    [
      "options that contain themselves",
      "schema: [a.ridl]\nemit: [{ ./a.js: &a { b: [*a] } }]\n",
      "error[config-syntax]: `*a` refers to a value that contains it | --> ridl.config.yaml:2:27",
    ],
    [
      "a setting of a target that has none",
      "schema: [a.ridl]\nemit: [mock: true]\n",
      "error[unknown-config-key]: there is no setting `emit.0.mock` | --> ridl.config.yaml:2:8 | = help: the targets with a setting are `docs`, `go`, `http-file`, `kotlin`, `mcp`, `openapi`, `python`, `query`, `rust`",
    ],
    [
      "an entry with two targets",
      "schema: [a.ridl]\nemit: [{ query: vue, mcp: all }]\n",
      "error[invalid-config-value]: `emit.0` must have a single key, a target | --> ridl.config.yaml:2:8",
    ],
    [
      "a target that is listed twice",
      "schema: [a.ridl]\nemit: [openapi, openapi: { merge: true }]\n",
      "error[invalid-config-value]: `emit` lists `openapi` twice | --> ridl.config.yaml:2:17 | = help: remove one of them",
    ],
    [
      "a configuration without `schema`",
      "out: x\n",
      "error[missing-config-key]: the configuration has no `schema` | --> ridl.config.yaml:1:1 | = help: for example, add `schema: [schema/*.ridl]`",
    ],
    [
      "a version without quotes",
      "schema: [a.ridl]\nemit:\n  - openapi:\n      version: 3.0\n",
      'error[invalid-config-value]: `emit.0.openapi.version` must be one of `3.0`, `3.1`, `3.2` | --> ridl.config.yaml:4:16 | = help: write it in quotes: `"3.0"`',
    ],
    [
      "a license as in OpenAPI",
      "schema: [a.ridl]\nemit:\n  - openapi:\n      license: { name: MIT }\n",
      "error[invalid-config-value]: `emit.0.openapi.license` must be a string | --> ridl.config.yaml:4:16 | = help: write `license: MIT`",
    ],
    [
      "an empty file",
      "",
      "error[invalid-config-value]: the configuration must be a mapping of settings | --> ridl.config.yaml:1:1",
    ],
    [
      "a key of Object.prototype",
      "schema: [a.ridl]\n__proto__: 1\n",
      `error[unknown-config-key]: there is no setting \`__proto__\` | --> ridl.config.yaml:2:1 | = help: the settings are ${settings}`,
    ],
  ])("reports the location of %s", (_, text, ...expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  test("reports the location of a syntax error in YAML", () => {
    const found = complaints("schema: [a.ridl\nout: x\n");
    expect(found[0]).toMatch(
      /^error\[config-syntax\]: the configuration is not valid YAML: .* \| --> ridl\.config\.yaml:2:1/u,
    );
  });

  test("reports a duplicate key", () => {
    expect(complaints("schema: [a.ridl]\nschema: [b.ridl]\n")[0]).toMatch(
      /^error\[config-syntax\].*unique/iu,
    );
  });

  test("reports all faults at once", () => {
    const found = complaints("foo: 1\nschema: []\nout: []\n");
    expect(found.map((text) => /yaml:\d/u.exec(text)?.[0])).toEqual([
      "yaml:1",
      "yaml:2",
      "yaml:3",
    ]);
  });

  test("rejects a list that contains itself", () => {
    const text = "schema: &a [*a]\n";
    expect(readConfig({ path: "c.yaml", text }).value).toBeNull();
  });
});

test("reports where a configuration in another folder is invalid", async () => {
  const sandbox = createSandbox({ "sub/ridl.config.yaml": "schema: 3\n" });
  for (const command of ["generate", "check", "fmt"]) {
    const args = [command, "--config", "sub/ridl.config.yaml"];
    const { stderr } = await sandbox.run(args);
    expect(stderr).toContain("--> sub/ridl.config.yaml:1:9");
  }
});
