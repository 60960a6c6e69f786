import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runCommand } from "../behavior/run-command.js";
import type { Sandbox } from "../cli/support/sandbox.js";
import { runMcp } from "../mcp/run-mcp.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction } from "../support/run-emitted.js";
import type { Imported } from "./import-app.js";
import { isInstalled, python } from "./start-app.js";

/** A call of an app. */
export interface Call {
  /** The name of a method without its service. */
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** What identifies the caller. */
  readonly token?: string;
}

/** What came of a call: a response, or an error. */
export type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly status: number;
      };
    };

/** Something that makes calls with a contract. */
export interface Caller {
  readonly name: string;
  readonly makeCalls: (
    imported: Imported,
    calls: readonly Call[],
  ) => Promise<readonly Outcome[]>;
}

const clients = join(import.meta.dirname, "fixtures/clients");

const all: readonly Caller[] = [
  {
    name: "`ridl call`",
    makeCalls: (imported, calls) =>
      inOrder(calls, (call) => callWithCommand(imported, call)),
  },
  { name: "`ridl mcp`", makeCalls: callTools },
  { name: "a client in TypeScript", makeCalls: callFromTypeScript },
  {
    name: "a client in Python",
    async makeCalls(imported, calls) {
      const setting = "python: { name: shop }";
      const folder = await generate(imported.sandbox, setting);
      const words = [python, "-B", join(clients, "call.py")] as const;
      const env = { PYTHONPATH: join(folder, "python") };
      return callFromProgram(words, folder, env, imported, calls);
    },
  },
  {
    name: "a client in Go",
    async makeCalls(imported, calls) {
      const setting = "go: { module: example.com/shop }";
      const module = join(await generate(imported.sandbox, setting), "go");
      mkdirSync(join(module, "cmd"));
      cpSync(join(clients, "call.go"), join(module, "cmd/main.go"));
      return callFromProgram(
        ["go", "run", "./cmd"],
        module,
        {},
        imported,
        calls,
      );
    },
  },
];

/** All that can call apps on this machine. */
export const callers: readonly Caller[] = all.filter(({ name }) =>
  isInstalled(name),
);

async function inOrder(
  calls: readonly Call[],
  make: (call: Call) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(await make(call));
  return outcomes;
}

/** Calls a method with `ridl call`. Errors: a response that violates its type. */
export async function callWithCommand(
  { sandbox, url }: Imported,
  { method, request, token }: Call,
): Promise<Outcome> {
  const fields = Object.entries(request).map(
    ([name, value]) => `${name}:=${JSON.stringify(value)}`,
  );
  const { exitCode, stderr, stdout } = await sandbox.run([
    ...["call", method, ...fields],
    ...(token === undefined
      ? []
      : ["--header", `Authorization: Bearer ${token}`]),
    ...["--url", url, "--check", "--format", "json"],
  ]);
  if (stdout === "" || (exitCode === 0 && stderr !== "")) {
    throw new Error(stderr);
  }
  return outcomeOf(JSON.parse(stdout), exitCode !== 0);
}

/** Reads a response, or an error in webrpc's envelope. */
function outcomeOf(value: unknown, isError: boolean): Outcome {
  if (!isError) return { value };
  const { error: name, msg: message, status } = Object(value);
  return { error: { name, message, status } };
}

function callTools(
  { sandbox, url }: Imported,
  calls: readonly Call[],
): Promise<readonly Outcome[]> {
  const args = ["shop.ridl", "--url", url, "--tools", "list"];
  return inOrder(calls, async ({ method, request, token }) => {
    const environment =
      token === undefined ? {} : { RIDL_AUTHORIZATION: token };
    const mcp = runMcp(args, environment, sandbox.root);
    const client = await mcp.connect();
    const tools = await client.list();
    const tool = tools.find(({ name }) => name.endsWith(`_${method}`));
    const { isError, structured, text } = await client.call(
      tool?.name ?? method,
      { ...request },
    );
    await mcp.end();
    return outcomeOf(isError ? text : (structured ?? {}), isError);
  });
}

async function callFromTypeScript(
  { sandbox, url }: Imported,
  calls: readonly Call[],
): Promise<readonly Outcome[]> {
  await generate(sandbox, "defaults");
  const files = Object.entries(sandbox.snapshot("generated"));
  const exports = await importEmitted(
    files.map(([path, text]) => ({ path, text })),
    [
      'export * from "/client.js";',
      'export * from "/validators.js";',
      'export { checkResponses } from "@ridlkit/runtime/interceptors";',
    ],
  );
  const createClient = exportedFunction(exports, "createShopHostClient");
  const createCheck = exportedFunction(exports, "checkResponses");
  const check = createCheck(exports["shopResponseChecks"], "throw");
  return inOrder(calls, async ({ method, request, token }) => {
    const headers =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const client = createClient({ baseUrl: url, headers, use: [check] });
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    const services: readonly unknown[] = Object.values(Object(client));
    const service = services.find((each) => name in Object(each));
    try {
      return { value: (await Object(service)[name](request)) ?? {} };
    } catch (error) {
      const { message, name, status } = Object(error);
      return { error: { name, message, status } };
    }
  });
}

/** Generates code. Returns its folder. */
async function generate(sandbox: Sandbox, target: string): Promise<string> {
  const config = `schema: [shop.ridl]\nout: generated\nemit:\n  - ${target}\n`;
  sandbox.write({ "ridl.config.yaml": config });
  expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
  return join(sandbox.root, "generated");
}

/** Runs a program that makes calls with a generated client. */
async function callFromProgram(
  [program, ...args]: readonly [string, ...string[]],
  folder: string,
  env: Readonly<Record<string, string>>,
  { url }: Imported,
  calls: readonly Call[],
): Promise<readonly Outcome[]> {
  const variables = { ...env, URL: url, CALLS: JSON.stringify(calls) };
  return JSON.parse(await runCommand(program, args, folder, variables));
}
