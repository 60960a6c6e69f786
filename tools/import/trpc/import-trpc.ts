import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import type { Location, Source } from "../../../generator/source/source.js";
import type { Imported } from "../import-openapi.js";
import { toPascal, toSingular } from "../model/names.js";
import { type NoteLevel, NoteLog, toDiagnostics } from "../notes/note.js";
import { printValidModel } from "../print/print-valid-model.js";
import type { DocumentPart } from "../read/document-part.js";
import { DocumentFiles } from "../read/document-files.js";
import {
  type DescribedProcedure,
  describeProcedure,
} from "./describe-procedure.js";
import { mapRouter } from "./map-router.js";
import { type NamedProcedure, nameProcedures } from "./name-procedures.js";
import type { PackageLoader } from "./parsers.js";
import { PlaceFinder } from "./place-finder.js";
import type { FoundRouter, RouterProcedure } from "./read-router.js";
import { SchemaPool } from "./schema-pool.js";
import { notesKeyword, type SchemaNote } from "./schemas/schema-note.js";
import type { MissingTypes, RouterTypes } from "./types/typed-procedure.js";

/** The module of a router, and how to read its parsers. */
export interface RouterModule {
  /** The text of the module, in which notes have their places. */
  readonly source: Source;
  readonly load: PackageLoader;
  /** The types of procedures, or why they are not known. */
  readonly types: RouterTypes | MissingTypes;
}

/**
 * Turns a router of tRPC into RIDL. Input: the name of the RIDL file without
 * `.ridl`. With `isStrict`, notes about the wire and about values are errors.
 */
export function importTrpc(
  router: FoundRouter,
  module: RouterModule,
  stem: string,
  isStrict = false,
): Imported {
  const { source } = module;
  const { procedures, hasTransformer } = router;
  const start = { source, span: { start: 0, end: 1 } };
  if (procedures.length === 0) {
    return fail("the router has no procedures", start);
  }
  const name = nameApi(source.path);
  const names = nameProcedures(
    procedures.map(({ path }) => path),
    toPascal(name),
  );
  const context = { ...module, hasTransformer };
  const described = procedures.flatMap((procedure, index) => {
    const named = names[index];
    return named === undefined
      ? []
      : [describeProcedure(procedure, named, context)];
  });
  const text = printProcedures(described, noteRouter(router, names));
  const library = new DocumentFiles(() => ({ text }));
  const document = library.open(source.path, null);
  if (document === null) {
    const [fault] = library.faults;
    return fail(fault?.message ?? "the router cannot be read", start);
  }
  const notes = new NoteLog();
  addNotes(document, notes);
  const model = mapRouter(document, names, name, library, notes);
  const documents = printValidModel(model, stem, notes);
  const places = new PlaceFinder(document, source);
  const diagnostics = toDiagnostics(notes.list(), isStrict, (part) => ({
    label: part.pointer.replace(/^#\/?(?:procedures\/)?/u, "") || "router",
    location: places.find(part),
  }));
  if (documents !== null) return { documents, diagnostics };
  const failed = fail("the router cannot be written as RIDL", start);
  return { ...failed, diagnostics: [...diagnostics, ...failed.diagnostics] };
}

/** The result if a router cannot be imported. */
function fail(message: string, location: Location): Imported {
  const failure: Diagnostic = {
    code: "import-document",
    severity: "error",
    message,
    location,
  };
  return { documents: null, diagnostics: [failure] };
}

/** Names an API after the file of its router. Most have the same name. */
function nameApi(path: string): string {
  const stem = (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/u, "");
  const name = stem.replace(/[._-]?(?:app)?[._-]?router$/iu, "");
  const isGeneric = /^(?:|_?app|index|root|main|server|trpc|api)$/iu.test(name);
  return isGeneric || toPascal(name) === "" ? "app" : name;
}

/** Prints procedures as JSON, in which shared types are in `schemas`. */
function printProcedures(
  all: readonly DescribedProcedure[],
  notes: readonly SchemaNote[],
): string {
  const pool = new SchemaPool();
  for (const { input, output, named, procedure } of all) {
    const isNested = procedure.path.includes(".");
    const resource = isNested ? toSingular(named.service) : null;
    if (input !== null) pool.addInput(input, named.hint, resource);
    if (output !== null) pool.addOutput(output, named.hint, resource);
  }
  const schemas = pool.finish();
  const procedures = all.map(
    ({ procedure, docs, kind, input, output, isOptional, notes }) => {
      const { description, isDeprecated } = docs;
      const body = {
        kind,
        ...(description !== null && { description }),
        ...(isDeprecated && { deprecated: true }),
        ...(isOptional && { optional: true }),
        ...(input !== null && { input: pool.print(input) }),
        ...(output !== null && { output: pool.print(output) }),
        ...(notes.length > 0 && { [notesKeyword]: notes }),
      };
      return [procedure.path, body] as const;
    },
  );
  return JSON.stringify({
    [notesKeyword]: notes,
    procedures: Object.fromEntries(procedures),
    schemas: Object.fromEntries(schemas),
  });
}

/** Notes what a router does for all of its procedures. */
function noteRouter(
  { procedures, hasTransformer, hasErrorFormatter }: FoundRouter,
  names: readonly NamedProcedure[],
): readonly SchemaNote[] {
  const guarded = procedures.filter(({ hasMiddleware }) => hasMiddleware);
  const renamed = names.filter(({ isRenamed }) => isRenamed);
  return [
    [
      "advice",
      "tRPC does not declare the errors of procedures",
      "declare the errors that clients handle",
    ],
    ...(guarded.length === 0
      ? []
      : ([
          [
            "advice",
            `middleware can require a user: ${listSome(guarded)}`,
            "declare a credential, and add `@auth` to these methods",
          ],
        ] as const)),
    ...(hasErrorFormatter
      ? ([
          [
            "advice",
            "the router has an `errorFormatter`",
            "declare the data of errors with `+ dataOf`",
          ],
        ] as const)
      : []),
    ...(hasTransformer
      ? ([
          [
            "advice",
            "the router has a transformer",
            "values are plain JSON; dates are timestamps",
          ],
        ] as const)
      : []),
    ...renamed.map(({ path, method, service }): SchemaNote => [
      "advice",
      `another procedure has the name of \`${path}\` in RIDL`,
      `the method is \`${service}.${method}\``,
    ]),
  ];
}

function listSome(procedures: readonly RouterProcedure[]): string {
  const names = procedures.slice(0, 3).map(({ path }) => `\`${path}\``);
  const others = procedures.length - names.length;
  return names.join(", ") + (others > 0 ? `, and ${others} more` : "");
}

const levels: readonly string[] = ["wire", "value", "advice"];

function isLevel(text: string | null | undefined): text is NoteLevel {
  return typeof text === "string" && levels.includes(text);
}

/** Adds the notes that schemas contain. Uses a loop, because they can be deep. */
function addNotes(document: DocumentPart, notes: NoteLog): void {
  const parts = [document];
  for (const part of parts) {
    for (const note of part.get(notesKeyword)?.items() ?? []) {
      const [level, message, instead] = note.items().map(({ text }) => text);
      if (!isLevel(level) || typeof message !== "string") continue;
      notes.add(level, part, message, instead ?? "it is left out");
    }
    parts.push(...part.entries(), ...part.items());
  }
}
