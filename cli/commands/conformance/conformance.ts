import {
  escapeUnits,
  invisible,
} from "../../../generator/4-emit/emitter/invisible.js";
import { compileContract } from "../../../generator/compile.js";
import { isRecord } from "../../../generator/ir/is-record.js";
import {
  type ClientCase,
  readCases,
} from "../../../tools/conformance/client-case.js";
import {
  type CaseResult,
  checkExceptions,
  type Exceptions,
} from "../../../tools/conformance/exceptions.js";
import { serveConformance } from "../../../tools/conformance/handlers.js";
import { parseOr } from "../../../tools/conformance/compare-requests.js";
import type { ExactJson } from "../../../tools/conformance/json.js";
import { createRecorder } from "../../../tools/conformance/record-requests.js";
import { printResult, printTotal } from "../../../tools/conformance/report.js";
import {
  driverOf,
  inTime,
  runClients,
} from "../../../tools/conformance/run-clients.js";
import {
  exactCases,
  runServers,
} from "../../../tools/conformance/run-servers.js";
import {
  callsOfEvents,
  callsOfLines,
} from "../../../tools/conformance/stream-cases.js";
import { loadRuntime } from "../../../tools/loaded.js";
import { exactOptions, loadGenerated } from "../../project/load-generated.js";
import { exitCodes } from "../../system/exit-codes.js";
import { resolvePath } from "../../system/paths.js";
import {
  type RunningProgram,
  type System,
  UsageError,
} from "../../system/system.js";

/** Flags of `ridl conformance`. */
export interface ConformanceFlags {
  readonly exceptions?: string;
  /** Part of the names of the cases that run. */
  readonly case?: string;
  readonly all?: boolean;
}

const contractFile = "conformance.ridl";

/**
 * `ridl conformance`: runs the cases of clients or servers with a program.
 *
 * Input: `client` or `server`, and the command that starts the program. Returns
 * the exit code. Errors: a {@link UsageError} for other arguments.
 */
export async function conformance(
  [role = "", command = ""]: readonly string[],
  flags: ConformanceFlags,
  system: System,
): Promise<number> {
  if (role !== "client" && role !== "server")
    throw new UsageError(
      `\`${role}\` is neither \`client\` nor \`server\``,
      "write what the program is, and the command that starts it",
    );
  const exceptions = readExceptions(flags.exceptions, system);
  let program: RunningProgram | null = null;
  let isInterrupted = false;
  const start = (): RunningProgram =>
    (program = system.startProgram(command, system.workingFolder));
  void system.untilInterrupted().then(() => {
    isInterrupted = true;
    void program?.stop();
  });
  const onResult = (result: CaseResult): boolean => {
    const text = printResult(result, flags.all ?? false);
    // Responses can contain characters that control a terminal.
    const shown = text?.replace(invisible, escapeUnits);
    if (shown !== undefined) system.stdout.write(`${shown}\n`);
    return !isInterrupted;
  };
  const run = role === "client" ? runClient : runServer;
  const part = flags.case ?? "";
  const { cases, results } = await run(
    { command, start, exceptions, part, onResult },
    system,
  );
  const faults = checkExceptions(cases, results, exceptions, role);
  for (const fault of faults) system.stdout.write(`FAIL  ${fault}\n`);
  system.stdout.write(`${printTotal(results)}\n`);
  const isBad = results.some(
    ({ exception, fault }) => exception === null && fault !== null,
  );
  return isBad || faults.length > 0 || results.length === 0
    ? exitCodes.failure
    : exitCodes.success;
}

/** The program of a run, and what is done with it. */
interface Trial {
  readonly command: string;
  readonly start: () => RunningProgram;
  readonly exceptions: Exceptions;
  /** What the names of the cases contain. */
  readonly part: string;
  /** Returns whether to go on. */
  readonly onResult: (result: CaseResult) => boolean;
}

interface Run {
  readonly cases: readonly { readonly name: string }[];
  readonly results: readonly CaseResult[];
}

async function runClient(
  { start, exceptions, part, onResult }: Trial,
  system: System,
): Promise<Run> {
  const kit = await loadKit(system);
  const recorder = createRecorder();
  const address = { host: "127.0.0.1", port: 0 };
  const listening = await system.listen(recorder.listen, address);
  const url = `http://127.0.0.1:${listening.port}`;
  try {
    const results = await runClients(
      kit.cases.filter(({ name }) => name.includes(part)),
      { ...kit, recorder, url, usedKeys: new Set() },
      exceptions,
      () => driverOf(start()),
      onResult,
    );
    return { cases: kit.cases, results };
  } finally {
    await listening.close();
  }
}

/** How long a server may take to start, since its command may compile it. */
const startMs = 300_000;

async function runServer(
  { command, start, exceptions, part, onResult }: Trial,
  system: System,
): Promise<Run> {
  const { json } = await loadKit(system);
  const program = start();
  try {
    const line = await inTime(program.read(), null, startMs);
    const first = parseOr(json, line ?? "");
    const url = isRecord(first) ? first["url"] : undefined;
    if (typeof url !== "string" || !URL.canParse(url))
      throw new UsageError(
        `\`${command}\` wrote no address`,
        `its first line must be JSON such as {"url": "http://127.0.0.1:8080"}, within ${startMs / 60_000} minutes`,
      );
    const results = await runServers(
      exactCases.filter(({ name }) => name.includes(part)),
      url,
      exceptions,
      json,
      onResult,
    );
    return { cases: exactCases, results };
  } finally {
    await program.stop();
  }
}

/** Reads the cases, and loads the server of their contract. */
async function loadKit(system: System) {
  const folder = resolvePath(system.packageFolder, "runtime/cases");
  const read = (name: string): string =>
    system.readText(resolvePath(folder, name)) ?? "";
  const { value: contract } = compileContract([contractFile], { read });
  if (contract === null) throw new Error(`${contractFile} has errors`);
  const generated = await loadGenerated(
    contract,
    [{ name: "server" }, { name: "index" }],
    { ...exactOptions({}), runtimeFiles: ["idempotency", "server", "json"] },
    system,
  );
  try {
    const { load } = generated;
    const json = {
      parse: await loadRuntime(load, "json", "parseJson"),
      stringify: await loadRuntime(load, "json", "stringifyJson"),
    } as ExactJson;
    const keep = await loadRuntime(load, "idempotency", "idempotency");
    const answers = await loadRuntime(load, "idempotency", "memoryAnswers");
    const exports = {
      ...Object(await load("index.js")),
      ...Object(await load("server.js")),
    };
    const options = { idempotency: keep(answers()) };
    const { server } = serveConformance<{
      fetch: (request: Request) => Promise<Response>;
    }>(exports, options);
    const cases: readonly ClientCase[] = [
      ...readCases<ClientCase>(read("client-cases.jsonl"), json),
      ...callsOfLines(readCases(read("line-cases.jsonl"), json)),
      ...callsOfEvents(readCases(read("event-cases.jsonl"), json)),
    ];
    return { cases, contract, json, serve: server.fetch };
  } finally {
    generated.remove();
  }
}

function readExceptions(file: string | undefined, system: System): Exceptions {
  if (file === undefined) return {};
  const text = system.readText(resolvePath(system.workingFolder, file));
  if (text === null) throw new UsageError(`there is no file \`${file}\``);
  try {
    return JSON.parse(text) as Exceptions;
  } catch {
    throw new UsageError(`\`${file}\` is no JSON`);
  }
}
