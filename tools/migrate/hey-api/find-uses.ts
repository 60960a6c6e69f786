import type { ts } from "ts-morph";
import { collectUses, type FoundUses } from "../change/collect-uses.js";
import { findCreation } from "../change/find-creation.js";
import {
  refusePackages,
  refuseParts,
  refuseSpread,
} from "../change/refuse-uses.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { ClientKey, OldCall, SymbolLookup, Uses } from "../change/uses.js";
import { checkConfig } from "./check-config.js";
import {
  creationOf,
  declarationOf,
  documentOf,
  folderOf,
  isClient,
  isDefaultClient,
  nameOf,
  readSdkFunction,
  type SdkFunction,
} from "./declarations.js";

/** Members of a client that the new one has, too. */
const kept: ReadonlySet<string> = new Set([
  "getConfig",
  "interceptors",
  "setConfig",
]);

/** Thrown for code that keeps all calls of its client from being migrated. */
class Blocking extends UnsupportedCode {
  readonly client: ts.Node;

  constructor(reason: UnsupportedCode, client: ts.Node) {
    super(reason.node, reason.message, reason.help);
    this.client = client;
  }
}

/** Finds what a file has of hey-api, in the order of the file. */
export function findUses(source: ts.SourceFile, lookup: SymbolLookup): Uses {
  const { compiler } = lookup;
  const found = collectUses(source, lookup, {
    isClient,
    visit: (node, uses) => {
      if (compiler.isIdentifier(node)) visitName(node, uses, lookup);
      else if (compiler.isCallExpression(node)) visitCall(node, lookup);
      else if (compiler.isObjectBindingPattern(node)) {
        refuseParts(node, "members", isClient, lookup);
      }
    },
    describe: (reason) => {
      const isBlocking = reason instanceof Blocking;
      const client = isBlocking ? reason.client : reason.node;
      return { ...keyOf(client, lookup), isBlocking };
    },
  });
  return { ...found, importsOld: null };
}

function visitName(
  node: ts.Identifier,
  { calls, creations, references, types }: FoundUses,
  lookup: SymbolLookup,
): void {
  const { checker, compiler } = lookup;
  const { parent } = node;
  const isMember =
    compiler.isPropertyAccessExpression(parent) && parent.name === node;
  if (isMember && isClient(checker.getTypeAtLocation(parent.expression))) {
    if (kept.has(node.text)) return;
    throw new UnsupportedCode(
      parent,
      `\`${node.text}\` of a client is not migrated`,
    );
  }
  const declaration = declarationOf(lookup, node);
  if (declaration === null) return;
  if (compiler.isTypeReferenceNode(parent)) {
    if (nameOf(declaration, lookup) === "Client") types.push(parent);
    return;
  }
  const use = isMember ? parent : node;
  const call = use.parent;
  const isCalled = compiler.isCallExpression(call) && call.expression === use;
  const name = nameOf(declaration, lookup);
  if (isDefaultClient(declaration, lookup)) {
    if (compiler.isExportSpecifier(parent)) {
      throw new UnsupportedCode(node, `\`${name}\` is exported from here`);
    }
    if (!isClientOption(node, lookup)) references.push(node);
    return;
  }
  const read = readSdkFunction(declaration, use, lookup);
  if (read !== null) {
    if (isCalled) calls.push(readCall(call, read, lookup));
    else
      throw new UnsupportedCode(use, `\`${name}\` is used without calling it`);
  } else if (isCalled && name === "createClient") creations.push(call);
  else if (
    compiler.isVariableDeclaration(declaration) ||
    compiler.isFunctionDeclaration(declaration) ||
    compiler.isClassDeclaration(declaration)
  ) {
    checkOther(use, name, declaration, lookup);
  }
}

