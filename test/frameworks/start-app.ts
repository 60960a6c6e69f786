import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import ts from "typescript-5.9";

const fixtures = join(import.meta.dirname, "fixtures");
const work = join(import.meta.dirname, ".work");

/** An app of a framework. */
export interface App {
  readonly framework: string;
  /** Returns the command that starts the app on a free port. */
  readonly command: () => readonly [program: string, ...args: string[]];
  /** A method of the contract for each operation: list, get, add, remove. */
  readonly methods: readonly [string, string, string, string];
}

/** Compiles files, because Node does not read decorators. Returns the last one. */
function compile(...names: readonly string[]): string {
  const paths = names.map((name) => {
    const { outputText } = ts.transpileModule(
      readFileSync(join(fixtures, `${name}.ts`), "utf8"),
      {
        compilerOptions: {
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.ES2022,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
        },
      },
    );
    const path = join(work, `${name}.mjs`);
    writeFileSync(path, outputText);
    return path;
  });
  return paths.at(-1) ?? "";
}

/** What `scripts/test-long/frameworks.js` could not install. */
const missing = (process.env["RIDLKIT_NOT_INSTALLED"] ?? "").split(",");

/** Whether this machine has an app, or a language. */
export function isInstalled(name: string): boolean {
  return !missing.includes(name);
}

/** A Python with the packages of the app and of generated clients. */
export const python: string = join(work, "python/bin/python");

const all: readonly App[] = [
  {
    framework: "FastAPI",
    command: () => [
      python,
      ...["-m", "uvicorn", "app:app", "--app-dir", fixtures, "--port", "0"],
    ],
    methods: ["ListBooks", "GetBook", "AddBook", "DeleteBook"],
  },
  {
    framework: "NestJS",
    command: () => [process.execPath, compile("nest")],
    methods: ["ListBooks", "GetBook", "AddBook", "RemoveBook"],
  },
  {
    framework: "huma",
    command: () => [join(work, "huma/shop")],
    methods: ["ListBooks", "GetBook", "AddBook", "RemoveBook"],
  },
  {
    framework: "Hono with zod-openapi",
    command: () => [process.execPath, compile("books", "hono")],
    methods: ["ListBooks", "GetBook", "AddBook", "RemoveBook"],
  },
  {
    framework: "oRPC",
    command: () => [process.execPath, compile("books", "orpc")],
    methods: ["ListBooks", "GetBook", "AddBook", "RemoveBook"],
  },
  {
    framework: "Spring",
    command: () => [
      "java",
      "-XX:TieredStopAtLevel=1",
      "-cp",
      ["classes", "jars/*"]
        .map((name) => join(work, "spring", name))
        .concat(join(fixtures, "spring"))
        .join(delimiter),
      "shop.Shop",
    ],
    methods: ["List", "Get", "Add", "Remove"],
  },
];

/** The apps, which all have the same operations. */
export const apps: readonly App[] = all.filter(({ framework }) =>
  isInstalled(framework),
);

/** An app that runs. */
export interface RunningApp {
  readonly url: string;
  /** The OpenAPI document that the framework writes. */
  readonly document: string;
  readonly stop: () => Promise<void>;
}

/** Starts an app, which prints its address. */
export async function startApp({ command }: App): Promise<RunningApp> {
  const [program, ...args] = command();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const printed: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        printed.push(line);
        const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(line);
        if (found !== null) resolve(found[0]);
      });
    }
    child.once("exit", () => reject(new Error(printed.join("\n"))));
  });
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  const response = await fetch(`${url}/openapi.json`);
  return { url, document: await response.text(), stop };
}
