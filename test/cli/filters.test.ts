import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isQuick } from "./support/is-quick.js";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const common = `webrpc = v1
name = common

type Key: string
  + header = X-Key
  + error = Denied

type Token: string
  + header = X-Token
  + error = Expired

enum Known: string
  - fiction

type Genre: string
  + known = Known

struct Inner
  - genre: Genre

struct Book
  - pages: map<string,[]Inner>
  - next: []Book

struct Stock
  - count: uint32

error 1 Denied "denied" HTTP 401
error 2 Expired "expired" HTTP 401
error 3 NoBook "no book" HTTP 404
error 4 NoStock "no stock" HTTP 404
error 5 InvalidArgument "invalid argument"
`;

const shop = `webrpc = v1
name = shop
version = v1.0.0
basepath = "/rpc"

import "common.ridl"

service Shop
  @public @auth:X-Key
  - GetBook() => (book: Book) errors NoBook

  @internal @auth:X-Token
  - SetStock(stock: Stock) => () errors NoStock

service Admin
  @internal
  - Restart() => () errors NoStock
`;

const bank = `webrpc = v1
name = bank
version = v1.0.0
basepath = "/bank"

struct Account
  - id: uint32

error 6 BankClosed "closed"

service Bank
  @public
  - GetAccount() => (account: Account) errors
`.replace(" errors\n", "\n");

/**
 * Creates a project with two hosts. Input: additional lines of its
 * configuration.
 */
function project(config = ""): Sandbox {
  return createSandbox({
    "ridl.config.yaml": `schema: [shop.ridl, bank.ridl]\n${config}`,
    "common.ridl": common,
    "shop.ridl": shop,
    "bank.ridl": bank,
  });
}

/** Returns the contract as emitters see it, and the output of the command. */
async function exported(sandbox: Sandbox, ...flags: readonly string[]) {
  const args = ["export", "--format", "ir", ...flags];
  const { exitCode, stderr, stdout } = await sandbox.run(args);
  expect(exitCode, stderr).toBe(0);
  const { credentials, errors, hosts, types } = JSON.parse(stdout);
  const namesOf = (each: readonly { readonly name: string }[]) =>
    each.map(({ name }) => name);
  const methods = hosts.flatMap(
    (host: { name: string; services: readonly [{ name: string }] }) =>
      host.services.flatMap((service: Readonly<Record<string, unknown>>) =>
        namesOf(Object(service)["methods"]).map(
          (name) => `${host.name}.${String(service["name"])}.${name}`,
        ),
      ),
  );
  return {
    stderr,
    methods,
    credentials: namesOf(credentials),
    errors: namesOf(errors),
    types: namesOf(types),
  };
}

describe("a filter", () => {
  test("selects services, and omits everything that their methods do not need", async () => {
    const flags = ["--service", "Shop", "--match", "@public"];
    expect(await exported(project(), ...flags)).toEqual({
      stderr: "",
      methods: ["shop.Shop.GetBook"],
      credentials: ["Key"],
      errors: ["Denied", "NoBook", "InvalidArgument"],
      types: ["Key", "Known", "Genre", "Inner", "Book"],
    });
  });

  test("keeps all errors of a host if a remaining method does not declare which errors it throws", async () => {
    const { errors, methods } = await exported(project(), "--service=Bank");
    expect(methods).toEqual(["bank.Bank.GetAccount"]);
    expect(errors).toEqual(["BankClosed"]);
  });

  test.each([
    [
      ["--match", "@public"],
      ["GetBook", "GetAccount"],
    ],
    [
      ["--ignore", "@internal"],
      ["GetBook", "GetAccount"],
    ],
    [["--match", "@auth:X-Token"], ["SetStock"]],
    [
      ["--match", "@auth"],
      ["GetBook", "SetStock"],
    ],
    [["--match", "@auth", "--ignore", "@auth:X-Key"], ["SetStock"]],
    [
      ["--service", "Bank,Admin"],
      ["Restart", "GetAccount"],
    ],
    [
      ["--service", "Bank", "--service", "Admin"],
      ["Restart", "GetAccount"],
    ],
    [
      ["--unused", "omit"],
      ["GetBook", "SetStock", "Restart", "GetAccount"],
    ],
  ])("with %j keeps only %j", async (flags, expected) => {
    const { methods } = await exported(project(), ...flags);
    const names = methods.map((name: string) => name.split(".").at(-1));
    expect(names).toEqual(expected);
  });

  test("keeps unused types on request", async () => {
    const sandbox = project("filter: { services: [Shop] }\n");
    expect((await exported(sandbox)).types).not.toContain("Account");
    const all = await exported(sandbox, "--unused", "keep");
    expect(all.types).toContain("Account");
    expect(all.errors).toHaveLength(6);
  });

  test("reports unknown services and annotations", async () => {
    const sandbox = project(
      'filter: { services: [Shpo], match: ["@public"], ignore: ["@interal"] }\n',
    );
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[unmatched-filter]: `filter.services` names `Shpo`, which is not a service\n --> ridl.config.yaml:2:22",
    );
    expect(stderr).toContain("did you mean `Shop`?");
    expect(stderr).toContain(
      "error[unmatched-filter]: `filter.ignore` names `@interal`, which no method has\n --> ridl.config.yaml:2:58",
    );
    expect(stderr).toContain("did you mean `@internal`?");
    const flags = ["generate", "--service", "Mail"];
    expect((await sandbox.run(flags)).stderr).toContain(
      "`--service` names `Mail`, which is not a service\n = help: the services are `Shop`, `Admin`, `Bank`",
    );
  });

  test("reports that no method matches", async () => {
    const flags = ["--service", "Admin", "--match", "@public"];
    for (const command of [["generate"], ["package", "--out", "p"]]) {
      const run = await project().run([...command, ...flags]);
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain("the filter excludes all methods");
    }
  });

  test("compares whole values, even if they contain commas", async () => {
    const several = shop.replace("@auth:X-Token", '@auth:"X-Key,X-Token"');
    for (const [value, methods] of [
      ["@auth:X-Key", ["GetBook"]],
      ["@auth:X-Key,X-Token", ["SetStock"]],
    ] as const) {
      const sandbox = project(`filter: { match: ["${value}"] }\n`);
      sandbox.write({ "shop.ridl": several });
      const { exitCode, stdout } = await sandbox.run(["export", "--format=ir"]);
      expect(exitCode).toBe(0);
      expect(
        ["GetBook", "SetStock"].filter((name) => stdout.includes(`"${name}"`)),
      ).toEqual(methods);
    }
  });

  test("rejects an annotation without its `@`", async () => {
    for (const flag of ["--match", "--ignore"]) {
      const run = await project().run(["generate", flag, "internal"]);
      expect(run.exitCode).toBe(2);
      expect(run.stderr).toContain(
        `\`${flag}\` contains \`internal\`, which is not an annotation`,
      );
      expect(run.stderr).toContain(`e.g. \`${flag} @internal\``);
    }
  });

  test("accepts settings for hosts that the filter excludes", async () => {
    const sandbox = project(
      "filter: { services: [Shop] }\nemit: [docs: { addresses: { bank: https://bank.example.com } }]\n",
    );
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
  });
});