/** Throws if a name stands for generated code that sends requests. */
function checkOther(
  use: ts.Node,
  name: string,
  declaration: ts.Declaration,
  { compiler }: SymbolLookup,
): void {
  // The function around the options of a client only adds defaults.
  if (name === "createConfig") return;
  // A class with functions is only a part of `Orders.getOrder(…)`.
  if (compiler.isPropertyAccessExpression(use.parent)) {
    if (compiler.isClassDeclaration(declaration)) return;
  }
  const { text } = declaration.getSourceFile();
  if (!/from ["'][^"']*\b(?:sdk|client)\.gen/u.test(text)) return;
  throw new UnsupportedCode(use, `\`${name}\` is not migrated`);
}

function readCall(
  call: ts.CallExpression,
  { client: declared, address }: SdkFunction,
  lookup: SymbolLookup,
): OldCall {
  if (call.questionDotToken)
    throw new UnsupportedCode(call, "the call is optional");
  refuseSpread(call, lookup);
  const [init] = call.arguments;
  const client = optionIn(init, "client", lookup);
  const named = { node: call, client: client ?? call.expression, address };
  if (client !== null) return { ...named, ...keyOf(client, lookup), init };
  if (declared === null)
    throw new UnsupportedCode(call, "its client is unknown");
  return { ...named, ...defaultKey(declared), init };
}

function defaultKey(client: ts.VariableDeclaration): ClientKey {
  return {
    creation: creationOf(client),
    document: folderOf(client.getSourceFile().fileName),
  };
}

/** Returns the value of an option of a call, or null. */
function optionIn(
  init: ts.Expression | undefined,
  name: string,
  { compiler }: SymbolLookup,
): ts.Expression | null {
  if (!init || !compiler.isObjectLiteralExpression(init)) return null;
  for (const each of init.properties) {
    if (each.name?.getText() !== name) continue;
    if (compiler.isPropertyAssignment(each)) return each.initializer;
    if (compiler.isShorthandPropertyAssignment(each)) return each.name;
  }
  return null;
}

/** Whether a name is the option `client` of a call, which reads it itself. */
function isClientOption(node: ts.Node, lookup: SymbolLookup): boolean {
  const { compiler } = lookup;
  const { parent } = node;
  const isOption =
    (compiler.isShorthandPropertyAssignment(parent) ||
      compiler.isPropertyAssignment(parent)) &&
    parent.name.getText() === "client";
  const call = isOption ? parent.parent.parent : null;
  if (call === null || !compiler.isCallExpression(call)) return false;
  return sdkFunctionAt(call, lookup) !== null;
}

/** Returns the function of an SDK that a call calls, or null. */
export function sdkFunctionAt(
  { expression }: ts.CallExpression,
  lookup: SymbolLookup,
): SdkFunction | null {
  const declaration = declarationOf(lookup, nameIn(expression, lookup));
  return declaration && sdkFunctionOf(declaration, lookup);
}

function sdkFunctionOf(
  declaration: ts.Declaration,
  lookup: SymbolLookup,
): SdkFunction | null {
  try {
    return readSdkFunction(declaration, declaration, lookup);
  } catch (error) {
    if (error instanceof UnsupportedCode) return null;
    throw error;
  }
}

function nameIn(callee: ts.Node, { compiler }: SymbolLookup): ts.Node {
  return compiler.isPropertyAccessExpression(callee) ? callee.name : callee;
}

function visitCall(node: ts.CallExpression, lookup: SymbolLookup): void {
  const { checker, compiler } = lookup;
  const { expression } = node;
  if (compiler.isPropertyAccessExpression(expression)) {
    const { expression: client, name } = expression;
    if (isClient(checker.getTypeAtLocation(client))) {
      const [config] = node.arguments;
      const wrong =
        name.text === "setConfig" && config
          ? checkConfig(config, compiler)
          : null;
      if (wrong !== null) throw new Blocking(wrong, client);
    }
  }
  // Generated functions can be those of a package. They read the option.
  if (sdkFunctionAt(node, lookup) === null) {
    refusePackages(node, isClient, lookup);
  }
}

/** Returns the client that some code is about. */
function keyOf(node: ts.Node, lookup: SymbolLookup): ClientKey {
  const { checker, compiler } = lookup;
  const inner = compiler.isPropertyAccessExpression(node)
    ? node.expression
    : node;
  const declaration = declarationOf(lookup, inner);
  if (isDefaultClient(declaration, lookup)) return defaultKey(declaration);
  const called = declarationOf(lookup, nameIn(node, lookup));
  const own = called && sdkFunctionOf(called, lookup)?.client;
  if (own) return defaultKey(own);
  const isCreation = ({ expression }: ts.CallExpression): boolean =>
    nameOf(declarationOf(lookup, expression), lookup) === "createClient";
  return {
    creation: findCreation(node, isCreation, lookup),
    document: documentOf(lookup, checker.getTypeAtLocation(inner)),
  };
}
