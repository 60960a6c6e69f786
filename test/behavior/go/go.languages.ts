import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "../../../cli/node/start-command.js";
import { toAbsolutePath } from "../../../cli/system/paths.js";
import { compileContract } from "../../../generator/compile.js";
import type { Contract } from "../../../generator/ir/contract.js";
import type { Exceptions } from "../../../tools/conformance/exceptions.js";
import { expectRawAnswer, rawCases } from "../conformance/raw-cases.js";
import { faultsOfClient, faultsOfServer } from "../conformance/run-program.js";
import { readContract } from "../conformance/load-contract.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { readBlocks } from "../../readme/program.js";
import { runs } from "../../support/draw-some.js";
import { drawSecretTrials } from "../../support/planted-secrets.js";
import { goldenCases } from "../../support/golden-cases.js";
import { errorBodyCases, errorBodyContract } from "../error-body-cases.js";
import { runCommand } from "../run-command.js";
import { failuresContract, serveFailures } from "../serve-failures.js";
import { keysContract, serveKeys } from "../serve-keys.js";
import {
  eventCases,
  lineCases,
  restContract,
  serveRest,
} from "../serve-rest.js";
import { idempotencyContract } from "../serve-idempotency.js";
import {
  oldContract,
  oldHeader,
  oldSkew,
  serverPair,
  serveSkew,
} from "../serve-skew.js";
import { suite, suiteContract } from "../webrpc-suite.js";
import { writeSet } from "../write-set.js";
import { middlewareModules } from "./middleware-modules.js";
import { printEcho } from "./print-echo.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const languages = join(here, "..");
const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The cases that Go does not pass, and why. */
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as Exceptions;

/** `scripts/test-long/languages.js` installs it. */
const staticcheck = join(root, "test/behavior/.work/go/staticcheck");

