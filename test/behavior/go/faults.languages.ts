import {
  cpSync,
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
import type {
  CaseResult,
  Exceptions,
} from "../../../tools/conformance/exceptions.js";
import { driverOf } from "../../../tools/conformance/run-clients.js";
import {
  exactCases,
  runServers,
} from "../../../tools/conformance/run-servers.js";
import { drawSome } from "../../support/draw-some.js";
import {
  type PlantedFault,
  plant,
} from "../conformance/planted-faults/fault.js";
import { goClient } from "../conformance/planted-faults/go-client.js";
import { goServer } from "../conformance/planted-faults/go-server.js";
import { exactJson, runKit } from "../conformance/run-kit.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { runCommand } from "../run-command.js";
import { writeSet } from "../write-set.js";
import { printEcho } from "./print-echo.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-go-faults-"));
const folder = join(work, "go");
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as Exceptions;

beforeAll(() => {
  const { skew } = contractSkew;
  writeSet("go", contract, work, "example.com/conformance", skew);
  for (const name of ["driver", "server"]) {
    mkdirSync(join(folder, "cmd", name), { recursive: true });
    cpSync(join(here, `${name}.go`), join(folder, "cmd", name, "main.go"));
  }
  writeFileSync(join(folder, "cmd/server/echo.go"), printEcho());
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Builds a program with a fault. Returns a function that starts it. */
async function build(
  name: "driver" | "server",
  fault: PlantedFault,
): Promise<() => ReturnType<typeof startProgram>> {
  const file = join(folder, "ridl", fault.file);
  const own = readFileSync(file, "utf8");
  writeFileSync(file, plant(fault, own));
  try {
    const args = ["build", "-o", `${name}.exe`, `./cmd/${name}`];
    await runCommand("go", args, folder);
  } finally {
    writeFileSync(file, own);
  }
  const program = join(folder, `${name}.exe`);
  return () => startProgram(program, toAbsolutePath(folder));
}

/** Whether to go on, which the first case that fails ends. */
const isPassed = ({ exception, fault }: CaseResult): boolean =>
  fault === null || exception !== null;

function expectCaught(results: readonly CaseResult[]): void {
  const last = results.at(-1);
  expect([last?.exception, last?.fault]).toEqual([null, expect.any(String)]);
}

describe("a client in Go that", () => {
  it.each(drawSome(goClient, 160))("$name fails", async (fault) => {
    const start = await build("driver", fault);
    expectCaught(await runKit(() => driverOf(start()), exceptions, isPassed));
  });
});

describe("a server in Go that", () => {
  it.each(drawSome(goServer, 224))("$name fails", async (fault) => {
    const program = (await build("server", fault))();
    try {
      const { url } = JSON.parse((await program.read()) ?? "{}") as {
        readonly url: string;
      };
      expectCaught(
        await runServers(exactCases, url, exceptions, exactJson, isPassed),
      );
    } finally {
      await program.stop();
    }
  });
});
