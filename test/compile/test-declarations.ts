import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  emitCase,
  goldenCases,
  inJavaScript,
  type GoldenCase,
} from "../support/golden-cases.js";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";

/** All strict options, which also apply to declarations. */
const strictest = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
};

/**
 * Returns a case that imports the runtime. Both forms of a case must import the
 * same runtime. Otherwise, their types would differ.
 */
function importing(golden: GoldenCase): GoldenCase {
  const chosen = { runtime: "import", importExtension: ".js" } as const;
  return { ...golden, options: { ...golden.options, ...chosen } };
}

/** Exported types and whether each has type parameters. */
const exportedType =
  /^export (?:interface|type|declare class) (\w+)(?=[ <\n])(<?)/gmu;

/**
 * Returns a module that compiles only if two files declare the same types and
 * values under the names in the declarations.
 */
function compareFiles(path: string, declarations: string): string {
  const file = path.replace(/\.d\.ts$/u, ".js");
  const names = [...declarations.matchAll(exportedType)].map(
    ([, name = "", bracket]) => (bracket === "" ? name : `${name}<"state">`),
  );
  const pairs = names.map((name) => `[Ts.${name}, Js.${name}]`);
  return `import type * as Ts from "./ts/${file}";
import type * as Js from "./js/${file}";

type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <
  T,
>() => T extends Right ? 1 : 2
  ? true
  : false;
type AllSame<Pairs extends readonly (readonly [unknown, unknown])[]> = {
  readonly [Index in keyof Pairs]: Same<Pairs[Index][0], Pairs[Index][1]>;
};

const types: AllSame<[${pairs.join(", ")}]> = [${names.map(() => "true").join(", ")}];
const names: Same<keyof typeof Ts, keyof typeof Js> = true;
declare const ts: typeof Ts;
declare const js: typeof Js;
const there: typeof Js = ts;
const back: typeof Ts = js;
export { types, names, there, back };
`;
}

const cases = goldenCases().filter(({ name }) =>
  /^(?:javascript|compat-webrpc|hostile-calls|names|platform|scalars|structs)$/u.test(
    name,
  ),
);

/**
 * Compiles declarations next to JavaScript, and compares them with TypeScript.
 *
 * Input: the compiler's package.
 */
export function testDeclarations(compiler: string): void {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ridlkit-declarations-"));
    write("package.json", '{ "type": "module" }');
    for (const golden of cases) {
      const { name } = golden;
      writeAll(
        `${name}/ts`,
        importing({ ...golden, options: typescript(golden) }),
      );
      writeAll(`${name}/js`, importing(inJavaScript(golden)));
      for (const { path, text } of emitCase(importing(inJavaScript(golden)))) {
        if (!path.endsWith(".d.ts")) continue;
        const title = path.replaceAll("/", "-").replace(/\.d\.ts$/u, "");
        write(`${name}/same-${title}.ts`, compareFiles(path, text));
      }
    }
    // The output has its own copy of the runtime, which also consists of
    // declarations.
    for (const golden of cases) {
      if (golden.name === "javascript") writeAll("copied", golden);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  function writeAll(below: string, golden: GoldenCase): void {
    for (const { path, text } of emitCase(golden)) {
      write(`${below}/${path}`, text);
    }
  }

  function typescript({ options }: GoldenCase): GoldenCase["options"] {
    const { language, ...others } = options;
    return others;
  }

  it(`${compiler}: declarations compile and match the TypeScript output`, () => {
    const config = join(folder, `tsconfig.${compiler}.json`);
    const paths = runtimePaths("declarations");
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions: { ...strictest, paths },
        include: ["**/*.d.ts", "**/same-*.ts"],
      }),
    );
    expect(cases.length).toBe(7);
    expect(runTsc(config, compiler)).toEqual({ status: 0, stdout: "" });
  }, 120_000);
}
