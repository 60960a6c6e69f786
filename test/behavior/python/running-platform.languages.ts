import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixtureCoin } from "../../../platform/chain/artifacts/fixture-coin.js";
import {
  type RunningPlatform,
  startRunning,
} from "../../../platform/test/end-to-end/running.js";
import { readContract } from "../conformance/load-contract.js";
import { listen, type Listening } from "../../support/listen.js";
import { runCommand } from "../run-command.js";
import { writeSet } from "../write-set.js";
import { pytest } from "./pytest.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const schema = join(root, "schema");
const documents = readdirSync(schema).filter((path) => path.endsWith(".ridl"));
const folder = mkdtempSync(join(tmpdir(), "ridlkit-python-"));

let platform: RunningPlatform;
let payments: Listening;

beforeAll(async () => {
  writeSet(
    "python",
    readContract(schema, ...documents),
    folder,
    "web3-platform",
  );
  await runCommand(process.execPath, ["scripts/build-platform.js"], root);
  platform = await startRunning();
  // Makes the platform send a webhook.
  const { dollar, other } = platform.ready.fixtures;
  payments = await listen(
    createServer((_, response) => {
      void platform.user
        .writeContractSync({
          ...{ address: dollar, abi: fixtureCoin.abi },
          ...{ functionName: "transfer", args: [other, 3n] },
        })
        .then(({ transactionHash }) => response.end(transactionHash));
    }),
  );
});
afterAll(async () => {
  await payments.close();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("calls the platform of `npm start` from Python, and receives its webhooks", async () => {
  const env = { PAY: payments.url, READY: JSON.stringify(platform.ready) };
  const output = await pytest(folder, "test_running_platform.py", env);
  expect(output).toMatch(/ passed/u);
});
