import { describe, expect, test } from "vitest";
import {
  contains,
  pathFrom,
  resolvePath,
  toAbsolutePath,
} from "../../cli/system/paths.js";
import { createSandbox, type Sandbox } from "./support/sandbox.js";
import { simulatesWindows } from "./support/windows.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0

import "../shared/common.ridl"

service Shop
  - Get() => (id: Id)
`;

const files = {
  "project/ridl.config.yaml":
    "schema: ['../schema/*.ridl']\nimportFolders: [../shared]\n",
  "schema/shop.ridl": shop,
  "shared/common.ridl": "webrpc = v1\n\ntype Id: string\n",
};

const isWindows = simulatesWindows || process.platform === "win32";

async function runIn(sandbox: Sandbox, ...args: string[]) {
  return sandbox.run(args, { folder: "project" });
}

describe.skipIf(!isWindows)("on Windows", () => {
  test("finds documents and imports outside the project", async () => {
    const sandbox = createSandbox(files);
    expect(await runIn(sandbox, "check")).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(await runIn(sandbox, "generate")).toMatchObject({ exitCode: 0 });
    expect(sandbox.has("project/generated/types.ts")).toBe(true);
    const again = await runIn(sandbox, "generate");
    expect(again.stdout).toBe("nothing changed\n");
  });

  test("refuses imports from folders that are not allowed", async () => {
    const sandbox = createSandbox({
      ...files,
      "project/ridl.config.yaml": "schema: ['../schema/*.ridl']\n",
    });
    const { exitCode, stderr } = await runIn(sandbox, "check");
    expect(stderr).toContain("outside the project");
    expect(exitCode).toBe(1);
  });

  test("accepts backslashes in arguments", async () => {
    const sandbox = createSandbox({
      ...files,
      "schema/shop.ridl": shop.replace("\n  - Get", "\n- Get"),
    });
    const formatted = await runIn(sandbox, "fmt", "..\\schema");
    expect(formatted.stdout).toContain("formatted ../schema/shop.ridl");
    const made = await runIn(sandbox, "generate", "--out", "..\\made");
    expect(made.exitCode).toBe(0);
    expect(sandbox.has("made/types.ts")).toBe(true);
    const other = await sandbox.run([
      "generate",
      "--config",
      "project\\ridl.config.yaml",
      "--out",
      "other\\out",
    ]);
    expect(other.exitCode).toBe(0);
    expect(sandbox.has("other/out/types.ts")).toBe(true);
  });

  test("prints paths with forward slashes", async () => {
    const sandbox = createSandbox(files);
    sandbox.write({ "shared/common.ridl": "webrpc = v1\ntype Id: Nope\n" });
    const { stderr } = await runIn(sandbox, "check");
    expect(stderr).toContain("--> ../shared/common.ridl:2:10");
  });

  test("keeps the drive of paths on another drive", () => {
    const root = toAbsolutePath("C:\\work\\api");
    expect(resolvePath(root, "..\\a.ridl")).toBe("C:/work/a.ridl");
    expect(resolvePath(root, "D:\\a.ridl")).toBe("D:/a.ridl");
    expect(pathFrom(root, toAbsolutePath("D:\\x\\a.ridl"))).toBe("D:/x/a.ridl");
    expect(contains(root, toAbsolutePath("c:/Work/API/a.ridl"))).toBe(true);
    expect(contains(root, toAbsolutePath("D:/work/api/a.ridl"))).toBe(false);
    expect(contains(root, toAbsolutePath("C:/work/api-2"))).toBe(false);
  });
});
