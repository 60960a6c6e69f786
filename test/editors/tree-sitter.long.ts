import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { topLevelWords } from "../../generator/1-parse/expect.js";
import { describeAll, parse, ridlIn, traceless } from "./documents.js";
import { readTree, type Marked } from "./read-tree.js";

const grammar = "apps/editors/tree-sitter-ridl";
const work = join(import.meta.dirname, ".work");

type Capture = readonly [
  name: string,
  kind: string,
  isNamed: boolean,
  start: number,
  end: number,
  rank: number,
];

interface Found {
  readonly hasError: boolean;
  readonly captures: readonly Capture[];
}

const run = (command: string, args: readonly string[], input = "") =>
  spawnSync(command, args, {
    encoding: "utf8",
    input,
    maxBuffer: 200_000_000,
  });

/**
 * Compiles the grammar and installs tree-sitter for Python. Returns what is
 * missing, or null.
 */
function prepare(): string | null {
  const source = [`-I${grammar}/src`, `${grammar}/src/parser.c`];
  if (!existsSync(work) && run("python3", ["-m", "venv", work]).status !== 0)
    return "Python cannot create virtual environments.";
  const options = ["-shared", "-fPIC", "-Wall", "-Werror", "-o"];
  const compiled = run("cc", [...options, `${work}/ridl.so`, ...source]);
  if (compiled.error) return "No C compiler is installed.";
  expect(compiled.status, compiled.stderr).toBe(0);
  const pip = ["-m", "pip", "install", "--quiet", "tree-sitter==0.25.2"];
  return run(`${work}/bin/python`, pip).status === 0
    ? null
    : "The Python package registry is not reachable.";
}

const missing = prepare();
if (missing !== null) {
  console.log(`NOT RUN: the tree-sitter grammar. ${missing}`);
}

function highlight(texts: readonly string[], query: string): readonly Found[] {
  const args = ["test/editors/read-captures.py", `${work}/ridl.so`, query];
  const input = JSON.stringify(texts);
  const { status, stderr, stdout } = run(`${work}/bin/python`, args, input);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Returns a function that turns an offset in bytes into one in characters. */
function toPosition(text: string): (offset: number) => number {
  const bytes = Buffer.from(text);
  return (offset) => bytes.subarray(0, offset).toString().length;
}

/** Returns the captures that correspond to parts of the parser's tree. */
function readCaptures(text: string, { captures }: Found): Marked[] {
  const at = toPosition(text);
  return captures.flatMap(([name, kind, isNamed, start, end]) => {
    const what = kindOf(name, kind, isNamed);
    return what === null ? [] : [{ what, start: at(start), end: at(end) }];
  });
}

/** Removes types inside values and strings, into which the grammar does not look. */
function withoutValues(
  marked: readonly Marked[],
  text: string,
  { captures }: Found,
): Marked[] {
  const at = toPosition(text);
  const values = captures
    .filter(([, kind]) => kind === "value" || kind === "string")
    .map(([, , , start, end]) => ({ start: at(start), end: at(end) }));
  return marked.filter(
    ({ what, start, end }) =>
      what === "string" ||
      !values.some((each) => each.start <= start && end <= each.end),
  );
}

function kindOf(name: string, kind: string, isNamed: boolean): string | null {
  if (name === "comment") return "comment";
  if (name === "string" && kind === "string") return "string";
  if (name === "type.builtin" && kind === "core_type") return "core type";
  if (name === "type" && kind === "type" && isNamed) return "type";
  const isKeyword = name === "keyword" && topLevelWords.includes(kind);
  return isKeyword ? "keyword" : null;
}

const paths = ridlIn(
  "schema",
  "platform",
  "examples",
  "apps/playground",
  "test",
);

test.skipIf(missing !== null)(
  "the tree-sitter grammar agrees with the parser on all documents",
  () => {
    const parsed = paths.filter((path) => path !== traceless).map(parse);
    const texts = parsed.map(({ document }) => document.source.text);
    const found = highlight(texts, `${grammar}/queries/highlights.scm`);
    const broken = { all: 0, missed: 0 };
    let whole = 0;
    parsed.forEach(({ document, isClean }, index) => {
      const { path, text } = document.source;
      const own = found[index] ?? { hasError: true, captures: [] };
      const tree = readTree(document);
      const read = describeAll(text, withoutValues(tree, text, own));
      const seen = describeAll(text, readCaptures(text, own));
      if (isClean) {
        whole += 1;
        expect(own.hasError, path).toBe(false);
        expect(seen, path).toEqual(read);
      } else {
        broken.all += read.length;
        broken.missed += read.filter((each) => !seen.includes(each)).length;
      }
    });
    expect(whole).toBeGreaterThan(250);
    expect(broken.all).toBeGreaterThan(400);
    // After a mistake, tree-sitter may skip more than the parser does.
    expect(broken.missed / broken.all).toBeLessThan(0.05);
  },
);

test.skipIf(missing !== null).each([
  ["queries/highlights.scm", "tree-sitter.txt"],
  ["queries/helix/highlights.scm", "tree-sitter-helix.txt"],
])("%s colors each construct", async (query, snapshot) => {
  const text = readFileSync(join(import.meta.dirname, "scopes.ridl"), "utf8");
  const [found] = highlight([text], `${grammar}/${query}`);
  const bytes = Buffer.from(text);
  const captures = [...(found?.captures ?? [])];
  // Later patterns take precedence.
  captures.sort((a, b) => a[5] - b[5]);
  const last = new Map<number, string>();
  for (const [name, , , start, end] of captures) {
    const piece = bytes.subarray(start, end).toString();
    last.set(start, `${piece.padEnd(28)} ${name}`);
  }
  const lines = [...last].sort(([a], [b]) => a - b).map(([, line]) => line);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(snapshot);
});
