import {
  mkdtempSync,
  readFileSync,
  renameSync,
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
import { rustClient } from "../conformance/planted-faults/rust-client.js";
import { runKit } from "../conformance/run-kit.js";
import { buildDriver, writeDriver } from "./write-crates.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-rust-faults-"));
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as object;

beforeAll(() => writeDriver(work));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("a client in Rust that", () => {
  it.each(drawSome(rustClient, 160))("$name fails", async (fault) => {
    const file = join(work, "conformance/src/ridl", fault.file);
    const own = readFileSync(file, "utf8");
    writeFileSync(file, plant(fault, own));
    const program = await buildDriver(work).finally(() => {
      // The next build compiles the file again, whose time is another one.
      writeFileSync(`${file}.new`, own);
      renameSync(`${file}.new`, file);
    });
    const start = () => driverOf(startProgram(program, toAbsolutePath(work)));
    const results = await runKit(
      start,
      exceptions,
      ({ exception, fault: wrong }) => wrong === null || exception !== null,
    );
    const last = results.at(-1);
    expect([last?.exception, last?.fault]).toEqual([null, expect.any(String)]);
  });
});