const work = mkdtempSync(join(tmpdir(), "ridlkit-go-"));
const folder = join(work, "go");
beforeAll(() => {
  const { skew } = contractSkew;
  writeSet("go", contract, work, "example.com/conformance", skew);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

it("prints Go that gofmt would not change and vet accepts", async () => {
  expect(await runCommand("gofmt", ["-l", "."], folder)).toBe("");
  expect(await runCommand("go", ["vet", "./..."], folder)).toBe("");
});

it("passes the cases of a client", async () => {
  await buildProgram("driver");
  const client = join(folder, "driver.exe");
  expect(await faultsOfClient(client, folder, exceptions)).toEqual([]);
});

/** Builds a program in this folder with the module. */
async function buildProgram(
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const program = join(folder, "cmd", name);
  mkdirSync(program, { recursive: true });
  cpSync(join(here, `${name}.go`), join(program, "main.go"));
  for (const [file, text] of Object.entries(more))
    writeFileSync(join(program, file), text);
  const args = ["build", "-o", `${name}.exe`, `./cmd/${name}`];
  await runCommand("go", args, folder);
}

describe("a Go server", () => {
  const program = join(folder, "server.exe");
  beforeAll(() => buildProgram("server", { "echo.go": printEcho() }));

  it("passes the cases of a server", async () => {
    expect(await faultsOfServer(program, folder, exceptions)).toEqual([]);
  });

  it("passes raw requests", async () => {
    const server = startProgram(program, toAbsolutePath(folder));
    try {
      const { url } = JSON.parse((await server.read()) ?? "") as {
        readonly url: string;
      };
      const port = Number(new URL(url).port);
      for (const given of rawCases) await expectRawAnswer(port, given, true);
    } finally {
      await server.stop();
    }
  });
});

it("transfers files, streams, retries and webhooks in Go", async () => {
  const own = join(work, "features");
  const features = readContract(here, "features.ridl");
  writeSet("go", features, own, "example.com/features");
  cpSync(join(here, "features_test.go"), join(own, "go", "features_test.go"));
  const text = await runCommand("go", ["test", "."], join(own, "go"));
  expect(text).toMatch(/^ok /u);
});

it("withstands peers that are slow, large or gone in Go", async () => {
  const own = join(work, "walls");
  const module = join(own, "go");
  writeSet("go", readContract(here, "walls.ridl"), own, "example.com/walls");
  for (const name of ["walls", "limits", "sending", "uploads"])
    cpSync(join(here, `${name}_test.go`), join(module, `${name}_test.go`));
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  const args = ["test", "-race", "-timeout", "2m", "."];
  expect(await runCommand("go", args, module)).toMatch(/^ok /u);
});

it("takes no more CPU for a body than for orders in Go", async () => {
  const own = join(work, "cpu");
  const module = join(own, "go");
  writeSet("go", readContract(here, "walls.ridl"), own, "example.com/walls");
  for (const name of ["walls_test.go", "limits_test.go", "cpu_test.go"])
    cpSync(join(here, name), join(module, name));
  const args = ["test", "-run", "TestCPUOfBodies", "."];
  expect(await runCommand("go", args, module)).toMatch(/^ok /u);
});

it("takes no part of a stream or a file for the whole in Go", async () => {
  const own = join(work, "streams");
  const module = join(own, "go");
  writeSet(
    "go",
    readContract(here, "streams.ridl"),
    own,
    "example.com/streams",
  );
  for (const name of ["streams_test.go", "reconnect_test.go"])
    cpSync(join(here, name), join(module, name));
  appendFileSync(join(module, "go.mod"), middlewareModules.required);
  writeFileSync(join(module, "go.sum"), middlewareModules.sums);
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  const args = ["test", "-race", "."];
  expect(await runCommand("go", args, module)).toMatch(/^ok /u);
});

/** Prints what the tests need of the code of one contract. */
function printTrial(name: string): string {
  return `package secrets_test

import (
	"context"

	c "example.com/secrets/${name}"
	"example.com/secrets/ridl"
)

type ${name} struct{ response *c.GetResponse }

func (s *${name}) Get(context.Context) (*c.GetResponse, error) { return s.response, nil }

func (*${name}) Put(_ context.Context, r *c.PutRequest) error { return nil }

func init() {
	ctx, service := context.Background(), &${name}{}
	get := func(url string, isChecked bool) error {
		var options []ridl.Option
		if isChecked {
			options = append(options, ridl.WithCheckedResponses())
		}
		var err error
		service.response, err = c.NewArbitraryClient(url, options...).Arbitrary.Get(ctx)
		return err
	}
	put := func(url string) error {
		return c.NewArbitraryClient(url).Arbitrary.Put(ctx, (*c.PutRequest)(service.response))
	}
	trials["${name}"] = trial{get, put, c.NewArbitraryHandler(c.ArbitraryServer{Arbitrary: service}, ridl.ServerOptions{})}
}
`;
}

it("shows no secrets in errors and logs in Go", async () => {
  const own = join(work, "secrets");
  const module = join(own, "all");
  const trials = drawSecretTrials(Math.ceil(4 * runs), 20_261_128);
  mkdirSync(module, { recursive: true });
  const bodies = trials.map(({ contract: each, texts }, at) => {
    const name = `secrets${at}`;
    writeSet("go", each, own, `example.com/secrets/${name}`);
    rmSync(join(own, "go/go.mod"));
    // All share the runtime, which takes the longest to compile.
    if (at > 0) rmSync(join(own, "go/ridl"), { recursive: true });
    else renameSync(join(own, "go/ridl"), join(module, "ridl"));
    for (const file of readdirSync(join(own, "go"))) {
      const path = join(own, "go", file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replaceAll(`${name}/ridl"`, 'ridl"'));
    }
    renameSync(join(own, "go"), join(module, name));
    writeFileSync(join(module, `${name}_test.go`), printTrial(name));
    return { name, texts };
  });
  cpSync(join(here, "secrets_test.go"), join(module, "secrets_test.go"));
  writeFileSync(
    join(module, "go.mod"),
    "module example.com/secrets\n\ngo 1.23\n",
  );
  const path = join(own, "trials.json");
  writeFileSync(path, JSON.stringify(bodies));
  const env = { TRIALS: path };
  const text = await runCommand("go", ["test", "."], module, env);
  expect(text).toMatch(/^ok /u);
});

it("reads pages one after the other in Go", async () => {
  const own = join(work, "pages");
  const module = join(own, "go");
  const [golden] = goldenCases().filter(({ name }) => name === "pages");
  if (golden === undefined) throw new Error("no contract with pages");
  writeSet("go", golden.contract, own, "example.com/pages");
  cpSync(join(here, "pages_test.go"), join(module, "pages_test.go"));
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  const text = await runCommand("go", ["test", "."], module);
  expect(text).toMatch(/^ok /u);
});

it("represents unions, listed values and data of errors in Go", async () => {
  const own = join(work, "unions");
  const unions = readContract(languages, "unions.ridl");
  writeSet("go", unions, own, "example.com/unions");
  cpSync(join(here, "unions_test.go"), join(own, "go", "unions_test.go"));
  const text = await runCommand("go", ["test", "."], join(own, "go"));
  expect(text).toMatch(/^ok /u);
});

it("puts each part of a request where the contract says in Go", async () => {
  const own = join(work, "rest");
  writeSet("go", restContract, own, "example.com/rest");
  for (const name of ["rest_test.go", "rest_server_test.go", "events_test.go"])
    cpSync(join(here, name), join(own, "go", name));
  const { close, url } = await serveRest();
  const env = { REST: url, EVENT_CASES: eventCases, LINE_CASES: lineCases };
  const args = ["test", "."];
  const text = await runCommand("go", args, join(own, "go"), env).finally(
    close,
  );
  expect(text).toMatch(/^ok /u);
});

it("sends and reads credentials in queries and cookies in Go", async () => {
  const own = join(work, "keys");
  const module = join(own, "go");
  writeSet("go", keysContract, own, "example.com/keys");
  cpSync(join(here, "keys_test.go"), join(module, "keys_test.go"));
  const { close, url } = await serveKeys();
  const env = { KEYS: url };
  const test = runCommand("go", ["test", "."], module, env);
  expect(await test.finally(close)).toMatch(/^ok /u);
});

it("tells old clients in Go which change made a call fail", async () => {
  const own = join(work, "skew");
  const module = join(own, "go");
  writeSet("go", oldContract, own, "example.com/shop", oldSkew);
  cpSync(join(here, "skew_test.go"), join(module, "skew_test.go"));
  const { close, url } = await serveSkew();
  const env = { SKEW: url, CONTRACT: oldHeader };
  const test = runCommand("go", ["test", "."], module, env);
  expect(await test.finally(close)).toMatch(/^ok /u);
});

it("reads errors whose body is a struct as TypeScript clients do in Go", async () => {
  const own = join(work, "bodies");
  const module = join(own, "go");
  writeSet("go", errorBodyContract, own, "example.com/bodies");
  cpSync(join(here, "bodies_test.go"), join(module, "bodies_test.go"));
  const cases = join(own, "cases.json");
  writeFileSync(cases, JSON.stringify(await errorBodyCases()));
  const env = { CASES: cases };
  const text = await runCommand("go", ["test", "-v", "."], module, env);
  expect(text).toMatch(/\nok /u);
});

it("writes errors whose body is a struct as TypeScript servers do in Go", async () => {
  const own = join(work, "failures");
  const module = join(own, "go");
  writeSet("go", failuresContract, own, "example.com/failures");
  cpSync(join(here, "failures_test.go"), join(module, "failures_test.go"));
  const { close, url } = await serveFailures();
  const env = { FAILURES: url };
  const test = runCommand("go", ["test", "."], module, env);
  expect(await test.finally(close)).toMatch(/^ok /u);
});

it("exchanges what webrpc's client and server do in Go", async () => {
  const own = join(work, "webrpc");
  const module = join(own, "go");
  writeSet("go", suiteContract, own, "example.com/test");
  cpSync(join(here, "webrpc_test.go"), join(module, "webrpc_test.go"));
  const file = join(own, "suite.json");
  writeFileSync(file, suite);
  const env = { SUITE: file };
  const text = await runCommand("go", ["test", "-v", "."], module, env);
  expect(text).toMatch(/\nok /u);
});

it("compiles the programs of the page about Go", async () => {
  const own = join(work, "page");
  const blocks = readBlocks(join(root, "docs/go.md"));
  mkdirSync(own);
  for (const { language, path, text } of blocks) {
    if (language === "ridl") writeFileSync(join(own, path), text);
    if (language !== "go") continue;
    mkdirSync(join(own, "go", dirname(path)), { recursive: true });
    writeFileSync(join(own, "go", path), text);
  }
  const name = "example.com/acme/shop";
  writeSet("go", readContract(own, "shop.ridl"), own, name);
  const module = join(own, "go");
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  expect(await runCommand("go", ["vet", "./..."], module)).toBe("");
});

describe("a Go module of another contract", () => {
  const contracts: readonly (readonly [string, Contract])[] = [
    ["schema", readSchema()],
    // Types with the names of what is generated for hosts, services and credentials.
    ["clashes", readContract(here, "names.ridl")],
    ["all-unions", readContract(languages, "unions.ridl")],
    ["all-keys", keysContract],
    ["all-parts", restContract],
    ["all-errors", errorBodyContract],
    ["failures", failuresContract],
    ["skew", oldContract],
    ["skew-server", serverPair.current],
    ["idempotency", idempotencyContract],
    ...goldenCases()
      // The others have no constructs that these lack.
      .filter(
        ({ base, name }) =>
          base === null &&
          /hostile|names|files|forms|pages|hosts|structs|error|nullable|query|rest|union/u.test(
            name,
          ),
      )
      .map(({ contract: each, name }) => [name, each] as const),
  ];
  const skews = new Map([
    [oldContract, oldSkew],
    [serverPair.current, serverPair.currentSkew],
  ]);
  const all = join(work, "all");
  beforeAll(() => {
    // The other tests are over.
    rmSync(folder, { recursive: true });
    mkdirSync(all);
    for (const [name, each] of contracts) {
      writeSet("go", each, work, `example.com/all/${name}`, skews.get(each));
      rmSync(join(folder, "go.mod"));
      renameSync(folder, join(all, name));
    }
    writeFileSync(join(all, "go.mod"), "module example.com/all\n\ngo 1.23\n");
  });

  it("is not changed by gofmt, and accepted by vet", async () => {
    expect(await runCommand("gofmt", ["-l", "."], all)).toBe("");
    expect(await runCommand("go", ["vet", "./..."], all)).toBe("");
  });

  it("is accepted by staticcheck", async () => {
    // It skips unused names in files with such a header.
    for (const path of readdirSync(all, {
      recursive: true,
      encoding: "utf8",
    })) {
      if (!path.endsWith(".go")) continue;
      const file = join(all, path);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replace(/^\/\/ Code generated .*\n+/u, ""));
    }
    expect(await runCommand(staticcheck, ["./..."], all)).toBe("");
  });
});

/** Reads the contract of this repository. */
function readSchema(): Contract {
  const folder = join(root, "schema");
  const documents = readdirSync(folder).filter((name) =>
    name.endsWith(".ridl"),
  );
  const { value } = compileContract(documents, {
    read: (path) => readFileSync(join(folder, path), "utf8"),
  });
  if (value === null) throw new Error("the contract has errors");
  return value;
}
