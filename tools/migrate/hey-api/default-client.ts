import type { ts } from "ts-morph";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { ClientKey, SymbolLookup } from "../change/uses.js";
import { creationOf, folderOf, isDefaultClient } from "./declarations.js";

/** The client that generated code creates. */
export interface DefaultClient extends ClientKey {
  readonly creation: ts.CallExpression;
  /** The base URL as code, or null if there is none. */
  readonly baseUrl: string | null;
}

/**
 * Reads the declaration of a client in generated code.
 *
 * Errors: {@link UnsupportedCode} at `place` if other code configures it.
 */
export function readDefault(
  declaration: ts.Declaration,
  place: ts.Node,
  lookup: SymbolLookup,
): DefaultClient {
  const creation = isDefaultClient(declaration, lookup)
    ? creationOf(declaration)
    : null;
  if (creation === null) {
    throw new UnsupportedCode(
      place,
      "its client is not created by generated code",
    );
  }
  const { compiler } = lookup;
  const [config] = creation.arguments;
  const options =
    config && compiler.isCallExpression(config) ? config.arguments[0] : config;
  const isCreated = config?.getText().startsWith("createConfig") !== false;
  if (!isCreated || (options && !compiler.isObjectLiteralExpression(options))) {
    throw new UnsupportedCode(
      place,
      "a function configures its client",
      "call `setConfig` of the client instead, and generate its code again",
    );
  }
  const baseUrl = options?.properties.find(
    ({ name }) => name?.getText() === "baseUrl",
  );
  return {
    creation,
    document: folderOf(declaration.getSourceFile().fileName),
    baseUrl:
      baseUrl && compiler.isPropertyAssignment(baseUrl)
        ? baseUrl.initializer.getText()
        : null,
  };
}

/** Finds the client of a document in a program. Null if there is none. */
export function findDefault(
  document: string,
  programs: readonly ts.Program[],
  compiler: SymbolLookup["compiler"],
): DefaultClient | null {
  for (const program of programs) {
    const source = program.getSourceFile(`${document}/client.gen.ts`);
    const lookup = { compiler, checker: program.getTypeChecker() };
    for (const statement of source?.statements ?? []) {
      if (!compiler.isVariableStatement(statement)) continue;
      for (const each of statement.declarationList.declarations) {
        if (isDefaultClient(each, lookup)) {
          return readDefault(each, each, lookup);
        }
      }
    }
  }
  return null;
}
