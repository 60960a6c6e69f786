import type { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { roomOf } from "./support/rooms.js";
import {
  compiler,
  readImports,
  readSourceFiles,
} from "./support/source-files.js";
import type { ImportingFile } from "./support/source-files.js";

const page = readSourceFiles("platform/console/page");
const explorer = readSourceFiles("apps/explorer");
const commandLine = ["generator", "tools", "cli"].flatMap(readSourceFiles);
const playground = readSourceFiles("apps/playground");
const runtime = readSourceFiles("runtime/typescript");
const platform = [
  ...readSourceFiles("platform"),
  ...readImports("platform/test"),
];

/**
 * The rooms that each room may import in addition to itself. A room is listed
 * after all those that it imports, so no arrow runs back up.
 */
const mayImport: readonly (readonly [room: string, ...others: string[]])[] = [
  // The compiler: text to contract to files.
  ["generator/source"],
  ["generator/ir"],
  ["generator/pattern"],
  ["generator/values", "ir", "pattern"],
  ["generator/http", "ir", "values"],
  ["generator/diagnostics", "source"],
  ["generator/1-parse", "source", "diagnostics"],
  ["generator/2-check", "source", "diagnostics", "1-parse", "ir"],
  ["generator/3-lower", "1-parse", "2-check", "ir"],
  [
    "generator/lint",
    ...["source", "diagnostics", "1-parse", "2-check", "ir", "pattern"],
    "values",
  ],
  [
    "generator/4-emit",
    ...["source", "diagnostics", "ir", "pattern", "values", "http"],
  ],
  [
    "generator/compile-documents.ts",
    ...["diagnostics", "1-parse", "2-check", "3-lower", "ir"],
  ],
  [
    "generator/compile.ts",
    ...["diagnostics", "1-parse", "compile-documents.ts", "lint", "ir"],
  ],
  // What stands on it.
  ["tools", "4-emit", "ir", "http"],
  [
    "tools/breaking",
    ...["source", "diagnostics", "1-parse", "2-check", "3-lower", "4-emit"],
    ...["ir", "lint", "pattern", "values", "http"],
  ],
  [
    "tools/editor",
    ...["source", "diagnostics", "1-parse", "2-check", "3-lower", "4-emit"],
    ...["ir", "lint", "tools/breaking"],
  ],
  [
    "tools/import",
    ...["source", "diagnostics", "1-parse", "2-check", "ir", "pattern"],
    "http",
    // Knows where documents mention names.
    "tools/editor",
  ],
  ["tools/implement", "source", "diagnostics", "4-emit"],
  ["tools/mcp", "diagnostics", "4-emit", "ir"],
  ["tools/mock", "diagnostics", "4-emit", "ir", "values", "http", "tools"],
  ["tools/test", "4-emit", "ir", "values", "http", "tools"],
  ["tools/conformance", "ir", "values", "http"],
  [
    "tools/call",
    ...["diagnostics", "4-emit", "ir", "values", "tools", "tools/test"],
  ],
  [
    "tools/migrate",
    ...["diagnostics", "4-emit", "ir", "http", "tools/implement"],
    // The names of the methods of a router.
    "tools/import",
  ],
  ["tools/package", "1-parse", "4-emit", "ir", "values", "tools/editor"],
  ["tools/schema-json", "1-parse", "2-check", "ir"],
  // Commands, the public API, disk and process.
  [
    "cli/index.ts",
    ...["source", "diagnostics", "1-parse", "4-emit", "ir", "lint", "values"],
    ...["compile.ts", "tools/breaking"],
  ],
  [
    "cli",
    ...["source", "diagnostics", "1-parse", "2-check", "3-lower", "4-emit"],
    ...["ir", "lint", "values", "http", "compile-documents.ts", "tools"],
    ...[
      "compile.ts",
      "tools/breaking",
      "tools/call",
      "tools/conformance",
      "tools/editor",
    ],
    ...[
      "tools/implement",
      "tools/import",
      "tools/mcp",
      "tools/migrate",
      "tools/mock",
    ],
    ...["tools/package", "tools/schema-json", "tools/test"],
  ],
];

/** The files that may import each package, as path prefixes. */
const packageUsers: Readonly<Record<string, readonly string[]>> = {
  "fast-check": ["tools/test/"],
  "handlebars/dist/cjs/handlebars/compiler/base.js": [
    "generator/4-emit/templates/parse-template.ts",
  ],
  "@jridgewell/sourcemap-codec": ["tools/editor/trace/declaration-map.ts"],
  commander: ["cli/main.ts", "cli/program.ts"],
  // These folders import only types from the package.
  "ts-morph": [
    "tools/import/trpc/types/",
    "tools/implement/",
    "tools/migrate/",
  ],
  // These files are not part of the command: it adds them to projects.
  "@ridlkit/runtime/client": ["tools/migrate/files/"],
  yaml: [
    "generator/1-parse/",
    "cli/config/",
    "tools/import/read/read-yaml-tree.ts",
  ],
  "@modelcontextprotocol/server": ["tools/mcp/"],
  "@modelcontextprotocol/server/stdio": ["tools/mcp/"],
  "vscode-languageserver-protocol": ["tools/editor/lsp/"],
  "vscode-languageserver-protocol/node": ["tools/editor/lsp/"],
  "vscode-languageserver-textdocument": ["tools/editor/lsp/"],
  "node:stream": ["cli/system/", "tools/editor/lsp/", "tools/mcp/"],
  "node:http": ["tools/conformance/"],
  "node:zlib": ["tools/conformance/server-cases/"],
  "node:child_process": ["cli/node/"],
  "node:fs": ["cli/node/"],
  "node:module": ["cli/node/"],
  "node:url": [
    "cli/node/",
    "cli/project/editor-projects.ts",
    "cli/project/load-router.ts",
    "cli/project/map-declarations.ts",
  ],
  "node:net": ["cli/node/"],
  "node:os": ["cli/node/"],
  // Other files use its `AbsolutePath`, which has forward slashes on Windows.
  "node:path": ["cli/node/", "cli/system/paths.ts"],
  "node:path/posix": ["cli/", "tools/import/read/document-files.ts"],
  "node:crypto": ["cli/"],
};

describe("rooms of the compiler, the tools and the command line", () => {
  const rooms = mayImport.map(([room, ...others]) => ({
    room,
    allowed: others.map((each) =>
      /^tools\b/u.test(each) ? each : `generator/${each}`,
    ),
  }));

  test.each(rooms)("$room imports exactly the listed rooms", (each) => {
    const found = commandLine
      .filter(({ path }) => roomOf(path) === each.room)
      .flatMap(({ imports }) => imports.flatMap(({ path }) => path ?? []))
      .map(roomOf)
      .filter((room) => room !== each.room);
    expect([...new Set(found)].sort()).toEqual([...each.allowed].sort());
  });

  test("are listed after those that they import", () => {
    const faults = rooms.flatMap(({ allowed }, position) => {
      const before = rooms.slice(0, position).map(({ room }) => room);
      return allowed.filter((each) => !before.includes(each));
    });
    expect(faults).toEqual([]);
  });

  test("all appear in the list", () => {
    const found = new Set(commandLine.map(({ path }) => roomOf(path)));
    expect([...found].sort()).toEqual(rooms.map(({ room }) => room).sort());
  });
});

test("only the allowed files import a package", () => {
  const faults = commandLine.flatMap(({ path, imports }) =>
    imports
      .filter((each) => each.path === null)
      .filter(({ specifier }) => {
        const users = packageUsers[specifier] ?? [];
        return !users.some((user) => path.startsWith(user));
      })
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(faults).toEqual([]);
});

/** Returns whether a module runs only on Node. */
function isForNode(path: string): boolean {
  return path.startsWith("runtime/typescript/hosts/node/");
}

test("the runtime imports only its own files", () => {
  const faults = runtime.flatMap(({ path, imports }) =>
    imports
      .filter(
        (each) =>
          !each.path?.startsWith("runtime/typescript/") &&
          !(isForNode(path) && each.specifier.startsWith("node:")),
      )
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(faults).toEqual([]);
});

test("the explorer imports only its own files, the types of its data, and what the runtime's clients use", () => {
  const faults = explorer.flatMap(({ path, imports }) =>
    imports
      .filter(
        (each) =>
          !each.path?.startsWith("apps/explorer/") &&
          !/^runtime\/typescript\/(?:client|wire)\//u.test(each.path ?? "") &&
          !(
            each.path === "generator/4-emit/docs/explorer-data.ts" &&
            each.isDeferred
          ),
      )
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(explorer.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

test("the playground imports only its own files, the compiler, the tools, the element helpers, the theme, and the packages of the editor", () => {
  const faults = playground.flatMap(({ path, imports }) =>
    imports
      .filter((each) =>
        each.path === null
          ? !/^(?:@codemirror\/|@lezer\/highlight$|micromark$)/u.test(
              each.specifier,
            )
          : !/^(?:apps\/playground\/|generator\/|tools\/|apps\/explorer\/views\/(?:element|theme)\.ts$)/u.test(
              each.path,
            ),
      )
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(playground.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

test("the explorer's code for calls does not import views", () => {
  const calls = explorer.filter(({ path }) =>
    path.startsWith("apps/explorer/calls/"),
  );
  const views = calls.flatMap(({ imports }) =>
    imports.filter((each) => each.path?.startsWith("apps/explorer/views/")),
  );
  expect(calls.length).toBeGreaterThan(10);
  expect(views).toEqual([]);
});

test("the page of the console imports only its own files, its client, and packages", () => {
  const client = /^platform\/console\/generated\/(?!server\.ts$)/u;
  const faults = page.flatMap(({ path, imports }) =>
    imports
      .filter((each) => each.path !== null)
      .filter((each) => !each.path?.startsWith("platform/console/page/"))
      .filter((each) => !client.test(each.path ?? ""))
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(page.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
});

test.each([
  ["the page of the console", page],
  ["explorer", explorer],
  ["compiler, tools and command line", commandLine],
  ["playground", playground],
  ["runtime", runtime],
  ["platform", platform],
])("%s has no import cycles", (_, files) => {
  expect(findCycle(files)).toBeNull();
});

test("findCycle finds cycles", () => {
  const file = (path: string, ...targets: string[]): ImportingFile => ({
    path,
    imports: targets.map((target) => ({ path: target })),
  });
  const circle = [file("a", "b"), file("b", "c"), file("c", "b")];
  expect(findCycle(circle)).toEqual(["b", "c", "b"]);
});

/**
 * Returns what these files load when they start: our own files by path, and
 * packages by name.
 */
function loadedBy(starts: readonly string[]): string[] {
  const files = new Map(commandLine.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const each of files.get(path)?.imports ?? []) {
      if (!each.isDeferred) visit(each.path ?? each.specifier);
    }
  };
  starts.forEach(visit);
  return [...loaded];
}

test.each([
  ["the program", "cli/main.ts", ["commander"]],
  ["a run that changes nothing", "cli/commands/generate.ts", []],
])(
  "%s loads no stages of the compiler, and only the expected packages",
  (_, start, packages) => {
    const names = loadedBy([start]);
    expect(names.filter((name) => /\/(1|2|3|4)-/u.test(name))).toEqual([]);
    const modules = names.filter(
      (name) => !/^(?:generator|tools|cli)\//u.test(name),
    );
    expect(modules.filter((name) => !name.startsWith("node:"))).toEqual(
      packages,
    );
  },
);

test("a generator run loads at most 255 of our files", () => {
  const files = loadedBy([
    "cli/main.ts",
    "cli/node/node-system.ts",
    "cli/commands/generate.ts",
    "cli/config/read-config.ts",
    "cli/project/pipeline.ts",
  ]).filter((name) => /^(?:generator|tools|cli)\//u.test(name));
  expect(files).toContain("generator/lint/rules/patterns.ts");
  // Disabled rules and project emitters are loaded on demand.
  const off = /\/lint\/rules\/(?:index|names|values)|\/4-emit\/custom\//u;
  expect(files.filter((name) => off.test(name))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(255);
});

test("a run loads the OpenAPI, JSON Schema, Markdown, and MCP targets only on demand", () => {
  const eager = commandLine
    .filter(
      ({ path }) =>
        !/^(?:generator\/4-emit\/(?:docs|json-schema|markdown|openapi|typescript\/(?:mcp|schemas-with-json))|tools\/package|cli\/report\/breaking-markdown)/u.test(
          path,
        ),
    )
    .filter(({ path }) => path !== "cli/index.ts")
    .flatMap(({ path, imports }) =>
      imports
        .filter((each) =>
          /\/4-emit\/(?:json-schema|markdown|openapi|typescript\/mcp)\//u.test(
            each.path ?? "",
          ),
        )
        .filter((each) => !each.isDeferred)
        .map((each) => `${path} imports ${each.path}`),
    );
  expect(eager).toEqual([]);
});

test("only the sampler chooses values from patterns and text rules", () => {
  const others = commandLine.filter(
    ({ path }) => !/^generator\/(?:ir|pattern|values)\//u.test(path),
  );
  const isRule = /^(?:draw|faults|samples)$/u;
  const readsRule = (node: ts.Node): boolean =>
    compiler.isPropertyAccessExpression(node)
      ? isRule.test(node.name.text)
      : compiler.isBindingElement(node) && isRule.test(node.name.getText());
  const users = others.filter(({ imports, nodes }) => {
    const importsAny = (file: RegExp): boolean =>
      imports.some(({ path }) => file.test(path ?? ""));
    return (
      importsAny(/\/pattern\/matching-strings/u) ||
      (importsAny(/\/ir\/(?:scalars|text-rule)/u) && nodes.some(readsRule))
    );
  });
  expect(users.map(({ path }) => path)).toEqual([
    // Describes the form of a text.
    "generator/lint/rules/examples.ts",
    // Looks for a text that only one of two contracts accepts.
    "tools/breaking/diff/facts/sets.ts",
    // Draws random values for `ridl test`.
    "tools/test/draw-scalar.ts",
  ]);
});

/**
 * Returns a list of files in which each file imports the next one and the last
 * file is also the first. Returns null if there is no cycle.
 */
function findCycle(files: readonly ImportingFile[]): readonly string[] | null {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap((each) => each.path ?? []),
    ]),
  );
  const finished = new Set<string>();
  const visit = (
    path: string,
    trail: readonly string[],
  ): readonly string[] | null => {
    if (trail.includes(path))
      return [...trail.slice(trail.indexOf(path)), path];
    if (finished.has(path)) return null;
    for (const target of targets.get(path) ?? []) {
      const circle = visit(target, [...trail, path]);
      if (circle) return circle;
    }
    finished.add(path);
    return null;
  };
  for (const { path } of files) {
    const circle = visit(path, []);
    if (circle) return circle;
  }
  return null;
}
