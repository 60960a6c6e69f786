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
import { afterAll, beforeAll, describe, it } from "vitest";
import { startProgram } from "../../../cli/node/start-command.js";
import { toAbsolutePath } from "../../../cli/system/paths.js";
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
import {
  exceptionsIn,
  expectCaught,
  isPassed,
  testClients,
} from "../conformance/planted-faults/test-clients.js";
import { exactJson } from "../conformance/run-kit.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { runCommand } from "../run-command.js";
import { writeSet } from "../write-set.js";
import { printEcho } from "./print-echo.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-go-faults-"));
const folder = join(work, "go");

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

/** Builds a program with a fault. Returns its path. */
async function build(
  name: "driver" | "server",
  fault: PlantedFault,
): Promise<string> {
  const file = join(folder, "ridl", fault.file);
  const own = readFileSync(file, "utf8");
  writeFileSync(file, plant(fault, own));
  try {
    const args = ["build", "-o", `${name}.exe`, `./cmd/${name}`];
    await runCommand("go", args, folder);
  } finally {
    writeFileSync(file, own);
  }
  return join(folder, `${name}.exe`);
}

testClients("Go", here, goClient, 160, (fault) => build("driver", fault));

describe("a server in Go that", () => {
  it.for(drawSome(goServer, 224))(
    "$name fails",
    async (fault, { annotate }) => {
      const path = await build("server", fault);
      const program = startProgram(path, toAbsolutePath(folder));
      try {
        const { url } = JSON.parse((await program.read()) ?? "{}") as {
          readonly url: string;
        };
        const exceptions = exceptionsIn(here);
        const results = await runServers(
          exactCases,
          url,
          exceptions,
          exactJson,
          isPassed,
        );
        await annotate(expectCaught(results));
      } finally {
        await program.stop();
      }
    },
  );
});
