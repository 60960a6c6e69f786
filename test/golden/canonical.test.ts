import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { goldenCases, readTree } from "../support/golden-cases.js";

const generated = fileURLToPath(new URL("../../generated", import.meta.url));

/** Every generated TypeScript file in the repository, with its text. */
function generatedFiles(): readonly (readonly [string, string])[] {
  const folders = [generated, ...goldenCases().map(({ expected }) => expected)];
  return folders.flatMap((folder) =>
    [...readTree(folder)]
      .filter(([path]) => path.endsWith(".ts"))
      .map(([path, text]) => [join(folder, path), text] as const),
  );
}

/** What is neither comment nor text nor pattern. */
function codeOf(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/(?:[^/\\\n]|\\.)+\/u/gu,
    "",
  );
}

describe("generated TypeScript", () => {
  const files = generatedFiles();

  it("is as Prettier prints it", async () => {
    const changed: string[] = [];
    for (const [path, text] of files) {
      if ((await format(text, { filepath: path })) !== text) changed.push(path);
    }
    expect(files.length).toBeGreaterThan(20);
    expect(changed).toEqual([]);
  });

  it("has neither `any` nor suppressed errors", () => {
    const loose = files.filter(([, text]) => /\bany\b/u.test(codeOf(text)));
    const suppressing = files.filter(([, text]) =>
      /^\s*\/?[/*]+\s*(?:@ts-|eslint-disable|prettier-ignore)/mu.test(text),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
    expect(suppressing.map(([path]) => path)).toEqual([]);
  });
});
