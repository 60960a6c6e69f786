import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startProgram } from "../../../../cli/node/start-command.js";
import { toAbsolutePath } from "../../../../cli/system/paths.js";
import type {
  CaseResult,
  Exceptions,
} from "../../../../tools/conformance/exceptions.js";
import { driverOf } from "../../../../tools/conformance/run-clients.js";
import { drawSome } from "../../../support/draw-some.js";
import { runKit } from "../run-kit.js";
import type { PlantedFault } from "./fault.js";

/** Reads the cases that a language does not pass, from its folder. */
export function exceptionsIn(folder: string): Exceptions {
  return JSON.parse(
    readFileSync(join(folder, "exceptions.json"), "utf8"),
  ) as Exceptions;
}

/** Whether to go on, which the first case that fails ends. */
export const isPassed = ({ exception, fault }: CaseResult): boolean =>
  fault === null || exception !== null;

/** Expects that the last case has failed. Returns its name. */
export function expectCaught(results: readonly CaseResult[]): string {
  const last = results.at(-1);
  expect([last?.exception, last?.fault]).toEqual([null, expect.any(String)]);
  return `caught by ${last?.name}`;
}

/**
 * Tests that the kit catches each fault of the clients in a language.
 *
 * Input: the language, the folder of its tests, its faults, `oneOf` of
 * `drawSome`, and `build`, which builds the driver with a fault and returns the
 * command that starts it.
 */
export function testClients(
  language: string,
  folder: string,
  faults: readonly PlantedFault[],
  oneOf: number,
  build: (fault: PlantedFault) => Promise<string> | string,
): void {
  describe(`a client in ${language} that`, () => {
    it.for(drawSome(faults, oneOf))(
      "$name fails",
      async (fault, { annotate }) => {
        const command = await build(fault);
        const start = () =>
          driverOf(startProgram(command, toAbsolutePath(folder)));
        const exceptions = exceptionsIn(folder);
        await annotate(expectCaught(await runKit(start, exceptions, isPassed)));
      },
    );
  });
}
