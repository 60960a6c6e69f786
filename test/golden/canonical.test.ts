import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { drawSome } from "../support/draw-some.js";
import {
  emitCase,
  goldenCases,
  inJavaScript,
  readTree,
  type GoldenCase,
} from "../support/golden-cases.js";
import { withChecks } from "../support/with-checks.js";

const generated = fileURLToPath(new URL("../../generated", import.meta.url));

type File = readonly [path: string, text: string];

/**
 * Returns whether a path is that of a code file. The explorer's files are
 * excluded, because they are the same in every project.
 */
function isCode(path: string): boolean {
  return /\.[jt]s$/u.test(path) && !path.startsWith("explorer/");
}

/** Returns what a case emits, without the copied runtime. */
function emitCode(golden: GoldenCase): readonly File[] {
  return emitCase(golden)
    .filter(({ path }) => isCode(path) && !path.startsWith("runtime/"))
    .map(({ path, text }) => [`${golden.name}/${path}`, text]);
}

/** Returns every generated code file of the repository, with its text. */
function generatedFiles(): readonly File[] {
  return [
    ...[...readTree(generated)].filter(([path]) => isCode(path)),
    ...goldenCases().flatMap(emitCode),
  ];
}

/** Returns the JavaScript and declarations of cases with unusual names. */
function unusualJavaScript(): readonly File[] {
  return goldenCases()
    .filter(({ name }) => /hostile|names/u.test(name))
    .flatMap((golden) => emitCode(inJavaScript(golden)));
}

/** Removes comments, strings, and patterns. */
function codeOf(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/(?:[^/\\\n]|\\.)+\/u/gu,
    "",
  );
}

describe("generated code", () => {
  const files = [...generatedFiles(), ...unusualJavaScript()];

  it("is formatted as Prettier would format it", async () => {
    const changed: string[] = [];
    // Variants of a case share many files with it.
    const byText = new Map(files.map(([path, text]) => [text, path]));
    const all = [...byText];
    // `npm run golden:update` checks all, because it may have changed any.
    const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
    for (const [text, path] of isUpdate ? all : drawSome(all, 16)) {
      if ((await format(text, { filepath: path })) !== text) changed.push(path);
    }
    expect(files.length).toBeGreaterThan(20);
    expect(changed).toEqual([]);
  });

  it("contains neither `any` nor suppressed errors", () => {
    const loose = files.filter(([, text]) => /\bany\b/u.test(codeOf(text)));
    // The second line of a file may keep compilers of projects from checking it.
    const suppressing = files.filter(([, text]) =>
      /^\s*\/?[/*]+\s*(?:@ts-|eslint-disable|prettier-ignore)/mu.test(
        withChecks(text),
      ),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
    expect(suppressing.map(([path]) => path)).toEqual([]);
  });
});
