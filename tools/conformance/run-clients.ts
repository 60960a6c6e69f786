import type { ClientCase } from "./client-case.js";
import type { Driver } from "./driver.js";
import { type CaseResult, type Exceptions, exceptionOf } from "./exceptions.js";
import { type ClientBench, runClientCase } from "./run-client-case.js";

/** The time in which a program has to respond, in milliseconds. */
export const limitMs = 20_000;

/**
 * Runs cases one after another with a client.
 *
 * Input: `start` starts its driver, also again after it has failed. `onResult`
 * returns whether to go on.
 */
export async function runClients(
  cases: readonly ClientCase[],
  bench: ClientBench,
  exceptions: Exceptions,
  start: () => Driver,
  onResult: (result: CaseResult) => boolean = () => true,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  let driver = start();
  for (const given of cases) {
    const fault = await inTime(
      runClientCase(bench, driver, given).catch(
        (error: unknown) =>
          `${lost}failed: ${error instanceof Error ? error.message : String(error)}`,
      ),
      `${lost}took more than ${limitMs / 1000} s`,
    );
    if (fault?.startsWith(lost)) {
      await driver.stop();
      driver = start();
    }
    const exception = exceptionOf(given, exceptions, "client");
    const result = { name: given.name, exception, fault };
    results.push(result);
    if (!onResult(result)) break;
  }
  await driver.stop();
  return results;
}

/** The start of faults after which a driver is started again. */
const lost = "the driver ";

/** Returns what a program does, or `late` if it takes too long. */
export async function inTime<Value>(
  running: Promise<Value>,
  late: Value,
  ms = limitMs,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  return Promise.race([running, limit]).finally(() => clearTimeout(timer));
}

/** Creates a driver from a program that reads and writes lines. */
export function driverOf(program: {
  write(line: string): void;
  read(): Promise<string | null>;
  stop(): Promise<void>;
}): Driver {
  return {
    async ask(line) {
      program.write(line);
      const answer = await program.read();
      if (answer === null) throw new Error("it has ended");
      return answer;
    },
    stop: () => program.stop(),
  };
}
