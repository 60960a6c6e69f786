import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { methodsOf } from "../../../generator/ir/methods-of.js";
import { stringifyJson } from "../../../runtime/typescript/wire/json.js";
import { type Harness, startHarness } from "../../contract/harness.js";
import { samples } from "../../contract/samples.js";
import { readContract } from "../conformance/load-contract.js";
import type { Exceptions } from "../../../tools/conformance/exceptions.js";
import { faultsOfClient } from "../conformance/run-program.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { goldenCases } from "../../support/golden-cases.js";
import type { Listening } from "../../support/listen.js";
import { runCommand } from "../run-command.js";
import { errorBodyCases, errorBodyContract } from "../error-body-cases.js";
import { type ServedCases, serveCases } from "../serve-cases.js";
import { filesContract, serveFiles } from "../serve-files.js";
import { keysContract, serveKeys } from "../serve-keys.js";
import {
  eventCases,
  lineCases,
  restContract,
  serveRest,
} from "../serve-rest.js";
import { type Mock, startMock } from "../start-mock.js";
import { isSample, runs } from "../../support/draw-some.js";
import { drawSecretTrials } from "../../support/planted-secrets.js";
import { oldContract, oldHeader, oldSkew, serveSkew } from "../serve-skew.js";
import { suite, suiteContract } from "../webrpc-suite.js";
import { writeSet } from "../write-set.js";
import { bin, pytest } from "./pytest.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const documents = readdirSync(join(root, "schema")).filter((path) =>
  path.endsWith(".ridl"),
);
const platform = readContract(join(root, "schema"), ...documents);
/** The cases that Python does not pass, and why. */
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as Exceptions;
const work = mkdtempSync(join(tmpdir(), "ridlkit-python-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("a Python client", () => {
  let cases: ServedCases;
  let files: Listening;
  let env: Readonly<Record<string, string>>;
  const folder = join(work, "served");
  beforeAll(async () => {
    writeSet("python", contract, folder, "conformance");
    writeSet("python", filesContract, folder, "files");
    [cases, files] = await Promise.all([serveCases(), serveFiles()]);
    env = { ...cases.env, FILES: files.url };
  });
  afterAll(() => Promise.all([cases.close(), files.close()]));

  it.each(["test_runtime.py", "test_hostile.py"])("passes %s", async (file) => {
    expect(await pytest(folder, file, env)).toMatch(/ passed/u);
  });
});

it.each(["", "asynchronous"])(
  "passes the cases of a client %s",
  async (kind) => {
    const folder = join(work, "cases");
    writeSet("python", contract, folder, "conformance", contractSkew.skew);
    const program = [join(bin, "python"), "-B", join(here, "driver.py"), kind];
    const client = `PYTHONPATH=${join(folder, "python")} ${program.join(" ")}`;
    expect(await faultsOfClient(client, here, exceptions)).toEqual([]);
  },
);

describe("a Python client of the platform's contract", () => {
  const folder = join(work, "platform");
  let harness: Harness;
  let mock: Mock;
  beforeAll(async () => {
    writeSet("python", platform, folder, "web3-platform");
    [harness, mock] = await Promise.all([
      startHarness(),
      startMock(join(root, "schema"), documents),
    ]);
  });
  afterAll(async () => {
    mock.close();
    await harness.close();
  });

  it("calls every method of generated servers and of ridl mock", async () => {
    const calls = platform.hosts.flatMap(({ name: host, services }) =>
      methodsOf(services).flatMap(({ name: method, service }) => {
        const sample = Object.entries(samples).find(
          ([operation]) => operation === `${service}.${method}`,
        )?.[1];
        const isOutbound = method === "Notify";
        return isOutbound ? [] : [{ host, service, method, ...sample }];
      }),
    );
    const env = {
      MOCK: mock.url,
      PLATFORM: harness.baseUrl,
      SAMPLES: stringifyJson(calls),
    };
    const output = await pytest(folder, "test_platform.py", env);
    expect(output).toMatch(/ passed/u);
  });
});

describe("the programs in docs/python.md", () => {
  const folder = join(work, "docs");
  const programs = join(folder, "programs");
  let mock: Mock;
  beforeAll(async () => {
    mkdirSync(programs, { recursive: true });
    const page = readFileSync(join(root, "docs/python.md"), "utf8");
    const blocks = page.matchAll(/^```(python|ridl) (\S+)\n(.*?)^```$/gmsu);
    const files = [...blocks].map(([, , name = "", text = ""]) => ({
      name,
      text,
    }));
    for (const { name, text } of files)
      writeFileSync(join(programs, name), text);
    const shop = readContract(programs, "shop.ridl");
    writeSet("python", shop, folder, "acme-shop");
    mock = await startMock(programs, ["shop.ridl"]);
    for (const { name, text } of files) {
      const own = text.replaceAll("http://localhost:8080", mock.url);
      writeFileSync(join(programs, name), own);
    }
  });
  afterAll(() => mock.close());

  it("run", async () => {
    const output = await pytest(folder, "test_docs.py", { PROGRAMS: programs });
    expect(output).toMatch(/ passed/u);
  });

  it("pass mypy", async () => {
    const env = { MYPYPATH: join(folder, "python") };
    const args = ["--strict", programs];
    expect(await runCommand(join(bin, "mypy"), args, folder, env)).toMatch(
      /^Success/mu,
    );
  });
});

it("exchanges what webrpc's client and server do", async () => {
  const folder = join(work, "webrpc");
  writeSet("python", suiteContract, folder, "webrpc-suite");
  const file = join(folder, "suite.json");
  writeFileSync(file, suite);
  const output = await pytest(folder, "test_webrpc.py", { SUITE: file });
  expect(output).toMatch(/ passed/u);
});

