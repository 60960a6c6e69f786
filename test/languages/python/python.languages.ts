import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../conformance/served-contract.js";
import { runCommand } from "../run-command.js";
import { type ServedCases, serveCases } from "../serve-cases.js";
import { writeSet } from "../write-set.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = join(process.env["RIDLKIT_PYTHON"] ?? `${here}.venv`, "bin");
const work = mkdtempSync(join(tmpdir(), "ridlkit-python-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const pytest = (
  folder: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  runCommand(
    join(bin, "python"),
    ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", file],
    here,
    { ...env, PYTHONPATH: join(folder, "python") },
  );

describe("a Python client of the conformance contract", () => {
  let served: ServedCases;
  const folder = join(work, "conformance");
  beforeAll(async () => {
    writeSet("python", contract, folder, "conformance");
    served = await serveCases();
  });
  afterAll(() => served.close());

  it("passes the cases", async () => {
    const { canned, control, server } = served;
    const env = { CANNED: canned, CONTROL: control, SERVER: server };
    expect(await pytest(folder, "test_cases.py", env)).toMatch(/ passed/u);
  });
});
