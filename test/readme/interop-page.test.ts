import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Generator {
  readonly name: string;
  readonly tool?: string;
  readonly version: string;
  readonly language: string;
}

/** Returns the name, version and language of each generator on a page, sorted. */
function generatorsOn(page: string): readonly string[] {
  const rows = readFileSync(page, "utf8").matchAll(
    /^\| ([\w-]+)[^|]* \| (\d[\d.]+) \| ([^|]+) \|/gmu,
  );
  return [...rows].map((cells) => cells.slice(1, 4).join(", ")).sort();
}

test.each(["test/interop/tools/README.md", "docs/openapi.md"])(
  "%s lists the generators that the interoperability tests use",
  async (page) => {
    const path = "../interop/tools/generators.js";
    const { clients }: { clients: readonly Generator[] } = await import(path);
    const expected = clients
      .map(({ language, name, tool = name, version }) =>
        [tool, version, language].join(", "),
      )
      .sort();
    expect(generatorsOn(page)).toEqual(expected);
  },
);