describe("generated output", () => {
  test("follows every change to a filter", async () => {
    const sandbox = project();
    const generate = async (...flags: readonly string[]) => {
      const run = await sandbox.run(["generate", ...flags]);
      const loses = flags.length === 0 ? "" : expect.stringContaining("loses");
      expect(run).toMatchObject({ exitCode: 0, stderr: loses });
      return Object.values(sandbox.snapshot("generated")).join("\n");
    };
    expect(await generate()).toContain("SetStock");
    expect(await generate("--service", "Bank")).not.toContain("SetStock");
    // The filter has changed, although the text of the configuration has not.
    expect(isQuick(sandbox)).toBe(false);
    expect(await generate()).toContain("SetStock");
    expect(isQuick(sandbox)).toBe(true);
    const config = sandbox.read("ridl.config.yaml");
    sandbox.write({
      "ridl.config.yaml": `${config}filter: { ignore: ["@internal"] }\n`,
    });
    expect(isQuick(sandbox)).toBe(false);
    expect(await generate()).not.toContain("SetStock");
    expect(isQuick(sandbox)).toBe(true);
  });

  test("is the same after an edit to one host as after a full run", async () => {
    const sandbox = project("filter: { services: [Shop, Bank] }\n");
    await sandbox.run(["generate"]);
    const edited = bank.replace("  @public", "  # Edited.\n  @public");
    sandbox.write({ "bank.ridl": edited });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const files = sandbox.snapshot("generated");
    expect(Object.values(files).join("\n")).toContain("Edited.");
    await sandbox.run(["generate", "--force"]);
    expect(sandbox.snapshot("generated")).toEqual(files);
  });

  test("is also filtered in a package", async () => {
    const sandbox = project('filter: { ignore: ["@internal"] }\n');
    const run = await sandbox.run(["package", "--out", "client"]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const readme = sandbox.read("client/README.md");
    expect(readme).toContain("GetBook".replace("G", "g"));
    expect(readme).not.toContain("setStock");
  });
});

describe("webrpc's forms", () => {
  test("contain the remaining methods, and keep types as webrpc does", async () => {
    const sandbox = project();
    const flags = ["--service", "Shop", "--ignore", "@internal"];
    const print = async (format: string, ...more: readonly string[]) => {
      const args = ["export", "--format", format, ...flags, ...more];
      const run = await sandbox.run(args);
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      return run.stdout;
    };
    const json = await print("json");
    const whole = await sandbox.run(["export", "--format=json", "shop.ridl"]);
    const { services, ...rest } = JSON.parse(whole.stdout);
    const [{ methods, ...service }] = services;
    expect(JSON.parse(json)).toEqual({
      ...rest,
      services: [{ ...service, methods: [methods[0]] }],
    });
    const hash = createHash("sha1").update(json).digest("hex");
    expect(await print("hash")).toBe(`${hash}\n`);
    const ridl = await print("ridl", "--unused", "omit");
    expect(ridl).toContain("GetBook");
    expect(ridl).not.toMatch(/stock|Token/iu);
  });
});
