import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileSources } from "../../apps/playground/worker/compile-sources.js";
import { LanguageService } from "../../tools/editor/service/language-service.js";

const folder = "apps/playground/examples";

test.each(readdirSync(folder))("the example %s has no findings", (name) => {
  const texts = new Map(
    readdirSync(join(folder, name)).map((path) => [
      path,
      readFileSync(join(folder, name, path), "utf8"),
    ]),
  );
  const service = new LanguageService({ reader: { read: () => null } });
  for (const [path, text] of texts) service.setDocument(path, text);
  const found = service.diagnoseAll();
  expect(found.map(({ path }) => path).sort()).toEqual(
    [...texts.keys()].sort(),
  );
  expect(found.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(compileSources(texts)?.hosts).toHaveLength(1);
});
