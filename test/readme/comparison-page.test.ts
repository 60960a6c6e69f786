import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The tools' names in the client benchmark, by their names in the README.
 */
const compared = {
  ridlkit: "ridlkit",
  "tRPC 11": "tRPC",
  "oRPC 1": "oRPC",
  "Hono RPC": "Hono hc",
  "hey-api": "hey-api sdk",
  Connect: "connect-web",
};

/** The names of the tools whose bundles are on the page. */
const measured = [...Object.values(compared), "openapi-fetch"];

/** The tools' names in the benchmark of the type checker. */
const checked = {
  ridlkit: "ridlkit, client",
  "tRPC 11": "tRPC 11",
  "oRPC 1": "oRPC 1",
  "Hono RPC": "Hono 4",
  "hey-api": "hey-api",
  Connect: "Connect",
};

const [{ bars }]: readonly [
  { readonly bars: readonly { name: string; value: number }[] },
] = JSON.parse(readFileSync("bench/results/client.headline.json", "utf8"));

function bytesOf(name: string): number {
  const bar = bars.find((each) => each.name === name);
  return bar?.value ?? expect.unreachable(`${name} was not measured`);
}

/** Returns the text below a heading, up to the next one. */
function textBelow(page: string, heading: string): string {
  const [, below = ""] = readFileSync(page, "utf8").split(`\n## ${heading}\n`);
  const [text = ""] = below.split("\n## ");
  return text;
}

/** Returns the rows of tables as cells without emphasis. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.replaceAll("*", "").split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The CPU time and memory of a type check, by tool with its version. */
const checks = new Map(
  rowsOf(
    textBelow("bench/results/typecheck.md", "1000 methods, TypeScript 7"),
  ).map(([name = "", cpu = "", , memory = ""]) => [name, { cpu, memory }]),
);

/** Returns the cells of the README's table in the row that begins with a text. */
function comparedBy(start: string): Readonly<Record<string, string>> {
  const rows = rowsOf(textBelow("README.md", "How it compares"));
  const [tools = []] = rows;
  const row = rows.find(([first]) => first?.startsWith(start)) ?? [];
  return Object.fromEntries(tools.map((tool, at) => [tool, row[at] ?? ""]));
}

test("README.md compares bundles by their measured sizes", () => {
  const sizes = comparedBy("client bundle");
  for (const [tool, name] of Object.entries(compared)) {
    const size = `${(bytesOf(name) / 1000).toFixed(1)} kB`;
    expect([tool, sizes[tool]]).toEqual([tool, size]);
  }
});

test("README.md compares type checks by their measured times", () => {
  const times = comparedBy("type check");
  for (const [tool, start] of Object.entries(checked)) {
    const [, check] =
      [...checks].find(([name]) => name.startsWith(start)) ?? [];
    expect([tool, times[tool]]).toEqual([tool, check?.cpu]);
  }
});

test("docs/comparison.md has the measured sizes", () => {
  const page = textBelow("docs/comparison.md", "Client bundle");
  const [, , ...rows] = rowsOf(page);
  const expected = measured.map((name) => [name, String(bytesOf(name))]);
  expect([...rows].sort()).toEqual(expected.sort());
});

test("docs/comparison.md has the measured type checks", () => {
  const page = textBelow("docs/comparison.md", "Type checking");
  const [, , ...rows] = rowsOf(page);
  expect(rows.length).toBeGreaterThan(6);
  for (const [name = "", cpu, memory] of rows) {
    expect([name, { cpu, memory }]).toEqual([name, checks.get(name)]);
  }
});

test("docs/comparison.md states the versions that the benchmarks install", () => {
  const { dependencies } = JSON.parse(
    readFileSync("bench/package.json", "utf8"),
  );
  const text = readFileSync("docs/comparison.md", "utf8");
  const packages = {
    tRPC: "@trpc/server",
    "openapi-typescript": "openapi-typescript",
    "openapi-fetch": "openapi-fetch",
    "@hey-api/openapi-ts": "@hey-api/openapi-ts",
    orval: "orval",
    "Connect-ES": "@connectrpc/connect",
    oRPC: "@orpc/server",
    Hono: "hono",
    capnweb: "capnweb",
    buf: "@bufbuild/buf",
  };
  for (const [name, dependency] of Object.entries(packages)) {
    const [major, minor] = String(dependencies[dependency]).split(".");
    expect(text).toContain(`${name} ${major}.${minor}`);
  }
});

test("docs/comparison.md tells the outcomes of hostile requests", () => {
  const [tools = [], , ...outcomes] = rowsOf(
    readFileSync("bench/results/hostile.md", "utf8"),
  );
  const [names = [], , ...told] = rowsOf(
    textBelow("docs/comparison.md", "Hostile requests"),
  );
  const isHarmless = /^(?:\d+, )?(?:refused|ignored|kept|hidden|404|not sent)/u;
  const flat = outcomes
    .slice(0, told.length + 1)
    // The page has one row for deep nesting.
    .filter(([name = ""]) => !name.includes("undeclared field"));
  expect(told.length).toBe(10 - 1);
  for (const [column, name] of names.entries()) {
    if (column === 0) continue;
    const own = tools.indexOf(name);
    expect([name, own]).not.toEqual([name, -1]);
    const claims = told.map((row) => isHarmless.test(row[column] ?? ""));
    const facts = flat.map((row) => isHarmless.test(row[own] ?? ""));
    expect([name, claims]).toEqual([name, facts]);
  }
});
