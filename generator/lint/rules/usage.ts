import type { Word } from "../../1-parse/ast.js";
import type {
  LoadedDocument,
  LoadedImport,
} from "../../1-parse/load/load-documents.js";
import { findAnnotation } from "../../2-check/notation/annotations.js";
import { errorBodyKey } from "../../2-check/program/error-members.js";
import { dataKey } from "../../2-check/notation/error-data.js";
import { isDeprecated } from "../../2-check/notation/deprecation.js";
import {
  findMetadata,
  metadataValue,
} from "../../2-check/notation/metadata.js";
import {
  collectNodes,
  namesIn,
  namesUsedBy,
} from "../../2-check/program/nodes.js";
import type {
  Declared,
  DeclaredService,
  DeclaredType,
  Program,
} from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { type Finding, relate } from "../../2-check/report/finding.js";
import { invalidRequestError } from "../../ir/refusal-errors.js";
import { rememberEach } from "../../ir/remember.js";
import type { LintRules } from "./rule.js";

/** Rules about unused and deprecated declarations and imports. */
export const usageRules = {
  "deprecated-used": (program) =>
    mentionsOf(program).flatMap(({ syntax: name, document }) => {
      const declared = findType(program, document, name.text);
      if (declared === undefined) return [];
      const note = findAnnotation(declared.syntax, "deprecated");
      if (note === undefined) return [];
      return {
        document,
        at: name,
        message: `\`${name.text}\` is deprecated`,
        related: [relate(declared, note, "deprecated here")],
        ...(note.value && { help: note.value.text }),
      };
    }),

  // Something from every import must be used, and so must every type that an
  // import lists. Errors, services, credentials and base addresses always count
  // as used, and a document that contains only imports passes everything on.
  "import-used": (program) => {
    const isMentioned = createMentionFinder(program);
    return program.documents.flatMap((document) => {
      const declares = document.syntax.items.some(
        ({ kind }) => kind !== "import" && kind !== "header",
      );
      if (!declares) return [];
      return document.imports.flatMap((each) =>
        findUnused(
          program,
          document,
          each,
          ({ syntax }) =>
            isNotation(syntax) || isMentioned(syntax.name.text, document),
        ),
      );
    });
  },

  "type-unused": (program) => {
    if (program.nodes.services.length === 0) return [];
    const used = findUsed(program);
    const all = new Set(
      [...program.scopes.values()].flatMap(({ types }) => types),
    );
    return [...all]
      .filter((type) => !used.has(type))
      .map(({ syntax: { name }, document }) => ({
        document,
        at: name,
        message: `no method uses \`${name.text}\``,
        help: "remove it, or use it",
      }));
  },

  // An error must be in a method's list, or be the error for a credential or for
  // invalid requests. A method without a list can return any error of its host.
  "error-unused": ({ hosts, nodes, scopes }) => {
    const { aliases, errors, methods } = nodes;
    if (methods.length === 0) return [];
    const open = hosts
      .filter(({ services }) => services.some(hasOpenMethod))
      .flatMap(({ document, services }) => [
        document,
        ...services.map((service) => service.document),
      ]);
    const mayBeInvalid = methods.some(
      ({ syntax: { input } }) =>
        input.succinct !== undefined || input.arguments.length > 0,
    );
    const used = new Set([
      ...(mayBeInvalid ? [invalidRequestError] : []),
      ...methods
        .flatMap(({ syntax }) => syntax.errors ?? [])
        .map(({ text }) => text),
      ...aliases.map(({ syntax }) => metadataValue(syntax, "error")),
      ...open
        .flatMap(({ path }) => scopes.get(path)?.errors ?? [])
        .map(({ syntax }) => syntax.name.text),
    ]);
    return errors
      .filter(({ syntax }) => !used.has(syntax.name.text))
      .map(({ syntax: { name }, document }) => ({
        document,
        at: name,
        message: `no method lists the error \`${name.text}\``,
        help: "remove it, or add it to a method's `errors`",
      }));
  },
} satisfies LintRules;

