import { expect } from "vitest";
import { readBlocks, type Block } from "../readme/program.js";
import type { Trial } from "./session.js";

/** The parts of a session that are needed to follow a page. */
export type PageTrial = Pick<
  Trial,
  "attempt" | "printedByServers" | "read" | "start" | "write"
>;

/**
 * Follows a page block by block, as a reader would: writes and changes files,
 * runs commands, starts servers, and compares the output with the page.
 *
 * - `sh` runs commands, which must succeed.
 * - `sh fails` runs commands, the last of which must fail.
 * - `sh start` starts a server, which replaces an earlier one at its port.
 * - `text` compares the output of the last commands. `…` matches any part.
 * - `text server` compares the output of the server.
 * - `diff <path>` changes a file.
 * - `<language> <path>` writes a file.
 *
 * Input: the page, the folder, and which blocks to follow.
 */
export async function followPage(
  page: string,
  trial: PageTrial,
  isFollowed: (block: Block) => boolean = () => true,
): Promise<void> {
  let printed = "";
  for (const block of readBlocks(page).filter(isFollowed)) {
    printed = await follow(block, trial, printed);
  }
}

/**
 * Follows one block. Returns the output of its commands, or `printed` if it has
 * none.
 */
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
 * Matches text literally except for `…`, which stands for any part of a line.
 * Alone on a line, it stands for any number of lines.
 */
function toPattern(text: string): RegExp {
  const pattern = text
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&")
    .replaceAll(/^…$/gmu, "[^]*")
    .replaceAll("…", ".*");
  return new RegExp(`^\\s*${pattern}\\s*$`, "u");
}

/** Applies a diff. Its old lines must occur exactly once. */
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
