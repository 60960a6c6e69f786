import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The tools' names in the client benchmark, by their names in the README.
 */
const measured = {
  ridlkit: "ridlkit",
  "tRPC 11": "tRPC",
  "openapi-fetch": "openapi-fetch",
  "hey-api": "hey-api sdk",
  Connect: "connect-web",
};

const [{ bars }]: readonly [
  { readonly bars: readonly { name: string; value: number }[] },
] = JSON.parse(readFileSync("bench/results/client.headline.json", "utf8"));

function bytesOf(name: string): number {
  const bar = bars.find((each) => each.name === name);
  return bar?.value ?? expect.unreachable(`${name} was not measured`);
}

/** Returns the table rows of a page as cells without emphasis. */
function rowsOf(page: string): readonly (readonly string[])[] {
  return readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.replaceAll("*", "").split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

test("README.md compares bundles by their measured sizes", () => {
  const rows = rowsOf("README.md");
  const [tools = []] = rows;
  const sizes = rows.find(([first]) => first?.startsWith("client bundle"));
  for (const [tool, name] of Object.entries(measured)) {
    const size = `${(bytesOf(name) / 1000).toFixed(1)} kB`;
    expect([tool, sizes?.[tools.indexOf(tool)]]).toEqual([tool, size]);
  }
});

test("docs/comparison.md has the measured sizes", () => {
  const [, , ...rows] = rowsOf("docs/comparison.md");
  const expected = Object.values(measured).map((name) => [
    name,
    String(bytesOf(name)),
  ]);
  expect([...rows].sort()).toEqual(expected.sort());
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
    buf: "@bufbuild/buf",
  };
  for (const [name, dependency] of Object.entries(packages)) {
    const [major, minor] = String(dependencies[dependency]).split(".");
    expect(text).toContain(`${name} ${major}.${minor}`);
  }
});
