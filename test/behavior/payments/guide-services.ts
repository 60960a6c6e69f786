import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect } from "vitest";
import { findFreePort } from "../../../platform/process/programs/free-port.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { readBlocks } from "../../readme/program.js";
import { runtimeEntries } from "../../support/runtime-entries.js";

const page = "docs/guides/payments.md";

/** Does what the guide's file does, with a server that many processes share. */
const database = `import pg from "pg";
import { pgConnection, postgresAnswers } from "@ridlkit/runtime/idempotency";
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const query = async (client, text, parameters) =>
  (await client.query(text, parameters)).rows;
export const openDatabase = async (name, tables) => {
  await pool.query(tables);
  return { answers: postgresAnswers(pgConnection(pool)), query };
};
`;

/** What the guide's form exports. */
export interface PaymentForm {
  submit(
    payments: object,
    storage: object,
    customer: string,
    form: object,
  ): Promise<string>;
}

/** A program of the guide that runs in its own process. */
export interface Instance {
  readonly port: number;
  /** Kills the process, and starts the program again at the same port. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Builds the programs of the guide. Returns a function that starts one, and the
 * code for browsers.
 */
export async function buildGuide<Browser>(browser: string) {
  const shown = readBlocks(page).filter(({ path }) => /\.\w+$/u.test(path));
  const files = Object.fromEntries(shown.map(({ path, text }) => [path, text]));
  const sandbox = createSandbox({
    ...files,
    "database.ts": database,
    "browser.ts": browser,
    "ridl.config.yaml": "schema:\n  - schema/*.ridl\nout: generated\n",
  });
  const { stderr } = await sandbox.run(["generate"]);
  expect(stderr).not.toContain("error");
  await build({
    entryPoints: ["bank.ts", "server.ts", "browser.ts"].map((name) =>
      join(sandbox.root, name),
    ),
    bundle: true,
    format: "esm",
    platform: "node",
    alias: runtimeEntries,
    nodePaths: ["node_modules"],
    external: ["pg-native"],
    // The driver is CommonJS.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    outdir: join(sandbox.root, "dist"),
    outExtension: { ".js": ".mjs" },
    logLevel: "silent",
  });
  const fileOf = (name: string) => join(sandbox.root, "dist", `${name}.mjs`);
  return {
    start: (name: string, environment: NodeJS.ProcessEnv) =>
      startInstance(fileOf(name), environment),
    browser: (await import(
      /* @vite-ignore */ pathToFileURL(fileOf("browser")).href
    )) as Browser,
  };
}

async function startInstance(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<Instance> {
  const port = await findFreePort();
  const env = { ...process.env, ...environment, PORT: String(port) };
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [file], { env, stdio: "ignore" });
    await expect
      .poll(() =>
        fetch(`http://localhost:${port}`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    return child;
  };
  let running = await start();
  return {
    port,
    restart: async () => {
      await kill(running);
      running = await start();
    },
    stop: () => kill(running),
  };
}
