import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter.js";
import { readRuntime } from "../support/golden-cases.js";
import { copyRuntime } from "../../generator/4-emit/runtime-copy/runtime-copy.js";

const folder = new URL("../../runtime/", import.meta.url);
const runtimeSources: ReadonlyMap<string, string> = new Map(
  readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
);

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
    'import { createClient } from "../runtime/client.js";',
    "import {",
    "  one,",
    '} from "../runtime/errors.js";',
    'export * from "./types.js";',
  ].join("\n"),
};

/** Relative specifiers of a TypeScript file, however they are imported. */
function specifiersOf(text: string): readonly string[] {
  return [...text.matchAll(/from\s+"(\.[^"]*)"/gu)].map(
    (match) => match[1] ?? "",
  );
}

test("a client gets what it reaches, and nothing of the server", () => {
  const paths = copyFor([client]).map(({ path }) => path);
  expect(paths).toContain("runtime/client.ts");
  expect(paths).toContain("runtime/errors.ts");
  expect(paths).not.toContain("runtime/server.ts");
  expect(paths).not.toContain("runtime/validation.ts");
  expect(paths).toEqual([...new Set(paths)].sort());
});

test("every import of a copy is answered by another copy", () => {
  const server = {
    path: "server.ts",
    text: 'import { createServer } from "./runtime/server.js";',
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

test("what is asked for is copied, and what it reaches", () => {
  const asked = { ...options, runtimeFiles: ["express", "client"] };
  const paths = copyFor([client], asked).map(({ path }) => path);
  expect(paths).toContain("runtime/express.ts");
  expect(paths).toContain("runtime/node.ts");
  expect(paths).not.toContain("runtime/fastify.ts");
  expect(paths).toEqual([...new Set(paths)].sort());
  expect(paths).toEqual(
    expect.arrayContaining(copyFor([client]).map(({ path }) => path)),
  );
});

test("in JavaScript it is copied as compiled, with its declarations", async () => {
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
      expect(paths).toContain(target.replace(/\.js$/u, ".d.ts"));
    }
    const { path: filepath, text } = file;
    expect(text).toBe(await format(text, { filepath }));
  }
});

test("only what the runtime has can be asked for", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../config.schema.json", import.meta.url), "utf8"),
  ) as {
    properties: { runtimeFiles: { items: { enum: readonly string[] } } };
  };
  const names = schema.properties.runtimeFiles.items.enum;
  expect(names.filter((name) => !runtimeSources.has(`${name}.ts`))).toEqual([]);
  // What the pages name and generated code does not import.
  const pages = ["client", "server", "explorer"].map((name) =>
    readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8"),
  );
  const imports = /from "ridlkit\/runtime\/([a-z-]+)"/gu;
  const told = [...pages.join("").matchAll(imports)].map((match) => match[1]);
  const reached = ["client", "errors", "server"];
  const wanted = told.filter((name) => !reached.includes(name ?? ""));
  expect([...names].sort()).toEqual([...new Set(wanted)].sort());
});

test("no runtime, no files; text in comments and strings is no import", () => {
  const hostile = {
    path: "types.ts",
    text: '/** from "./runtime/server.js"; */\nexport const x = \'import "./runtime/server.js";\';',
  };
  expect(copyFor([hostile])).toEqual([]);
});

describe.each([".js", ".ts", ""] as const)("ending %j", (importExtension) => {
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

  test("all of the runtime can be copied", () => {
    expect(files).toHaveLength(runtimeSources.size);
  });

  test.each(files)("$path says what it is and ends as told", async (file) => {
    const { path, text } = file;
    expect(text.split("\n")[0]).toBe(
      "// Generated by ridlkit: a copy of its runtime. Do not edit.",
    );
    for (const specifier of specifiersOf(text)) {
      expect(specifier).toMatch(/^\.\.?\/(?:[a-z]+\/)?[a-z0-9-]+(\.[jt]s)?$/u);
      expect(specifier.endsWith(importExtension)).toBe(true);
      if (importExtension === "") expect(specifier).not.toMatch(/\.[jt]s$/u);
    }
    // The others have lines as long as the sources, which are formatted.
    if (importExtension !== "") return;
    expect(text).toBe(await format(text, { filepath: path }));
  });
});
