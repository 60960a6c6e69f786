import {
  mkdirSync,
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
import { kotlinClient } from "../conformance/planted-faults/kotlin-client.js";
import { runKit } from "../conformance/run-kit.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { writeSet } from "../write-set.js";
import { classPath, compile } from "./kotlin.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-faults-"));
const classes = join(work, "classes");
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as object;

beforeAll(async () => {
  writeSet("kotlin", contract, work, "conformance", contractSkew.skew);
  const sources = [join(work, "kotlin"), join(here, "Driver.kt")];
  await compile(classes, sources);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("a client in Kotlin that", () => {
  // Compiling a file takes seconds.
  it.each(drawSome(kotlinClient, 40))("$name fails", async (fault) => {
    const folder = mkdtempSync(join(work, "fault-"));
    const file = join(work, "kotlin/ridl", fault.file);
    const faulty = join(folder, fault.file);
    mkdirSync(join(folder, "classes"));
    writeFileSync(faulty, plant(fault, readFileSync(file, "utf8")));
    // The file replaces its classes among those of the others.
    const own = join(folder, "classes");
    await compile(own, [faulty], [classes]);
    const command = `java -cp ${classPath(own, classes)} conformance.DriverKt`;
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
