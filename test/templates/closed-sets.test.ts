import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parseTemplate } from "../../generator/4-emit/templates/parse-template.js";
import type {
  Expression,
  TemplatePart,
} from "../../generator/4-emit/templates/template.js";
import { scalars } from "../../generator/ir/scalars.js";

/** Sets of languages. Each core type has a place in each of them. */
const sets = ["templates/go", "templates/kotlin", "templates/python"];

/** The values that a condition accepts, or null if it asks for something else. */
function acceptedBy(condition: Expression): readonly string[] | null {
  if (condition.kind !== "call" || condition.helper !== "is") return null;
  const [path, ...values] = condition.arguments;
  return path?.kind === "path" && path.names.at(-1) === "scalar"
    ? values.map((each) => (each.kind === "literal" ? String(each.value) : ""))
    : null;
}

/**
 * Follows a chain of conditions about a core type. Returns what it has no branch
 * for: a name, or `else` for a last branch that takes whatever is left.
 */
function missingFrom(
  part: TemplatePart,
  left: readonly string[],
): readonly string[] {
  if (part.kind !== "condition") return ["else"];
  const accepted = acceptedBy(part.condition);
  if (accepted === null) return ["else"];
  const rest = left.filter((name) => !accepted.includes(name));
  const [next, ...others] = part.otherwise;
  if (next === undefined || rest.length === 0) return rest;
  return others.length > 0 ? ["else"] : missingFrom(next, rest);
}

/** The chains of two or more conditions about a core type. */
function chainsIn(
  parts: readonly TemplatePart[],
  isContinued = false,
): readonly TemplatePart[] {
  return parts.flatMap((part) => {
    if (part.kind === "each")
      return [...chainsIn(part.body), ...chainsIn(part.otherwise)];
    if (part.kind !== "condition") return [];
    const isOurs = acceptedBy(part.condition) !== null;
    const goesOn = part.otherwise.some(
      (each) =>
        each.kind === "condition" && acceptedBy(each.condition) !== null,
    );
    return [
      ...(isOurs && goesOn && !isContinued ? [part] : []),
      ...chainsIn(part.body),
      ...chainsIn(part.otherwise, isOurs),
    ];
  });
}

function faultsIn(path: string, text: string): readonly string[] {
  const { value } = parseTemplate(path, { path, text });
  return chainsIn(value.body).flatMap((chain) =>
    missingFrom(chain, Object.keys(scalars)).map((name) => `${path}: ${name}`),
  );
}

test.each(sets)("%s has a branch for each core type", (folder) => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".hbs"))
    .map((path) => `${folder}/${path}`);
  const texts = paths.map(
    (path) => [path, readFileSync(path, "utf8")] as const,
  );
  const faults = texts.flatMap(([path, text]) => faultsIn(path, text));
  expect(faults).toEqual([]);
  const asking = texts.filter(([, text]) => text.includes("(is scalar"));
  expect(asking.length).toBeGreaterThan(0);
});

test("finds core types without a branch, and branches for whatever is left", () => {
  const names = Object.keys(scalars);
  const rest = names.slice(2).map((name) => JSON.stringify(name));
  const start = `{{#if (is scalar "${names[0] ?? ""}")}}a{{else if (is scalar `;
  expect(faultsIn("a", `${start}${rest.join(" ")})}}b{{/if}}`)).toEqual([
    `a: ${names[1] ?? ""}`,
  ]);
  expect(faultsIn("a", `${start}"int8")}}b{{else}}c{{/if}}`)).toEqual([
    "a: else",
  ]);
});
