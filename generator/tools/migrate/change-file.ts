import type { ts } from "ts-morph";
import { applyEdits, type TextEdit } from "../implement/edits.js";
import { type FileStyle, readStyle } from "../implement/file-style.js";
import { NeededImports, relativeSpecifier } from "../implement/import-names.js";
import { dropImports } from "./drop-imports.js";
import type { OldCall } from "./find-uses.js";
import {
  blockOf,
  canBeSame,
  type ClientKey,
  type Migration,
  type UsedFile,
} from "./migration.js";
import { documentOf, oldPackage } from "./old-client.js";
import {
  type Base,
  findOperation,
  listForms,
  suggestAddress,
} from "./operations.js";
import { outcomeArguments } from "./outcome-arguments.js";
import { printCall, type Surroundings } from "./print-code.js";
import { readArguments } from "./read-arguments.js";
import { readOptions } from "./read-options.js";
import { Unclear } from "./unclear.js";

/** A file and what becomes of it. */
export interface FileResult {
  readonly source: ts.SourceFile;
  /** The new text. */
  readonly text: string;
  readonly unclear: readonly Unclear[];
  /** The clients whose old form has to stay. */
  readonly stays: readonly ClientKey[];
  /** The clients that cannot be replaced. */
  readonly blocked: readonly ClientKey[];
  /** The client of each call that is migrated. */
  readonly migrated: readonly ClientKey[];
  /** Number of clients that are replaced. */
  readonly created: number;
}

/** Edits of a file, in which outer ones contain the text of inner ones. */
class Edits {
  readonly #source: ts.SourceFile;
  #all: readonly TextEdit[] = [];

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  replace(node: ts.Node, text: string): void {
    this.replaceRange(node.getStart(), node.end, text);
  }

  replaceRange(start: number, end: number, text: string): void {
    const edit = { start, end, text };
    this.#all = [...this.#all.filter((each) => !isInside(each, edit)), edit];
  }

