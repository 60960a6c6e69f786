import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMigrateProject } from "./migrate-project.js";

const api = `import createClient from "openapi-fetch";
import type { paths } from "./schema.js";
export const client = createClient<paths>({ baseUrl: "/v2" });
`;
const main = `import { client } from "./api.js";
await client.GET("/orders");
`;
const files = { "src/api.ts": api, "src/main.ts": main };
const args = ["migrate", "openapi-fetch", "src"];

test("rejects an unknown client, a missing folder and a missing project", async () => {
  const project = await createMigrateProject(files);
  const client = await project.run(["migrate", "openapi-fetc", "src"]);
  expect(client).toMatchObject({ exitCode: 2, stdout: "" });
  expect(client.stderr).toContain("did you mean `openapi-fetch`?");
  const folder = await project.run(["migrate", "openapi-fetch", "source"]);
  expect(folder).toMatchObject({ exitCode: 2, stdout: "" });
  expect(folder.stderr).toContain("there is no folder `source`");
  const config = await project.run([...args, "--tsconfig", "other.json"]);
  expect(config).toMatchObject({ exitCode: 2, stdout: "" });
  expect(config.stderr).toContain("there is no `other.json`");
});

test("rejects a project without the old client or a compiler", async () => {
  const project = await createMigrateProject(files);
  project.remove("node_modules/openapi-fetch");
  const client = await project.run(args);
  expect(client).toMatchObject({ exitCode: 2, stdout: "" });
  expect(client.stderr).toContain("`openapi-fetch` is not installed");
  const compiler = await project.run(args, {
    patch: () => ({ loadPackage: () => null }),
  });
  expect(compiler).toMatchObject({ exitCode: 2, stdout: "" });
  expect(compiler.stderr).toContain("`ridl migrate` needs TypeScript");
});

test("rejects a project without the code that hey-api generates", async () => {
  const project = await createMigrateProject({ "src/main.ts": "export {};\n" });
  const result = await project.run(["migrate", "hey-api", "src"]);
  expect(result).toMatchObject({ exitCode: 2, stdout: "" });
  expect(result.stderr).toContain("no code that hey-api generated");
});

test("writes nothing if a file has a syntax error", async () => {
  const broken = `${main}const = 1;\n`;
  const project = await createMigrateProject({
    ...files,
    "src/main.ts": broken,
  });
  const result = await project.run([...args, "--format", "json"]);
  expect(result).toMatchObject({ exitCode: 1, stderr: "" });
  expect(result.stdout).toContain('"invalid-source-file"');
  expect(project.read("src/main.ts")).toBe(broken);
  expect(project.read("src/api.ts")).toBe(api);
});

test("does not change files outside the folder, not even through links", async () => {
  const outside = main.replace("./api.js", "../src/api.js");
  const project = await createMigrateProject({
    ...files,
    "other/outside.ts": outside,
  });
  symlinkSync(
    join(project.root, "other/outside.ts"),
    join(project.root, "src/link.ts"),
  );
  const result = await project.run(args);
  expect(result.exitCode).toBe(0);
  expect(project.read("other/outside.ts")).toBe(outside);
});

test("does not replace a file of the project", async () => {
  const own = "export const outcome = 1;\n";
  const project = await createMigrateProject({
    ...files,
    "src/outcome.ts": own,
  });
  const result = await project.run(args);
  expect(result).toMatchObject({ exitCode: 2, stdout: "" });
  expect(result.stderr).toContain("`src/outcome.ts` already exists");
  expect(project.read("src/outcome.ts")).toBe(own);
  expect(project.read("src/main.ts")).toBe(main);
});

test("keeps line breaks and a byte order mark", async () => {
  const windows = `\uFEFF${main.replaceAll("\n", "\r\n")}`;
  const project = await createMigrateProject({
    ...files,
    "src/main.ts": windows,
  });
  expect(await project.run(args)).toMatchObject({ exitCode: 0 });
  const after = project.read("src/main.ts");
  expect(after).toMatch(/^\uFEFFimport/u);
  expect(after).not.toMatch(/[^\r]\n/u);
  expect(after).toContain("client.orders.listOrders.result()");
});
