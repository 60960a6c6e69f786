import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { runProcess } from "../harness/run-process.js";
import { ridl } from "./tools.js";
import { javascriptOutput } from "./workspace.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = fileURLToPath(new URL("run-javascript.js", import.meta.url));

/**
 * Makes the same output as JavaScript with declarations, beside that in
 * TypeScript, which is there already, and makes sure that all of it is.
 *
 * Errors: throws when a declared value is missing, when one of TypeScript's is,
 * or when a server does not answer as it should.
 */
export function generateJavaScript({ folder, contract }) {
  runProcess(
    ridl("generate", "--force", "--config", "ridl.javascript.yaml"),
    folder,
  );
  linkPackage(folder);
  const declared = exportsIn(join(folder, javascriptOutput), ".d.ts");
  const written = exportsIn(join(folder, "ridlkit"), ".ts");
  if (JSON.stringify(declared) !== JSON.stringify(written)) {
    throw new Error("JavaScript does not export what TypeScript does");
  }
  const methods = contract.services.reduce(
    (sum, each) => sum + each.methods.length,
    0,
  );
  const output = pathToFileURL(`${join(folder, javascriptOutput)}/`).href;
  runProcess(
    [process.execPath, program, output, `${methods}`, JSON.stringify(declared)],
    folder,
  );
}

/** So that Node finds the package in the workspace. */
function linkPackage(folder) {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  rmSync(join(modules, "ridlkit"), { force: true });
  symlinkSync(root, join(modules, "ridlkit"));
}

/** Names of the values that each file exports, by the file without its ending. */
function exportsIn(folder, ending) {
  const files = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(ending))
    .sort();
  const compiler = ts.createProgram(
    files.map((path) => join(folder, path)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 },
  );
  const checker = compiler.getTypeChecker();
  return files.map((path) => {
    const source = compiler.getSourceFile(join(folder, path));
    const symbol = checker.getSymbolAtLocation(source);
    const names = checker.getExportsOfModule(symbol).flatMap((each) => {
      const isAlias = (each.flags & ts.SymbolFlags.Alias) !== 0;
      const target = isAlias ? checker.getAliasedSymbol(each) : each;
      return (target.flags & ts.SymbolFlags.Value) === 0 ? [] : [each.name];
    });
    return [path.slice(0, -ending.length), names.sort()];
  });
}
