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
import {
  expectCaught,
  isPassed,
} from "../conformance/planted-faults/test-clients.js";
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

// Otherwise, each fault would fail a case.
it("a client in TypeScript passes all cases", async () => {
  const driver = await driverOfBundle(await bundleDriver());
  const results = await runKit(() => driver, {});
  expect(results.filter(({ fault }) => fault !== null)).toEqual([]);
});

describe("a client in TypeScript that", () => {
  it.for(drawSome(typescriptClient, 120))(
    "$name fails",
    async (fault, { annotate }) => {
      const { change, isPlanted } = changeFor(fault);
      const driver = await driverOfBundle(await bundleDriver(change));
      expect(isPlanted()).toBe(true);
      await annotate(expectCaught(await runKit(() => driver, {}, isPassed)));
    },
  );
});

describe("a server in TypeScript that", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const folder = join(root, "runtime/cases");
  const files = generateContract(folder, "conformance.ridl", {
    ...contractSkew,
    int64: "bigint",
    timestamp: "date",
  });
  it.for(drawSome(typescriptServer, 80))(
    "$name fails",
    async (fault, { annotate }) => {
      const { change, isPlanted } = changeFor(fault);
      const generated = await loadGenerated(root, files, [], change);
      expect(isPlanted()).toBe(true);
      const { server } = createConformance(generated);
      const { close, url } = await listen(createServer(toNodeHandler(server)));
      const results = await runServers(
        exactCases,
        url,
        {},
        exactJson,
        isPassed,
      );
      await close();
      await annotate(expectCaught(results));
    },
  );
});
