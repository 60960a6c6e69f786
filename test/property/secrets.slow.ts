import { inspect } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { checkResponses } from "../../runtime/typescript/client/check-responses.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { runs } from "../support/draw-some.js";
import { importEmitted } from "../support/import-emitted.js";
import {
  drawSecretTrials,
  planted,
  type SecretTrial,
} from "../support/planted-secrets.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";

const plain: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const choices: readonly EmitOptions[] = [
  plain,
  { ...plain, int64: "bigint", timestamp: "date" },
];

afterEach(() => vi.restoreAllMocks());

/** Prints everything that a program can see of an error. */
function everythingOf(error: unknown): string {
  const shown = inspect(error, { depth: Infinity, showHidden: true });
  return `${String(error)}\n${shown}\n${JSON.stringify(error)}`;
}

async function load(
  { contract }: SecretTrial,
  options: EmitOptions,
): Promise<Exports> {
  const files = emitContract(contract, emitters, options, {
    runtimeSources: new Map(),
  });
  const wanted = ["client", "server", "validators"];
  return importEmitted(
    files,
    wanted.map((name) => `export * from "/${name}.ts";`),
  );
}

/** Returns what a client tells about a response. */
async function tellOf(
  exports: Exports,
  text: string,
  status: number,
  isChecked: boolean,
): Promise<string> {
  const checks = Object(exports["arbitraryResponseChecks"]);
  const client = Object(
    exportedFunction(
      exports,
      "createArbitraryClient",
    )({
      baseUrl: "https://example.com",
      fetch: () => Promise.resolve(new Response(text, { status })),
      use: isChecked ? [checkResponses(checks, "throw")] : [],
    }),
  );
  try {
    await client.get({});
    return "";
  } catch (error) {
    return everythingOf(error);
  }
}

it.each(choices)(
  "never shows the value of a sensitive field in an error or a log: %o",
  { timeout: 600_000 },
  async (options) => {
    const printed: string[] = [];
    vi.spyOn(console, "error").mockImplementation((...all) => {
      printed.push(...all.map(everythingOf));
    });
    let failed = 0;
    const trials = drawSecretTrials(Math.ceil(25 * runs), 20_261_128);
    for (const trial of trials) {
      const exports = await load(trial, options);
      for (const text of trial.texts) {
        for (const [status, isChecked] of [
          [200, false],
          [200, true],
          [400, false],
        ] as const) {
          const told = await tellOf(exports, text, status, isChecked);
          expect(told, text).not.toMatch(planted);
          failed += Number(told !== "");
        }
      }
      let given: unknown = {};
      const handlers = {
        arbitrary: { put: () => ({}), get: () => given },
      };
      const create = exportedFunction(exports, "createArbitraryServer");
      const server = create({ handlers }) as RpcServer;
      const send = async (method: string, body: string): Promise<string> => {
        const url = `https://example.com/rpc/Arbitrary/${method}`;
        const headers = { "content-type": "application/json" };
        const sent = new Request(url, { method: "POST", headers, body });
        const response = await server.fetch(sent);
        return response.ok ? "" : response.text();
      };
      for (const text of trial.texts) {
        const told = await send("Put", text);
        expect(told, text).not.toMatch(planted);
        failed += Number(told !== "");
      }
      for (given of trial.values)
        expect(await send("Get", "{}")).not.toMatch(planted);
    }
    expect(printed.join("\n")).not.toMatch(planted);
    expect(printed.length).toBeGreaterThan(trials.length / 2);
    expect(failed).toBeGreaterThan(50 * trials.length);
  },
);
