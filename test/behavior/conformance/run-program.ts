import { startProgram } from "../../../cli/node/start-command.js";
import { toAbsolutePath } from "../../../cli/system/paths.js";
import type { ClientCase } from "../../../tools/conformance/client-case.js";
import {
  type CaseResult,
  checkExceptions,
  type Exceptions,
} from "../../../tools/conformance/exceptions.js";
import { driverOf } from "../../../tools/conformance/run-clients.js";
import {
  exactCases,
  runServers,
} from "../../../tools/conformance/run-servers.js";
import { exactJson, kitCases, runKit } from "./run-kit.js";

/** Runs the cases of clients with a driver. Returns what is wrong. */
export async function faultsOfClient(
  command: string,
  folder: string,
  exceptions: Exceptions,
  cases: readonly ClientCase[] = kitCases,
): Promise<readonly string[]> {
  const path = toAbsolutePath(folder);
  const start = () => driverOf(startProgram(command, path));
  const results = await runKit(start, exceptions, undefined, cases);
  return [
    ...faultsOf(results),
    ...checkExceptions(kitCases, results, exceptions, "client"),
  ];
}

/** Runs the cases of servers with a program. Returns what is wrong. */
export async function faultsOfServer(
  command: string,
  folder: string,
  exceptions: Exceptions,
): Promise<readonly string[]> {
  const program = startProgram(command, toAbsolutePath(folder));
  try {
    const { url } = JSON.parse((await program.read()) ?? "{}") as {
      readonly url: string;
    };
    const results = await runServers(exactCases, url, exceptions, exactJson);
    return [
      ...faultsOf(results),
      ...checkExceptions(exactCases, results, exceptions, "server"),
    ];
  } finally {
    await program.stop();
  }
}

function faultsOf(results: readonly CaseResult[]): readonly string[] {
  return results.flatMap(({ exception, fault, name }) =>
    exception === null && fault !== null ? [`${name}: ${fault}`] : [],
  );
}
