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
import { afterAll, beforeAll } from "vitest";
import { plant } from "../conformance/planted-faults/fault.js";
import { pythonClient } from "../conformance/planted-faults/python-client.js";
import { testClients } from "../conformance/planted-faults/test-clients.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { writeSet } from "../write-set.js";
import { bin } from "./pytest.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-faults-"));

beforeAll(() =>
  writeSet("python", contract, work, "conformance", contractSkew.skew),
);
afterAll(() => rmSync(work, { recursive: true, force: true }));

testClients("Python", here, pythonClient, 160, (fault) => {
  const folder = mkdtempSync(join(work, "fault-"));
  cpSync(join(work, "python"), folder, { recursive: true });
  const file = join(folder, "conformance", fault.file);
  writeFileSync(file, plant(fault, readFileSync(file, "utf8")));
  const program = `${join(bin, "python")} -B ${join(here, "driver.py")}`;
  return `PYTHONPATH=${folder} ${program}`;
});
