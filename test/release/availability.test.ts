import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { availability } from "../../cli/system/availability.js";
import {
  actionPage,
  makeAvailable,
  pages,
} from "../../scripts/release/availability.js";
import { createSandbox } from "../cli/support/sandbox.js";

const source = "cli/system/availability.ts";
const note = `> ${availability}\n\n`;

test("pages that install ridlkit say how to get it", () => {
  const texts = pages.map((page) => readFileSync(page, "utf8"));
  const isPublished = availability === "";
  const noted = texts.filter((text) => text.includes(note));
  expect(noted.length).toBe(isPublished ? 0 : texts.length);
});

test("a release removes how to get it", () => {
  const paths = [source, ...pages, actionPage];
  const url = "git+https://github.com/acme/ridlkit.git";
  const sandbox = createSandbox({
    ...Object.fromEntries(
      paths.map((path) => [path, readFileSync(path, "utf8")]),
    ),
    "package.json": JSON.stringify({ repository: { url } }),
  });
  makeAvailable(sandbox.root);
  expect(sandbox.read(source)).toContain('availability: string = "";\n');
  expect(sandbox.read(actionPage)).toContain("- uses: acme/ridlkit@v0\n");
  for (const page of [...pages, actionPage]) {
    expect(sandbox.read(page)).not.toMatch(
      /not on npm|no users yet|first release is next/u,
    );
  }
  expect(sandbox.read("docs/quick-start.md")).toBe(
    readFileSync("docs/quick-start.md", "utf8").replace(
      availability && note,
      "",
    ),
  );
});
