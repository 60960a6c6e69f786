import { expect } from "vitest";
import { readBlocks, type Block } from "../readme/program.js";
import type { Trial } from "./session.js";

/** What of a trial a page is followed with. */
export type PageTrial = Pick<
  Trial,
  "attempt" | "printedByServers" | "read" | "start" | "write"
>;

/**
 * Does what a page says, block by block, as a reader would: writes files, changes
 * them, runs commands, starts servers, and compares what they print.
 *
 * | block | does |
 * |---|---|
 * | `sh` | runs commands, which have to succeed |
 * | `sh fails` | runs commands, of which the last one has to fail |
 * | `sh start` | starts a server, in place of an earlier one at its port |
 * | `text` | is what the last commands printed; `…` stands for some of it |
 * | `text server` | is what the server has printed |
 * | `diff <path>` | changes a file |
 * | `<language> <path>` | is a file |
 */
export async function followPage(
  page: string,
  trial: PageTrial,
): Promise<void> {
  let printed = "";
  for (const block of readBlocks(page)) {
    printed = await follow(block, trial, printed);
  }
}

/** Output: what the last commands printed, which is `printed` without any. */
async function follow(
  { language, path, text }: Block,
  trial: PageTrial,
  printed: string,
): Promise<string> {
  if (language === "sh" && path === "start") {
    await trial.start(text);
  } else if (language === "sh" && (path === "" || path === "fails")) {
    const { status, output } = await trial.attempt(text);
    const outcome = status === 0 ? "" : "fails";
    expect(outcome, `${text}${output}`).toBe(path);
    return output;
  } else if (language === "text" && path === "server") {
    await expect.poll(trial.printedByServers).toMatch(toPattern(text));
  } else if (language === "text") {
    expect(printed).toMatch(toPattern(text));
  } else {
    expect(path, `${language} without a file:\n${text}`).not.toBe("");
    const isChange = language === "diff";
    trial.write({ [path]: isChange ? changed(trial.read(path), text) : text });
  }
  return printed;
}

/**
 * Matches a text as it stands, but for `…`, which is any part of a line, or any
 * lines where it stands alone.
 */
function toPattern(text: string): RegExp {
  const pattern = text
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&")
    .replaceAll(/^…$/gmu, "[^]*")
    .replaceAll("…", ".*");
  return new RegExp(`^\\s*${pattern}\\s*$`, "u");
}

/** Applies a difference, of which the old lines have to be there once. */
function changed(file: string, difference: string): string {
  const lines = difference.trimEnd().split("\n");
  const without = (mark: string): string =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => line.slice(1))
      .join("\n");
  const [before, after, ...others] = file.split(without("+"));
  expect(after !== undefined && others.length === 0, difference).toBe(true);
  return `${before}${without("-")}${after}`;
}
