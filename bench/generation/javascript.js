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
 * Generates the same output as JavaScript with declarations, next to the
 * existing TypeScript, and checks that it is complete.
 *
 * Errors: throws if a declared value is missing, if a value that the TypeScript
 * exports is missing, or if a server gives a wrong response.
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

/** Links the package into the workspace, so that Node finds it. */
function linkPackage(folder) {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  rmSync(join(modules, "ridlkit"), { force: true });
  symlinkSync(root, join(modules, "ridlkit"));
}

/**
 * Returns the names of the values that each file exports, by file name without
 * extension.
 */
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
