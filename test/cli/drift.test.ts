import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

describe("ridl generate --check", () => {
  const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";

  test("accepts a document that was only formatted after the run", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
      "shop.ridl": `${head}service   Shop\n  - Ping() =>   ()\n`,
    });
    await sandbox.run(["generate"]);
    await sandbox.run(["fmt"]);
    expect(await sandbox.run(["generate", "--check"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  });

  test("accepts a name that was only put in quotes after the run", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: ['*.ridl']\nemit: [types]\n",
      "shop.ridl": `${head}service Shop\n  - Ping()\n`,
      "bank.ridl": `${head.replace("shop", "bank")}service Bank\n  - Pong()\n`,
    });
    await sandbox.run(["generate"]);
    const text = sandbox.read("shop.ridl").replace("= shop", '= "shop"');
    sandbox.write({ "shop.ridl": text });
    expect(await sandbox.run(["generate", "--check"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  });

  test("agrees with `ridl generate` about Windows line breaks of an emitter", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [shop.ridl]\nemit: [./emitter.mjs]\n",
      "emitter.mjs":
        'export const emit = () => [{ path: "a.txt", text: "one\\r\\ntwo\\r\\n" }];\n',
      "shop.ridl": `${head}service Shop\n  - Ping()\n`,
    });
    await sandbox.run(["generate"]);
    sandbox.write({ "generated/a.txt": "one\ntwo\n" });
    expect(await sandbox.run(["generate", "--check"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    sandbox.write({ "generated/a.txt": "one\r\n2\r\n" });
    const { exitCode, stderr } = await sandbox.run(["generate", "--check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("generated/a.txt:2:1");
  });

  test("reports a manifest that differs in more than document hashes", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
      "shop.ridl": `${head}service Shop\n  - Ping()\n`,
    });
    await sandbox.run(["generate"]);
    const path = "generated/.ridl-manifest.json";
    const manifest = sandbox.read(path);
    sandbox.write({
      [path]: manifest.replace('"version": "', '"version": "9'),
    });
    const { exitCode, stderr } = await sandbox.run(["generate", "--check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `error[drift]: \`${path}\` does not match the documents`,
    );
  });
});
