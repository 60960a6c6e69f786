import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "../../../cli/node/start-command.js";
import { toAbsolutePath } from "../../../cli/system/paths.js";
import { driverOf } from "../../../tools/conformance/run-clients.js";
import { drawSome } from "../../support/draw-some.js";
import { plant } from "../conformance/planted-faults/fault.js";
import { pythonClient } from "../conformance/planted-faults/python-client.js";
import { runKit } from "../conformance/run-kit.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { writeSet } from "../write-set.js";
import { bin } from "./pytest.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-faults-"));
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as object;

beforeAll(() =>
  writeSet("python", contract, work, "conformance", contractSkew.skew),
);
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("a client in Python that", () => {
  it.each(drawSome(pythonClient, 160))("$name fails", async (fault) => {
    const folder = mkdtempSync(join(work, "fault-"));
    cpSync(join(work, "python"), folder, { recursive: true });
    const file = join(folder, "conformance", fault.file);
    writeFileSync(file, plant(fault, readFileSync(file, "utf8")));
    const program = `${join(bin, "python")} -B ${join(here, "driver.py")}`;
    const command = `PYTHONPATH=${folder} ${program}`;
    const start = () => driverOf(startProgram(command, toAbsolutePath(here)));
    const results = await runKit(
      start,
      exceptions,
      ({ exception, fault: wrong }) => wrong === null || exception !== null,
    );
    const last = results.at(-1);
    expect([last?.exception, last?.fault]).toEqual([null, expect.any(String)]);
  });
});