  /** Returns the text of a node after all edits so far. */
  slice(node: ts.Node): string {
    const start = node.getStart();
    const { end } = node;
    const inner = this.#all
      .filter((each) => isInside(each, { start, end }))
      .map((each) => ({
        ...each,
        start: each.start - start,
        end: each.end - start,
      }));
    return applyEdits(this.#source.text.slice(start, end), inner);
  }

  apply(others: readonly TextEdit[]): string {
    return applyEdits(this.#source.text, [...this.#all, ...others]);
  }
}

function isInside(
  inner: { readonly start: number; readonly end: number },
  outer: { readonly start: number; readonly end: number },
): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** What the changes of one file share. */
interface Run {
  readonly file: UsedFile;
  readonly migration: Migration;
  readonly edits: Edits;
  readonly style: FileStyle;
  readonly generated: NeededImports;
  readonly helpers: NeededImports;
  readonly surroundings: Surroundings;
  readonly unclear: Unclear[];
  /** What a person should check. */
  readonly doubts: Unclear[];
}

/** Changes a file, and reports what a person has to change. */
export function changeFile(file: UsedFile, migration: Migration): FileResult {
  const { program, source, uses } = file;
  const { compiler, helpers, importExtension, output } = migration;
  const style = readStyle(source, compiler);
  const edits = new Edits(source);
  const slice = (node: ts.Node): string => edits.slice(node);
  const importing = { source, program, style, importExtension, compiler };
  const run: Run = {
    file,
    migration,
    edits,
    style,
    generated: new NeededImports({ ...importing, output }),
    helpers: new NeededImports({ ...importing, output: helpers }),
    surroundings: { compiler, style, slice },
    unclear: uses.others.map(({ reason }) => reason),
    doubts: [],
  };
  const stays: ClientKey[] = [...uses.others];
  const migrated: ClientKey[] = [];
  for (const call of uses.calls) {
    const isDone = attempt(run, () => migrateCall(call, run));
    (isDone ? migrated : stays).push(call);
  }
  const blocked: ClientKey[] = [];
  let created = 0;
  for (const creation of uses.creations) {
    const type = file.lookup.checker.getTypeAtLocation(creation);
    const client = { creation, document: documentOf(file.lookup, type) };
    const isDone = attempt(run, () => replaceCreation(client, run));
    if (isDone) created++;
    else blocked.push(client);
  }
  uses.types.forEach((type) => replaceType(type, run));
  const text = finish(run);
  return {
    source,
    text,
    unclear: [...run.unclear, ...run.doubts],
    stays,
    blocked,
    migrated,
    created,
  };
}

/** Runs a change, or keeps the reason why there is none. */
function attempt({ unclear }: Run, change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    unclear.push(error);
    return false;
  }
}

function migrateCall(call: OldCall, run: Run): void {
  const { edits, file, helpers, migration, surroundings } = run;
  const block = blockOf(migration, call);
  if (block !== null) throw block;
  const { address, client, init, node } = call;
  const { bases, compiler, operations } = migration;
  const base = bases.get(call.document) ?? null;
  const operation = base && findOperation(operations, base, address);
  if (operation === null) {
    throw new Unclear(
      node.arguments[0] ?? node,
      `the contract has no \`${address.verb} ${address.path}\``,
      suggestAddress(operations, base, address) ?? null,
    );
  }
  const { method, service } = operation;
  const wrapped = outcomeArguments(call, operation, file.lookup);
  const read = readArguments(init, address.path, operation, compiler);
  const callee = `${edits.slice(client)}.${service.names.property}.${method.names.property}.result`;
  const name = helpers.use({
    name: "outcomeOf",
    file: "outcome",
    isType: false,
  });
  const text = printCall(
    node,
    callee,
    client,
    read,
    [name, ...wrapped],
    surroundings,
  );
  edits.replace(node, text);
}

/** Replaces `createClient`, or adds the new client to the old one. */
function replaceCreation(
  client: ClientKey & { readonly creation: ts.CallExpression },
  run: Run,
): void {
  const { creation, document } = client;
  const { edits, file, generated, helpers, migration, surroundings } = run;
  const { checker } = file.lookup;
  const { bases, hasMiddleware, isUsed, staysOld } = migration;
  const base = baseOf(document, bases);
  if (base === null) {
    throw new Unclear(creation, "none of its calls is in the contract");
  }
  const combined = combinationOf(creation, migration);
  const isStaying = staysOld(client);
  if (isStaying && (combined !== null || !isUsed(client))) return;
  const isNew = combined === null;
  const old = isStaying && isNew ? edits.slice(creation) : null;
  const { doubtful, text: options } = readOptions(creation, {
    ...surroundings,
    replace: (start, end, text) => edits.replaceRange(start, end, text),
    checker,
    prefix: base.prefix,
    areJoined: listForms(migration.operations, base),
    hasMiddleware,
  });
  const create = generated.use({
    name: base.host.names.createClient,
    file: clientFile(base),
    isType: false,
  });
  if (hasMiddleware) {
    const name = helpers.use({
      name: "withMiddleware",
      file: "middleware",
      isType: false,
    });
    const all = [create, options, ...(old === null ? [] : [old])];
    edits.replace(combined ?? creation, `${name}(${all.join(", ")})`);
  } else {
    const text = `${create}(${options})`;
    edits.replace(
      combined ?? creation,
      old === null ? text : `Object.assign(${old}, ${text})`,
    );
  }
  if (doubtful !== null && isNew) {
    run.doubts.push(
      new Unclear(
        doubtful,
        `the addresses of the contract begin with \`${base.prefix}\`, and this base URL may not end with it`,
        "check that calls have the same addresses as before",
      ),
    );
  }
}

/** Returns the base of a document, or the only one if its type is unknown. */
function baseOf(
  document: string,
  bases: ReadonlyMap<string, Base | null>,
): Base | null {
  const own = bases.get(document);
  if (own !== undefined) return own;
  const [only = null, ...others] = bases.values();
  return others.length === 0 ? only : null;
}

function clientFile({ host }: Base): string {
  const { folder } = host.unit;
  return folder === "" ? "client" : `${folder}/client`;
}

/** Returns the call that adds the new client to an old one, if there is one. */
function combinationOf(
  creation: ts.CallExpression,
  { compiler }: Migration,
): ts.CallExpression | null {
  const { parent } = creation;
  if (!compiler.isCallExpression(parent)) return null;
  const name = parent.expression.getText();
  const isCombined =
    (name === "Object.assign" && parent.arguments[0] === creation) ||
    (name.endsWith("withMiddleware") && parent.arguments[2] === creation);
  return isCombined ? parent : null;
}

/** Replaces a type such as `Client<paths>`. */
function replaceType(type: ts.TypeNode, run: Run): void {
  const { edits, file, generated, helpers, migration } = run;
  const { bases, blocked, compiler, hasMiddleware, staysOld } = migration;
  const { lookup } = file;
  const found = lookup.checker.getTypeFromTypeNode(type);
  const client = { creation: null, document: documentOf(lookup, found) };
  const base = baseOf(client.document, bases);
  if (base === null || blocked.some((each) => canBeSame(each, client))) return;
  const { parent } = type;
  const isStaying = staysOld(client);
  const isCombined =
    compiler.isIntersectionTypeNode(parent) &&
    parent.types.some((each) => each.getText() === base.host.names.client);
  if (isCombined && isStaying) return;
  const name = generated.use({
    name: base.host.names.client,
    file: clientFile(base),
    isType: true,
  });
  const names = [
    ...(isStaying ? [type.getText()] : []),
    name,
    ...(hasMiddleware
      ? [
          helpers.use({
            name: "HasMiddleware",
            file: "middleware",
            isType: true,
          }),
        ]
      : []),
  ];
  const text = names.join(" & ");
  const isPart =
    compiler.isArrayTypeNode(parent) ||
    compiler.isIndexedAccessTypeNode(parent);
  edits.replace(
    isCombined ? parent : type,
    names.length > 1 && isPart ? `(${text})` : text,
  );
}

/** Returns the text with all edits and imports. */
function finish({ edits, file, generated, helpers, migration }: Run): string {
  const { source } = file;
  const { compiler, hasMiddleware, staysOld } = migration;
  const specifier = relativeSpecifier(
    source.fileName,
    `${migration.helpers}/middleware${migration.importExtension}`,
  );
  const text = edits.apply([...generated.edits(), ...helpers.edits()]);
  const isMoving = hasMiddleware && !staysOld({ creation: null, document: "" });
  if (text === source.text && !isMoving) return text;
  const moved = isMoving ? { name: "Middleware", specifier } : null;
  return dropImports(source, text, oldPackage, moved, compiler);
}