function hasOpenMethod({ syntax }: DeclaredService): boolean {
  return syntax.methods.some(({ errors }) => errors === undefined);
}

/**
 * Returns the type names that are mentioned outside deprecated declarations.
 */
function mentionsOf({ nodes }: Program): readonly Declared<Word>[] {
  const fields = nodes.fields.filter(
    ({ syntax, owner }) => !isDeprecated(syntax) && !isDeprecated(owner),
  );
  const aliases = nodes.aliases.filter(({ syntax }) => !isDeprecated(syntax));
  const methods = nodes.methods.filter(
    ({ syntax, owner }) => !isDeprecated(syntax) && !isDeprecated(owner),
  );
  return [...aliases, ...fields, ...methods].flatMap(({ syntax, document }) => {
    const names =
      syntax.kind === "method" ? namesUsedBy(syntax) : namesIn(syntax.type);
    return names.map((name) => ({ syntax: name, document }));
  });
}

function findUnused(
  program: Program,
  document: LoadedDocument,
  { syntax, path }: LoadedImport,
  isUsed: (type: DeclaredType) => boolean,
): readonly Finding[] {
  const scope = program.scopes.get(path);
  if (scope === undefined) return [];
  const types = scope.typesByName;
  const complain = (place: Word): Finding => ({
    document,
    at: place,
    message: `nothing from \`${place.text}\` is used`,
    help: "remove the import",
  });
  if (syntax.members.length > 0) {
    return syntax.members
      .filter(({ text }) => {
        const type = types.get(text);
        return type !== undefined && !isUsed(type);
      })
      .map((member) => ({
        ...complain(member),
        message: `\`${member.text}\` is imported but not used`,
        help: "remove it from the import",
      }));
  }
  const passesOn =
    scope.services.length > 0 ||
    scope.errors.length > 0 ||
    [...types.values()].some(isUsed);
  return passesOn ? [] : [complain(syntax.path)];
}

/**
 * Creates a function that checks whether a document or one of its importers,
 * direct or indirect, mentions a type name.
 */
function createMentionFinder({
  documents,
}: Program): (name: string, document: LoadedDocument) => boolean {
  const importersOf = rememberEach(({ path }: LoadedDocument) =>
    documents.filter(({ imports }) =>
      imports.some((each) => each.path === path),
    ),
  );
  return (name, document) => {
    const seen = new Set([document]);
    // The loop also visits documents that it adds to the set.
    for (const each of seen) {
      if (namesMentionedIn(each).has(name)) return true;
      for (const importer of importersOf(each)) seen.add(importer);
    }
    return false;
  };
}

/** Returns the type names that a document itself mentions. */
const namesMentionedIn = rememberEach((document: LoadedDocument) => {
  const { aliases, methods, structs } = collectNodes([document]);
  const names = [...aliases, ...structs, ...methods].flatMap(({ syntax }) =>
    namesUsedBy(syntax).map(({ text }) => text),
  );
  return new Set(names);
});

/**
 * Whether a declaration is a credential, a base address, or the data or the body
 * of errors, which apply to methods, hosts and errors without being mentioned.
 */
function isNotation(syntax: DeclaredType["syntax"]): boolean {
  return (
    syntax.kind === "alias" &&
    ["header", "query", "cookie", "base", dataKey, errorBodyKey].some((key) =>
      findMetadata(syntax, key),
    )
  );
}

function findUsed(program: Program): ReadonlySet<DeclaredType> {
  const { aliases, methods } = program.nodes;
  const used = new Set<DeclaredType>();
  const use = ({ text }: Word, document: LoadedDocument): void => {
    const type = findType(program, document, text);
    if (type) used.add(type);
  };
  for (const { syntax, document } of methods) {
    for (const name of namesUsedBy(syntax)) use(name, document);
  }
  for (const { syntax, document } of aliases) {
    if (isNotation(syntax)) use(syntax.name, document);
  }
  // The loop also visits declarations that it adds to the set.
  for (const { syntax, document } of used) {
    for (const name of namesUsedBy(syntax)) use(name, document);
  }
  return used;
}
