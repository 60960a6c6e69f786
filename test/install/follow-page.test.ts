import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { followPage, type PageTrial } from "./follow-page.js";

/**
 * Follows a page whose commands print themselves. The command `exit 1` fails.
 */
async function follow(
  ...blocks: readonly (readonly [string, string])[]
): Promise<Readonly<Record<string, string>>> {
  const { root } = createSandbox();
  const page = join(root, "page.md");
  const fences = blocks.map(
    ([info, text]) => `\`\`\`${info}\n${text}\n\`\`\`\n`,
  );
  writeFileSync(page, fences.join("\n"));
  const files: Record<string, string> = {};
  let started = "";
  const trial: PageTrial = {
    attempt: (output) =>
      Promise.resolve({ status: output.startsWith("exit 1") ? 1 : 0, output }),
    printedByServers: () => started,
    read: (path) => files[path] ?? "",
    start: async (commands) => void (started = commands),
    write: (written) => void Object.assign(files, written),
  };
  await followPage(page, trial);
  return files;
}

test("writes and changes files", async () => {
  const files = await follow(
    ["ts a.ts", "one\ntwo\nthree"],
    ["diff a.ts", " one\n-two\n+2"],
  );
  expect(files).toEqual({ "a.ts": "one\n2\nthree\n" });
});

test("compares the output of commands and servers", async () => {
  await follow(
    ["sh", "printed: (12 ms)"],
    ["text", "printed: (… ms)"],
    ["sh", "one\ntwo\nthree\nfour"],
    ["text", "one\n…\nfour"],
    ["sh fails", "exit 1"],
    ["text", "exit 1"],
    ["sh start", "listens"],
    ["text server", "listens"],
  );
});

test.for([
  [
    "different output",
    [
      ["sh", "one"],
      ["text", "two"],
    ],
  ],
  [
    "more output",
    [
      ["sh", "one\ntwo"],
      ["text", "one"],
    ],
  ],
  [
    "an ellipsis within a line",
    [
      ["sh", "a\nb"],
      ["text", "a…b"],
    ],
  ],
  ["a command that fails", [["sh", "exit 1"]]],
  ["a command that does not fail", [["sh fails", "exit 0"]]],
  ["a block without a file", [["ts", "one"]]],
  [
    "a change that does not apply",
    [
      ["ts a.ts", "one"],
      ["diff a.ts", "-two"],
    ],
  ],
  [
    "a change that matches two places",
    [
      ["ts a.ts", "x\nx"],
      ["diff a.ts", "-x"],
    ],
  ],
] as const)("rejects %s", async ([, blocks]) => {
  await expect(follow(...blocks)).rejects.toThrow(/./u);
});
