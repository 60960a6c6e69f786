import { expect, test } from "vitest";
import { parsePathTemplate } from "../../generator/ir/path-template.js";
import {
  type AddressPattern,
  matchesAll,
  sharedRequests,
  type SharedTexts,
  takesPrecedence,
} from "../../generator/http/match-addresses.js";
import { createRoutes } from "../../runtime/typescript/server/model/route.js";

const around = ["", "a", "b", "ab", "aba"];
const segments = [
  ...["a", "b", "ab", "aba", "abab"],
  ...around.flatMap((prefix) =>
    around.map((suffix) => `${prefix}{id}${suffix}`),
  ),
];

/** All texts of `a` and `b` with at most eight characters. */
const texts = Array.from({ length: 8 }, (_, length) =>
  Array.from({ length: 2 ** (length + 1) }, (_, bits) =>
    (bits + 2 ** (length + 1))
      .toString(2)
      .slice(1)
      .replaceAll("0", "a")
      .replaceAll("1", "b"),
  ),
).flat();

const address = (path: string): AddressPattern => ({
  verb: "GET",
  template: parsePathTemplate(path),
});

/** Returns the texts for which a server calls the method at a path. */
function received(path: string, among: readonly string[]): readonly string[] {
  const find = createRoutes(among, (each) => ({ verb: "GET", path: each }));
  return texts.filter(
    (text) => find(`/${text}`, "GET")?.endpoint.byVerb.get("GET") === path,
  );
}

function fits(value: string, { around, single }: SharedTexts): boolean {
  if (single.includes(value)) return true;
  if (around === null) return false;
  const { end, gap, start } = around;
  return (
    value.length >= start.length + gap + end.length &&
    value.startsWith(start) &&
    value.endsWith(end)
  );
}

const paths = segments.map((segment) => `/${segment}`);
const shapes = paths.map((path) => ({ path, all: received(path, [path]) }));

test.each(shapes)("$path matches what a server matches", ({ path, all }) => {
  const { segments: own } = parsePathTemplate(path);
  const [segment] = own;
  for (const other of shapes) {
    const both = all.filter((text) => other.all.includes(text));
    const shared = sharedRequests(address(path), address(other.path));
    expect([other.path, shared !== null]).toEqual([
      other.path,
      both.length > 0,
    ]);
    expect([
      other.path,
      matchesAll(address(other.path), address(path)),
    ]).toEqual([other.path, all.every((text) => other.all.includes(text))]);
    const [restricted] = shared ?? [];
    if (segment?.kind === "parameter" && restricted !== undefined) {
      const valueIn = (text: string): string =>
        text.slice(segment.prefix.length, text.length - segment.suffix.length);
      const found = all.filter((text) => fits(valueIn(text), restricted));
      expect([other.path, found]).toEqual([other.path, both]);
    }
    if (other.path === path || both.length === 0) continue;
    const isFirst = takesPrecedence(address(path), address(other.path));
    const winners = received(path, [path, other.path]);
    expect([other.path, winners.length === all.length]).toEqual([
      other.path,
      isFirst,
    ]);
  }
});

test("addresses with other verbs or other numbers of segments share nothing", () => {
  const own = address("/a/{id}");
  expect(sharedRequests(own, { ...own, verb: "PUT" })).toBeNull();
  expect(sharedRequests(own, address("/a/{id}/b"))).toBeNull();
  expect(sharedRequests(own, address("/{x}/b"))).toEqual([
    { name: "id", single: ["b"], around: null },
  ]);
});

test("the text around one parameter can overlap the text around another", () => {
  const shared = sharedRequests(address("/aba{id}a"), address("/{id}aba"));
  expect(shared).toEqual([
    { name: "id", single: ["b"], around: { start: "", end: "ab", gap: 0 } },
  ]);
});
