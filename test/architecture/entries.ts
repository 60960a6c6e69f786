import { describe, expect, test } from "vitest";
import { readSourceFiles } from "./support/source-files.js";
import { roomOf } from "./support/rooms.js";

/**
 * The files and folders of each room that other rooms may import. There are no
 * files that only export these again: importing one would load all of a room,
 * and a run loads what it needs.
 */
const entries: Readonly<Record<string, readonly string[]>> = {
  // Vocabulary: each file is for other rooms.
  "generator/source": [""],
  "generator/diagnostics": [""],
  "generator/ir": [""],
  "generator/values": [""],
  "generator/http": [""],
  "generator/pattern": [
    ...["compare-text-sets.ts", "matching-strings.ts", "parse-pattern.ts"],
    ...["pattern.ts", "time/analyze-pattern.ts", "to-re2.ts"],
  ],
  "generator/1-parse": [
    ...["load/", "ast.ts", "print.ts"],
    // How documents are written, for those who read or write a part of one.
    ...["expect.ts", "foreign-words.ts", "literals.ts", "print-lines.ts"],
    ...["start-of.ts", "type-expression.ts", "values.ts"],
    // JSON and YAML documents.
    ...["form-path.ts", "form/form-node.ts", "form/read-yaml.ts"],
  ],
  "generator/2-check": [
    ...["index.ts", "order-documents.ts", "notation/", "program/", "report/"],
    // The editor applies rules to the parts of a program that changed.
    "rules/index.ts",
  ],
  "generator/3-lower": ["index.ts", "docs.ts"],
  "generator/lint": [
    ...["index.ts", "lint-options.ts", "facts/suppressions.ts"],
    ...["rules/index.ts", "rules/usage.ts"],
  ],
  "generator/4-emit": [
    ...["emit.ts", "registry.ts", "select-targets.ts", "copy-runtime.ts"],
    ...["emitter/", "names/", "custom/", "view/"],
    // What a page of the explorer shows.
    ...["docs/docs.ts", "docs/docs-options.ts", "docs/explorer-data.ts"],
    // Template sets, and what templates can contain.
    ...["templates/edited-set.ts", "templates/markdown-text.ts"],
    ...["templates/own-sets.ts", "templates/template-helpers.ts"],
    ...["templates/template-set.ts", "templates/type-rules.ts"],
    "templates/view-types.ts",
    // Names and types in generated TypeScript, and its examples.
    ...["typescript/names/", "typescript/plan/", "typescript/text/"],
    // Emitters that run apart from the others.
    ...["typescript/mock/mock.ts", "typescript/server/server.ts"],
    "typescript/types/types.ts",
  ],
  "generator/compile-documents.ts": [""],
  "generator/compile.ts": [""],
  tools: [""],
  "tools/breaking": [
    ...["index.ts", "options.ts", "diff/index.ts"],
    ...["parse-history", "read-history", "record"].map(
      (name) => `compatibility/${name}.ts`,
    ),
  ],
  "tools/editor": [
    ...["service/language-service.ts", "service/model/results.ts"],
    ...["service/model/settings.ts", "lsp/editor-system.ts"],
    ...["lsp/serve-editors.ts", "trace/"],
    // Where documents mention names.
    ...["collect-mentions.ts", "mention.ts"].map(
      (name) => `service/names/${name}`,
    ),
    // Templates, which the command line edits, too.
    ...[
      "complete-template",
      "find-partial",
      "hover-template",
      "list-members",
    ].map((name) => `service/templates/${name}.ts`),
  ],
  "tools/import": [
    ...["import-json-schema.ts", "import-openapi.ts", "read/document-files.ts"],
    ...["merge/base-file.ts", "merge/update-documents.ts"],
    ...["describe-procedure", "import-trpc", "name-procedures"].map(
      (name) => `trpc/${name}.ts`,
    ),
    ...["trpc/read-router.ts", "trpc/types/"],
  ],
  "tools/implement": [
    ...["create-handler-files.ts", "handler-methods.ts"],
    ...["implement-contract.ts", "open-programs.ts", "rename-methods.ts"],
    // Edits of a TypeScript program, which migrations make, too.
    ...["compiler.ts", "edits.ts", "file-style.ts", "find-implementations.ts"],
    ...["import-names.ts", "report-findings.ts"],
  ],
  "tools/mcp": ["method-tool.ts", "offer-tools.ts", "serve-tools.ts"],
  "tools/mock": ["mock-handler.ts", "mock-server.ts", "overrides.ts"],
  "tools/test": [
    ...["drawn-request.ts", "print-curl.ts", "reference.ts", "report.ts"],
    ...["send.ts", "test-contract.ts", "test-method.ts", "print/"],
  ],
  "tools/conformance": [
    ...["client-case.ts", "exceptions.ts", "handlers.ts", "json.ts"],
    ...["record-requests.ts", "report.ts", "run-clients.ts", "run-servers.ts"],
    "stream-cases.ts",
  ],
  "tools/call": [
    ...["call-fault.ts", "capture-curl.ts", "describe-failure.ts"],
    ...["find-method.ts", "load-method.ts", "print-response.ts"],
    ...["read-files.ts", "read-request.ts"],
  ],
  "tools/migrate": [
    ...["change/migrate-calls.ts", "change/old-client.ts"],
    ...["change/report-findings.ts", "clients.ts"],
  ],
  "tools/package": ["create-package.ts", "details.ts", "select-packaged.ts"],
  "tools/schema-json": ["index.ts"],
  cli: ["commands/lsp.ts", "node/node-system.ts"],
  "apps/explorer": ["views/element.ts", "views/theme.ts"],
};

describe("files of rooms that other rooms import", () => {
  const files = ["generator", "tools", "cli", "apps"].flatMap(readSourceFiles);
  const imported = new Set(
    files.flatMap(({ path: from, imports }) =>
      imports.flatMap(({ path }) =>
        path !== null && roomOf(path) !== roomOf(from) ? [path] : [],
      ),
    ),
  );
  const allowed = Object.entries(entries).flatMap(([room, names]) =>
    names.map((name) => (name === "" ? room : `${room}/${name}`)),
  );
  const isPartOf = (path: string, entry: string): boolean =>
    path === entry || path.startsWith(entry.replace(/(?<!\/)$/u, "/"));
  const isRoom = (path: string): boolean =>
    /^(?:generator|tools|cli|apps)\//u.test(path);

  test("are those in the list", () => {
    const faults = [...imported]
      .filter(isRoom)
      .filter((path) => !allowed.some((entry) => isPartOf(path, entry)));
    expect(faults).toEqual([]);
  });

  test("include everything in the list", () => {
    const paths = [...imported];
    const unused = allowed.filter(
      (entry) => !paths.some((path) => isPartOf(path, entry)),
    );
    expect(unused).toEqual([]);
  });
});
