import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/**
 * Returns the violations that axe finds in a loaded page, or in the elements
 * that a selector matches, one per line.
 */
export async function findViolations(
  page: Page,
  selector = "html",
): Promise<readonly string[]> {
  // The page's policy allows no other scripts, but the debugger can inject one.
  await page.evaluate(axe);
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(${JSON.stringify(selector)})`,
  );
  return violations.map(
    ({ id, impact, nodes }) =>
      `${impact}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
}
