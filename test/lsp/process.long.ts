import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hostileText } from "../support/hostile-contract.js";
import { startEditor, startProcess, type ServerProcess } from "./editor.js";

const files = {
  "ridl.config.yaml": "schema: [a.ridl]\n",
  "a.ridl": "webrpc = v1\n\nstruct A\n  - a: B\n",
};

/** Starts `ridl lsp`. Returns its client and its process. */
async function startBuilt(processId = process.pid) {
  const started: ServerProcess[] = [];
  const start = (folder: string): ServerProcess => {
    const run = startProcess(folder);
    started.push(run);
    return run;
  };
  const editor = await startEditor(files, start, { processId });
  await editor.open("a.ridl");
  expect(await editor.diagnosticsOf("a.ridl")).toHaveLength(1);
  const errors = (): string => started.map((run) => run.errors()).join("");
  return { editor, errors };
}

describe("the process of ridl lsp", () => {
  test("ends when its client ends, even if its input stays open", async () => {
    const client = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    const { editor, errors } = await startBuilt(client.pid);
    client.stdin.end();
    expect(await editor.done).toBe(1);
    expect(errors()).toBe("");
  });

  test("ends without a message if its output is closed", async () => {
    const { editor, errors } = await startBuilt();
    editor.output.destroy();
    await editor.change("a.ridl", [{ text: "struct" }]).catch(() => {});
    expect(await editor.done).toBe(1);
    expect(errors()).toBe("");
  });

  test.each([
    ["hostile words", `webrpc = v1\nstruct A\n  - a: ${hostileText}\n`],
    ["deep types", `struct A\n  - a: ${"map<string,".repeat(50_000)}`],
    ["an endless line", `webrpc = v1 ${"x".repeat(5_000_000)}`],
    ["many lines", "#\n".repeat(500_000)],
    ["names of prototypes", "struct __proto__\n  - constructor: __proto__\n"],
    ["half a character", "struct A # \ud800\n  - a: \udc00B\n"],
  ])("survives %s", async (_, text) => {
    const { editor, errors } = await startBuilt();
    await editor.change("a.ridl", [{ text }]);
    expect(await editor.diagnosticsOf("a.ridl")).not.toEqual([]);
    expect(editor.logged).toEqual([]);
    expect(await editor.end()).toBe(0);
    expect(errors()).toBe("");
  });
});
