import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const latin1 = Buffer.from("# caf\u00E9\n", "latin1");

test("`fmt -` refuses standard input that is not UTF-8", async () => {
  const sandbox = createSandbox();
  const result = await sandbox.run(["fmt", "-"], { input: latin1 });
  expect(result).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining(
      "error[file-access]: cannot read `standard input`: it is not UTF-8 text",
    ),
  });
});

test("`fmt -` keeps what UTF-8 can express", async () => {
  const text = "# caf\u00E9 \uFFFD\n";
  const input = new TextEncoder().encode(text);
  const result = await createSandbox().run(["fmt", "-"], { input });
  expect(result).toEqual({ exitCode: 0, stdout: text, stderr: "" });
});

test.each([
  ["-", "`standard input`"],
  ["@request.json", "`request.json`"],
  ["name=@request.json", "`request.json`"],
])("`call` refuses a request that is not UTF-8: %s", async (word, name) => {
  const sandbox = createSandbox({
    "shop.ridl":
      "webrpc = v1\nname = shop\nversion = v1\n\nservice Shop\n  - Find(name: string)\n",
  });
  writeFileSync(join(sandbox.root, "request.json"), latin1);
  const words = ["Shop/Find", word, "--schema", "shop.ridl"];
  const address = ["--url", "http://localhost:1"];
  const { exitCode, stderr } = await sandbox.run(
    ["call", ...words, ...address],
    { input: latin1 },
  );
  expect(stderr).toContain(`cannot read ${name}: it is not UTF-8 text`);
  expect(exitCode).toBe(1);
});