it("puts each part of a request where the contract says", async () => {
  const folder = join(work, "rest");
  writeSet("python", restContract, folder, "rest");
  const { close, url } = await serveRest();
  const env = { REST: url, EVENT_CASES: eventCases, LINE_CASES: lineCases };
  const output = await pytest(folder, "test_rest.py", env).finally(close);
  expect(output).toMatch(/ passed/u);
});

it("reads pages one after the other", async () => {
  const folder = join(work, "pages");
  const [golden] = goldenCases().filter(({ name }) => name === "pages");
  if (golden === undefined) throw new Error("no contract with pages");
  writeSet("python", golden.contract, folder, "pages");
  expect(await pytest(folder, "test_pages.py")).toMatch(/ passed/u);
});

it("sends credentials in queries and cookies", async () => {
  const folder = join(work, "keys");
  writeSet("python", keysContract, folder, "keys");
  const { close, url } = await serveKeys();
  const env = { KEYS: url };
  const output = await pytest(folder, "test_keys.py", env).finally(close);
  expect(output).toMatch(/ passed/u);
});

it("tells old clients which change made a call fail", async () => {
  const folder = join(work, "skew");
  writeSet("python", oldContract, folder, "shop", oldSkew);
  const { close, url } = await serveSkew();
  const env = { SKEW: url, CONTRACT: oldHeader };
  const output = await pytest(folder, "test_skew.py", env).finally(close);
  expect(output).toMatch(/ passed/u);
});

it("reads errors whose body is a struct as TypeScript clients do", async () => {
  const folder = join(work, "bodies");
  writeSet("python", errorBodyContract, folder, "bodies");
  const cases = join(folder, "cases.json");
  writeFileSync(cases, JSON.stringify(await errorBodyCases()));
  const output = await pytest(folder, "test_error_bodies.py", { CASES: cases });
  expect(output).toMatch(/ passed/u);
});

it("shows no secrets in errors", async () => {
  const folder = join(work, "secrets");
  const trials = drawSecretTrials(Math.ceil(20 * runs), 20_261_128);
  const bodies = trials.map(({ contract: each, texts, values }, at) => {
    const name = `secrets${at}`;
    writeSet("python", each, folder, name);
    // pydantic cannot read unpaired surrogates.
    const isText = (value: unknown) =>
      !/\\ud[89a-f]/u.test(JSON.stringify(value));
    return { name, texts: texts.filter(isText), values: values.filter(isText) };
  });
  const path = join(folder, "trials.json");
  writeFileSync(path, JSON.stringify(bodies));
  const output = await pytest(folder, "test_secrets.py", { TRIALS: path });
  expect(output).toMatch(/ passed/u);
});

it("represents unions, listed values and data of errors in Python", async () => {
  const folder = join(work, "unions");
  const unions = readContract(join(here, ".."), "unions.ridl");
  writeSet("python", unions, folder, "unions");
  const output = await pytest(folder, "test_unions.py");
  expect(output).toMatch(/ passed/u);
});

describe("generated Python", () => {
  // All packages are in one folder, because each tool takes long to start.
  const folder = join(work, "all");
  const python = join(folder, "python");
  const check = (command: string, ...args: readonly string[]) =>
    runCommand(join(bin, command), args, python);
  beforeAll(() => {
    writeSet("python", contract, folder, "conformance");
    writeSet("python", platform, folder, "web3-platform");
    writeSet("python", readContract(here, "names.ridl"), folder, "odd-names");
    const unions = readContract(join(here, ".."), "unions.ridl");
    writeSet("python", unions, folder, "unions");
    writeSet("python", keysContract, folder, "keys");
    writeSet("python", restContract, folder, "rest");
    writeSet("python", errorBodyContract, folder, "bodies");
    writeSet("python", oldContract, folder, "shop", oldSkew);
    for (const { base, contract: golden, name } of goldenCases()) {
      if (base === null) writeSet("python", golden, folder, `case-${name}`);
    }
    // It takes a second for each package, most of it for equal files.
    const packages = readdirSync(python).filter((name) => /^case_/u.test(name));
    const skipped = packages.filter((_, index) => isSample && index % 3 > 0);
    const strict = { typeCheckingMode: "strict", pythonVersion: "3.10" };
    const settings = {
      ...strict,
      exclude: skipped,
      venvPath: join(bin, "../.."),
      venv: "python",
    };
    writeFileSync(join(python, "pyrightconfig.json"), JSON.stringify(settings));
  });

  it("can be imported and built", async () => {
    expect(await pytest(folder, "test_packages.py")).toMatch(/ passed/u);
  });

  it("can be installed by pip", async () => {
    const source = join(work, "package");
    const target = join(work, "installed");
    writeSet("python", filesContract, source, "acme-files");
    const args = ["-m", "pip", "install", "--quiet", "--no-deps"];
    // The virtual environment contains the build system.
    const offline = ["--no-build-isolation", "--target", target];
    const folder = join(source, "python");
    const files = readdirSync(folder);
    await runCommand(join(bin, "python"), [...args, ...offline, folder], here);
    // Some build systems leave folders behind.
    expect(readdirSync(folder)).toEqual(files);
    expect(existsSync(join(target, "acme_files/py.typed"))).toBe(true);
    const program = "import acme_files; print(acme_files.FilesClient.__doc__)";
    const env = { PYTHONPATH: target };
    expect(
      await runCommand(join(bin, "python"), ["-c", program], here, env),
    ).toBe("Calls the methods of files.\n");
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
