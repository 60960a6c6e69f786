import { joinImportPath } from "../../../../generator/1-parse/load/import-path.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import type { CompletionScope } from "./line-context.js";
import { spanBefore, type LineContext } from "./line-context.js";
import { relativePath } from "../../../../generator/source/relative-path.js";

/** Completes document paths, or names that an imported document declares. */
export function completeImport(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const [, quoted, bare] =
    /^\s*import\s+(?:"([^"]*)"|(\S+))/.exec(line.blockLine) ?? [];
  const path = quoted ?? bare;
  const isMember = /^\s*-/.test(line.before);
  return isMember && path !== undefined
    ? completeMembers(line, path, surroundings)
    : completePaths(line, surroundings);
}

function completeMembers(
  line: LineContext,
  path: string,
  { program }: CompletionScope,
): readonly Completion[] {
  const target = joinImportPath(line.document.path, path);
  const scope = program.scopes.get(target);
  const taken = new Set(
    line.document.imports
      .filter((each) => each.path === target)
      .flatMap(({ syntax }) => syntax.members.map(({ text }) => text)),
  );
  const symbols = scope
    ? [...scope.types, ...scope.errors, ...scope.services]
    : [];
  return symbols
    .filter(({ syntax }) => !taken.has(syntax.name.text))
    .map(({ syntax }) =>
      createCompletion(syntax.name.text, syntax.kind, spanBefore(line)),
    );
}

function completePaths(
  line: LineContext,
  { workspace }: CompletionScope,
): readonly Completion[] {
  const { path: importer, imports } = line.document;
  const taken = new Set([importer, ...imports.map(({ path }) => path)]);
  const isOpen = line.before.includes('"');
  const isClosed = line.after.startsWith('"');
  const span = spanBefore(line, /[^\s"]*$/);
  const paths = workspace.parts.flatMap(({ program }) =>
    program.documents.map(({ path }) => path),
  );
  return [...new Set(paths)]
    .filter((path) => !taken.has(path))
    .flatMap((path) => {
      const label = relativePath(importer, path);
      if (label === null) return [];
      const text = `${isOpen ? "" : '"'}${label}${isClosed ? "" : '"'}`;
      return createCompletion(label, "path", span, { text });
    });
}
