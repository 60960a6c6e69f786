import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { drawSome } from "../support/draw-some.js";
import { readRuntime } from "../support/golden-cases.js";
import { copyRuntime } from "../../generator/4-emit/copy-runtime.js";
import { runtimeEntries } from "../support/runtime-entries.js";
import { runtimePath } from "../../generator/4-emit/typescript/names/runtime-entries.js";

const runtimeSources = readRuntime();

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "copy",
  importExtension: ".js",
};

function copyFor(
  emitted: readonly OutputFile[],
  chosen: EmitOptions = options,
): readonly OutputFile[] {
  return copyRuntime(emitted, chosen, { runtimeSources });
}

const client: OutputFile = {
  path: "shop/client.ts",
  text: [
    'import { createClient } from "../runtime/client/client.js";',
    "import {",
    "  one,",
    '} from "../runtime/wire/errors.js";',
    'export * from "./types.js";',
  ].join("\n"),
};

/**
 * Returns the relative specifiers in a TypeScript file, for any form of import.
 */
function specifiersOf(text: string): readonly string[] {
  return [...text.matchAll(/from\s+"(\.[^"]*)"/gu)].map(
    (match) => match[1] ?? "",
  );
}

test("a client gets only the files that it imports, and none of the server's", () => {
  const paths = copyFor([client]).map(({ path }) => path);
  expect(paths).toContain("runtime/client/client.ts");
  expect(paths).toContain("runtime/wire/errors.ts");
  expect(paths).not.toContain("runtime/server/server.ts");
  expect(paths).not.toContain("runtime/values/validation.ts");
  expect(paths).toEqual([...new Set(paths)].sort());
});

test("every import in a copy refers to another copied file", () => {
  const server = {
    path: "server.ts",
    text: 'import { createServer } from "./runtime/server/server.js";',
  };
  const files = copyFor([client, server]);
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, text } of files) {
    for (const specifier of specifiersOf(text)) {
      const target = posix.join(posix.dirname(path), specifier);
      expect(paths).toContain(target.replace(/\.js$/u, ".ts"));
    }
  }
});

test("requested files are copied with their imports", () => {
  const asked = { ...options, runtimeFiles: ["express", "client"] };
  const paths = copyFor([client], asked).map(({ path }) => path);
  expect(paths).toContain("runtime/hosts/express.ts");
  expect(paths).toContain("runtime/hosts/node/node.ts");
  expect(paths).not.toContain("runtime/hosts/fastify.ts");
  expect(paths).toEqual([...new Set(paths)].sort());
  expect(paths).toEqual(
    expect.arrayContaining(copyFor([client]).map(({ path }) => path)),
  );
});

test("the JavaScript copy is compiled and has the declarations that users need", async () => {
  const compiled = readRuntime("javascript");
  const text = [...compiled.keys()]
    .filter((name) => name.endsWith(".js"))
    .map((name) => `import "./runtime/${name}";`)
    .join("\n");
  const chosen = { ...options, language: "javascript" } as const;
  const all = copyRuntime([{ path: "all.js", text }], chosen, {
    runtimeSources: compiled,
  });
  expect(all.map(({ path }) => path).sort()).toEqual(
    [...compiled.keys()].map((name) => `runtime/${name}`).sort(),
  );
  const paths = new Set(all.map(({ path }) => path));
  for (const file of all) {
    for (const specifier of specifiersOf(file.text)) {
      const target = posix.join(posix.dirname(file.path), specifier);
      expect(paths).toContain(target);
      if (!file.path.endsWith(".d.ts")) continue;
      expect(paths).toContain(target.replace(/\.js$/u, ".d.ts"));
    }
  }
  for (const entry of Object.keys(runtimeEntries)) {
    const name = runtimePath(entry.slice("@ridlkit/runtime/".length));
    expect(paths).toContain(`runtime/${name}.d.ts`);
  }
  expect(paths).not.toContain("runtime/client/settle.d.ts");
  for (const { path: filepath, text } of drawSome(all, 16)) {
    expect(text).toBe(await format(text, { filepath }));
  }
});

test("finds every entry of the runtime's package and no others", () => {
  const found = Object.keys(runtimeEntries).map((specifier) => [
    specifier,
    `${runtimePath(specifier.slice("@ridlkit/runtime/".length))}.ts`,
  ]);
  for (const [specifier = "", path = ""] of found) {
    expect(
      runtimeEntries[specifier]?.endsWith(`/runtime/typescript/${path}`),
    ).toBe(true);
    expect(runtimeSources.has(path)).toBe(true);
  }
  expect(found.length).toBeGreaterThan(25);
  expect(() => runtimePath("call")).toThrow("no entry call");
});

test("only existing entries can be requested", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../config.schema.json", import.meta.url), "utf8"),
  ) as {
    properties: { runtimeFiles: { items: { enum: readonly string[] } } };
  };
  const names = schema.properties.runtimeFiles.items.enum;
  const known = names.map((name) => `${runtimePath(name)}.ts`);
  expect(known.filter((path) => !runtimeSources.has(path))).toEqual([]);
  // Pages mention these entries, but generated code does not import them.
  const documents = ["client", "server", "explorer", "idempotency", "streams"];
  const pages = documents.map((name) =>
    readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8"),
  );
  const imports = /from "@ridlkit\/runtime\/([a-z-]+)"/gu;
  const told = [...pages.join("").matchAll(imports)].map((match) => match[1]);
  const reached = ["client", "errors", "pages", "server"];
  const wanted = told.filter((name) => !reached.includes(name ?? ""));
  expect([...names].sort()).toEqual([...new Set(wanted)].sort());
});

test("without a runtime, no files are copied, and text in comments and strings does not count as an import", () => {
  const hostile = {
    path: "types.ts",
    text: '/** from "./runtime/server/server.js"; */\nexport const x = \'import "./runtime/server/server.js";\';',
  };
  expect(copyFor([hostile])).toEqual([]);
});

describe.each([".js", ".ts", ""] as const)(
  "extension %j",
  (importExtension) => {
    const emitted = [
      {
        path: "all.ts",
        text: [...runtimeSources.keys()]
          .map((name) => name.replace(/\.ts$/u, importExtension))
          .map((name) => `import "./runtime/${name}";`)
          .join("\n"),
      },
    ];
    const files = copyFor(emitted, { ...options, importExtension });

    test("the whole runtime can be copied", () => {
      expect(files).toHaveLength(runtimeSources.size);
    });

    test.each(files)("$path has its header and extensions", ({ text }) => {
      expect(text.split("\n")[0]).toBe(
        "// Generated by ridlkit: a copy of its runtime. Do not edit.",
      );
      for (const specifier of specifiersOf(text)) {
        expect(specifier).toMatch(
          /^\.\.?\/(?:\.\.\/)*(?:[a-z]+\/){0,2}[a-z0-9-]+(\.[jt]s)?$/u,
        );
        expect(specifier.endsWith(importExtension)).toBe(true);
        if (importExtension === "") expect(specifier).not.toMatch(/\.[jt]s$/u);
      }
    });

    // With `.js` or `.ts`, the lines are as long as those of the sources, which
    // are formatted.
    if (importExtension !== "") return;
    test.each(drawSome(files, 16))("$path is formatted", async (file) => {
      const { path: filepath, text } = file;
      expect(text).toBe(await format(text, { filepath }));
    });
  },
);
