import type { ts } from "ts-morph";
import { readStyle } from "../../implement/file-style.js";
import { NeededImports } from "../../implement/import-names.js";
import { dropImports } from "./drop-imports.js";
import { Edits } from "./edits.js";
import type { CodeChange, Migration, UsedFile } from "./old-client.js";
import type { Base } from "./operations.js";
import { UnsupportedCode } from "./unsupported-code.js";
import { canBeSame, type ClientKey, type OldCall } from "./uses.js";

/** A client that cannot be replaced. */
export interface BlockedClient extends ClientKey {
  /** What a person has to change, or null if it is not of this contract. */
  readonly reason: UnsupportedCode | null;
}

/** A file and what becomes of it. */
export interface FileResult {
  readonly source: ts.SourceFile;
  /** The new text. */
  readonly text: string;
  readonly unclear: readonly UnsupportedCode[];
  /** The clients whose old form has to stay. */
  readonly stays: readonly ClientKey[];
  /** The clients that cannot be replaced. */
  readonly blocked: readonly BlockedClient[];
  /** The client of each call that is migrated. */
  readonly migrated: readonly ClientKey[];
  /** Names of the helper files that the new code imports. */
  readonly helpers: ReadonlySet<string>;
}

/** Changes a file, and reports what a person has to change. */
export function changeFile(file: UsedFile, migration: Migration): FileResult {
  const { source, uses } = file;
  const change = startChange(file, migration);
  const unclear = uses.others.map(({ reason }) => reason);
  /** Runs a change, or returns the reason why there is none. */
  const attempt = (run: () => void): UnsupportedCode | null => {
    try {
      run();
      return null;
    } catch (error) {
      if (!(error instanceof UnsupportedCode)) throw error;
      unclear.push(error);
      return error;
    }
  };
  for (const each of uses.references) {
    attempt(() => migration.client.replaceReference(each, change));
  }
  const stays: ClientKey[] = [...uses.others];
  const migrated: ClientKey[] = [];
  for (const call of uses.calls) {
    const reason = attempt(() => migrateCall(call, change));
    (reason === null ? migrated : stays).push(call);
  }
  const blocked: BlockedClient[] = uses.others.filter(
    ({ isBlocking }) => isBlocking,
  );
  for (const creation of uses.creations) {
    const type = file.lookup.checker.getTypeAtLocation(creation);
    const document = migration.client.documentOf(file.lookup, type);
    const client = { creation, document };
    const reason = attempt(() => replaceCreation(client, change));
    if (reason === null) continue;
    const isOther = baseOf(document, migration.bases) === null;
    blocked.push({ ...client, reason: isOther ? null : reason });
  }
  uses.types.forEach((type) => replaceType(type, change));
  const text = finish(change);
  return {
    source,
    text,
    unclear: [...unclear, ...change.warnings],
    stays,
    blocked,
    migrated,
    helpers: change.helpers.files(),
  };
}

function startChange(file: UsedFile, migration: Migration): CodeChange {
  const { program, source } = file;
  const { compiler, helpers, importExtension, output } = migration;
  const style = readStyle(source, compiler);
  const edits = new Edits(source);
  const slice = (node: ts.Node): string => edits.slice(node);
  const importing = { source, program, style, importExtension, compiler };
  return {
    file,
    migration,
    edits,
    generated: new NeededImports({ ...importing, output }),
    helpers: new NeededImports({ ...importing, output: helpers }),
    surroundings: { compiler, style, slice },
    warnings: [],
  };
}

function migrateCall(call: OldCall, change: CodeChange): void {
  const { bases, client } = change.migration;
  const block = blockOf(change.migration, call);
  if (block !== null) throw block;
  client.replaceCall(call, bases.get(call.document) ?? null, change);
}

/** Returns why the client of a call keeps it from being migrated, or null. */
function blockOf(
  { blocked, client: { isGenerated }, files }: Migration,
  call: OldCall,
): UnsupportedCode | null {
  const { client, creation } = call;
  const source = creation?.getSourceFile();
  const isOwn = files.some((each) => each.source === source);
  if (source && !isOwn && !isGenerated(source)) {
    return new UnsupportedCode(
      client,
      "its client is created outside the folder",
    );
  }
  return blocked.some((each) => canBeSame(each, call))
    ? new UnsupportedCode(client, "its client is not migrated")
    : null;
}

/** Replaces the creation of a client, or adds the new client to the old one. */
function replaceCreation(
  client: ClientKey & { readonly creation: ts.CallExpression },
  change: CodeChange,
): void {
  const { creation, document } = client;
  const { edits, migration } = change;
  const base = baseOf(document, migration.bases);
  if (base === null) {
    throw new UnsupportedCode(creation, "none of its calls is in the contract");
  }
  const { parent } = creation;
  const combined =
    migration.compiler.isCallExpression(parent) &&
    migration.client.isCombination(parent, creation)
      ? parent
      : null;
  const isStaying = migration.staysOld(client);
  if (isStaying && (combined !== null || !migration.isUsed(client))) return;
  const isNew = combined === null;
  const old = isStaying && isNew ? edits.slice(creation) : null;
  const { warning, text } = migration.client.printCreation(
    creation,
    old,
    base,
    change,
  );
  edits.replace(combined ?? creation, text);
  if (warning !== null && isNew) change.warnings.push(warning);
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

/** Replaces a type such as `Client<paths>`. */
function replaceType(type: ts.TypeNode, change: CodeChange): void {
  const { edits, file, migration } = change;
  const { bases, blocked, client, compiler, staysInType } = migration;
  const found = file.lookup.checker.getTypeFromTypeNode(type);
  const { parent } = type;
  const creation =
    compiler.isVariableDeclaration(parent) && parent.initializer !== undefined
      ? file.uses.creations.find(
          ({ end, pos }) => pos >= parent.pos && end <= parent.end,
        )
      : undefined;
  const key = {
    creation: creation ?? null,
    document: client.documentOf(file.lookup, found),
  };
  const base = baseOf(key.document, bases);
  if (base === null || blocked.some((each) => canBeSame(each, key))) return;
  const isStaying = staysInType(key);
  const isCombined =
    compiler.isIntersectionTypeNode(parent) &&
    parent.types.some((each) => each.getText() === client.typeName(base));
  if (isCombined && isStaying) return;
  const names = [
    ...(isStaying ? [type.getText()] : []),
    ...client.useTypes(base, change),
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
function finish(change: CodeChange): string {
  const { edits, file, generated, helpers, migration } = change;
  const { source } = file;
  const { client, compiler } = migration;
  const text = edits.apply([...generated.edits(), ...helpers.edits()]);
  const moved = client.moveImport(change);
  if (text === source.text && moved === null) return text;
  return dropImports(source, text, moved, compiler);
}
