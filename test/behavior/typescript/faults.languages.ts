import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  exactCases,
  runServers,
} from "../../../tools/conformance/run-servers.js";
import { drawSome } from "../../support/draw-some.js";
import { listen } from "../../support/listen.js";
import { bundleDriver, driverOfBundle } from "./drive-bundle.js";
import { createConformance } from "../conformance/conformance-server.js";
import {
  type Change,
  generateContract,
  loadGenerated,
} from "../conformance/load-contract.js";
import { exactJson, runKit } from "../conformance/run-kit.js";
import { contractSkew } from "../conformance/served-contract.js";
import {
  type PlantedFault,
  plant,
} from "../conformance/planted-faults/fault.js";
import { typescriptClient } from "../conformance/planted-faults/typescript-client.js";
import { typescriptServer } from "../conformance/planted-faults/typescript-server.js";

/** Returns what plants a fault in the file that it names. */
function changeFor(fault: PlantedFault): {
  change: Change;
  isPlanted: () => boolean;
} {
  let isPlanted = false;
  const change: Change = (path, text) => {
    if (!path.endsWith(`/${fault.file}`)) return text;
    isPlanted = true;
    return plant(fault, text);
  };
  return { change, isPlanted: () => isPlanted };
}

const isPassed = ({ fault }: { fault: string | null }): boolean =>
  fault === null;

// Otherwise, each fault would fail a case.
it("a client in TypeScript passes all cases", async () => {
  const driver = await driverOfBundle(await bundleDriver());
  const results = await runKit(() => driver, {});
  expect(results.filter(({ fault }) => fault !== null)).toEqual([]);
});

describe("a client in TypeScript that", () => {
  it.each(drawSome(typescriptClient, 120))("$name fails", async (fault) => {
    const { change, isPlanted } = changeFor(fault);
    const driver = await driverOfBundle(await bundleDriver(change));
    expect(isPlanted()).toBe(true);
    const results = await runKit(() => driver, {}, isPassed);
    expect(results.at(-1)?.fault).not.toBeNull();
  });
});

describe("a server in TypeScript that", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const folder = join(root, "runtime/cases");
  const files = generateContract(folder, "conformance.ridl", {
    ...contractSkew,
    int64: "bigint",
    timestamp: "date",
  });
  it.each(drawSome(typescriptServer, 80))("$name fails", async (fault) => {
    const { change, isPlanted } = changeFor(fault);
    const generated = await loadGenerated(root, files, [], change);
    expect(isPlanted()).toBe(true);
    const { server } = createConformance(generated);
    const { close, url } = await listen(createServer(toNodeHandler(server)));
    const results = await runServers(exactCases, url, {}, exactJson, isPassed);
    await close();
    expect(results.at(-1)?.fault).not.toBeNull();
  });
});
