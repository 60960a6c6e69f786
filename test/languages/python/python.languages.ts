import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContract } from "../../conformance/load-contract.js";
import { contract } from "../../conformance/served-contract.js";
import { goldenCases } from "../../support/golden-cases.js";
import { runCommand } from "../run-command.js";
import { type ServedCases, serveCases } from "../serve-cases.js";
import { writeSet } from "../write-set.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
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

describe("generated Python", () => {
  // All packages are in one folder, because each tool takes long to start.
  const folder = join(work, "all");
  const python = join(folder, "python");
  const check = (command: string, ...args: readonly string[]) =>
    runCommand(join(bin, command), args, python);
  beforeAll(() => {
    const documents = readdirSync(join(root, "schema"));
    const platform = documents.filter((path) => path.endsWith(".ridl"));
    writeSet("python", contract, folder, "conformance");
    writeSet(
      "python",
      readContract(join(root, "schema"), ...platform),
      folder,
      "web3-platform",
    );
    for (const { base, contract: golden, name } of goldenCases()) {
      if (base === null) writeSet("python", golden, folder, `case-${name}`);
    }
    const strict = { typeCheckingMode: "strict", pythonVersion: "3.10" };
    const settings = { ...strict, venvPath: join(bin, "../.."), venv: ".venv" };
    writeFileSync(join(python, "pyrightconfig.json"), JSON.stringify(settings));
  });

  it("can be imported and built", async () => {
    expect(await pytest(folder, "test_packages.py")).toMatch(/ passed/u);
  });

  it("has no lint", async () => {
    await check("ruff", "check", ".");
    await check("ruff", "format", "--check", ".");
  });

  it("passes mypy", async () => {
    const args = ["--strict", "--python-version", "3.10", "."];
    expect(await check("mypy", ...args)).toMatch(/^Success/mu);
  });

  it("passes pyright", async () => {
    expect(await check("pyright")).toMatch(/^0 errors, 0 warnings/mu);
  });
});
