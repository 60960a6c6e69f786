import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { targetNames } from "../../generator/4-emit/registry.js";
import { drawSome } from "../support/draw-some.js";
import { createSandbox } from "./support/sandbox.js";

/** The platform's contract, which has several hosts and needs codecs. */
const schema = Object.fromEntries(
  readdirSync("schema")
    .filter((name) => name.endsWith(".ridl"))
    .map((name) => [`schema/${name}`, readFileSync(`schema/${name}`, "utf8")]),
);

describe.each([
  ["several hosts", "schema", 0],
  ["one host", "schema/api.ridl", 1],
])("a single target for %s", (_, documents, first) => {
  test.each(drawSome(targetNames, 2, first))(
    "includes everything that it imports: %s",
    async (name) => {
      const config = `schema: [${documents}]\nemit: [${name}]\nint64: bigint\nruntime: copy\n`;
      const sandbox = createSandbox({ ...schema, "ridl.config.yaml": config });
      expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
      const files = sandbox.snapshot("generated");
      const paths = Object.keys(files);
      expect(paths.length).toBeGreaterThan(1);
      const missing = Object.entries(files).flatMap(([path, text]) =>
        [...text.matchAll(/from "(\..+?)\.js"/gu)]
          .map(([, target = ""]) =>
            posix.join(posix.dirname(path), `${target}.ts`),
          )
          .filter((target) => !paths.includes(target))
          .map((target) => `${path} imports ${target}`),
      );
      expect(missing).toEqual([]);
      expect(Object.values(files).join("\n")).not.toContain('"ridlkit/');
    },
  );
});

test("Go packages of two contracts are in the same module", async () => {
  const packages = ["shop", "orders"];
  const files = packages.flatMap((name) => [
    [
      `${name}.yaml`,
      `schema: [${name}.ridl]
out: ./internal/${name}/
emit: [{ go: { module: example.com/acme, package: internal/${name} } }]
`,
    ],
    [`${name}.ridl`, `webrpc = v1\nname = ${name}\nversion = v1.0.0\n`],
  ]);
  const sandbox = createSandbox(Object.fromEntries(files));
  for (const name of [...packages, ...packages]) {
    const result = await sandbox.run(["generate", "--config", `${name}.yaml`]);
    expect(result).toMatchObject({ exitCode: 0 });
  }
  for (const name of packages) {
    const client = sandbox.read(`internal/${name}/client.go`);
    expect(client).toContain(`"example.com/acme/internal/${name}/ridl"`);
    expect(sandbox.has(`internal/${name}/ridl/call.go`)).toBe(true);
  }
});
