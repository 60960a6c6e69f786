import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { posix } from "node:path/posix";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const contract = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

# Sells books.
service Shop
  @readonly
  - Get(id: string) => (title: string)
`;

function project(files: Readonly<Record<string, string>> = {}): Sandbox {
  return createSandbox({
    "shop.ridl": contract,
    "ridl.config.yaml":
      "schema: [shop.ridl]\nemit: [markdown]\ntemplates: mine\n",
    ...files,
  });
}

describe("templates that replace ridlkit's", () => {
  test("change what `ridl generate` and `ridl package` write", async () => {
    const sandbox = project({
      "mine/markdown/facts.hbs": "Costs nothing.\n",
      "mine/package/calls.hbs": "Call it.\n",
    });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("generated/api.md")).toContain("\nCosts nothing.\n");
    const made = await sandbox.run(["package", "--out", "client"]);
    expect(made).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("client/README.md")).toContain("\n\nCall it.\n\n");
  });

  test("count as inputs, also if they are new, change or disappear", async () => {
    const sandbox = project({ "mine/markdown/facts.hbs": "One.\n" });
    const generate = () => sandbox.run(["generate"]);
    const page = () => sandbox.read("generated/api.md");
    await generate();
    expect((await generate()).stdout).toBe("nothing changed\n");
    sandbox.write({ "mine/markdown/facts.hbs": "Two.\n" });
    await generate();
    expect(page()).toContain("Two.");
    sandbox.write({ "mine/markdown/route/rpc.hbs": "Three.\n" });
    const drift = await sandbox.run(["generate", "--check"]);
    expect(drift.exitCode).toBe(1);
    await generate();
    expect(page()).toContain("Three.");
    sandbox.remove("mine/markdown/route");
    await generate();
    expect(page()).not.toContain("Three.");
    expect((await generate()).stdout).toBe("nothing changed\n");
  });

  test.each(["generate", "check", "package --out client"])(
    "are checked by `ridl %s`, with their place",
    async (command) => {
      const sandbox = project({
        "mine/markdown/facts.hbs": "{{#if isReadonly}}\n{{nam}}{{/if}}\n",
        "mine/package/calls.hbs": "{{version}}\n",
      });
      const { exitCode, stderr } = await sandbox.run(command.split(" "));
      expect(exitCode).toBe(1);
      expect(stderr).toContain("`MethodView` has no `nam`");
      expect(stderr).toContain("--> mine/markdown/facts.hbs:2:3");
      expect(stderr).toContain("did you mean `name`?");
      expect(stderr).toContain("`PackageView` has no `version`");
      expect(sandbox.has("generated")).toBe(false);
      expect(sandbox.has("client")).toBe(false);
    },
  );

  test.each([
    [{}, "there are no templates in `mine`"],
    [
      { "mine/markdwn/facts.hbs": "" },
      "ridlkit has no template set `markdwn`, which `mine` contains",
    ],
    [{ "mine/facts.hbs": "" }, "ridlkit has no template set `facts`"],
    [{ "mine/markdown/fact.hbs": "x" }, "no template uses the partial `fact`"],
  ])("are reported if they have no effect: %j", async (files, message) => {
    const { exitCode, stderr } = await project(files).run(["check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });

  test("are noticed while watching", async () => {
    const sandbox = project({ "mine/markdown/facts.hbs": "One.\n" });
    let stop = (): void => {};
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const running = sandbox.run(["generate", "--watch"], {
      untilInterrupted: () => stopped,
    });
    const page = (): string =>
      sandbox.has("generated/api.md") ? sandbox.read("generated/api.md") : "";
    await expect.poll(page).toContain("One.");
    sandbox.write({ "mine/markdown/facts.hbs": "Two.\n" });
    await expect.poll(page).toContain("Two.");
    sandbox.write({ "mine/markdown/errors/any.hbs": "Three.\n" });
    await expect.poll(page).toContain("Three.");
    stop();
    await running;
  });
});

describe("ridl template", () => {
  test("copies a template, and `ridl check` reports that it changed", async () => {
    const sandbox = project();
    const copy = () => sandbox.run(["template", "copy", "markdown", "facts"]);
    expect(await copy()).toMatchObject({
      exitCode: 0,
      stdout: "create mine/markdown/facts.hbs\n",
    });
    expect(await sandbox.run(["check"])).toMatchObject({ exitCode: 0 });
    await sandbox.run(["generate"]);
    const page = sandbox.read("generated/api.md");
    expect(page).toContain("Has no side effects.");
    sandbox.remove("mine");
    sandbox.write({
      "ridl.config.yaml": "schema: [shop.ridl]\nemit: [markdown]\n",
    });
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/api.md")).toBe(page);

    const { stdout } = await copy();
    expect(stdout).toContain("templates: templates\n");
    const path = "templates/markdown/facts.hbs";
    const text = sandbox.read(path);
    expect((await copy()).exitCode).toBe(1);
    sandbox.write({
      [path]: text.replace(/[0-9a-f]{12}/u, "0".repeat(12)),
      "ridl.config.yaml":
        "schema: [shop.ridl]\nemit: [markdown]\ntemplates: templates\n",
    });
    const { exitCode, stderr } = await sandbox.run(["check"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("warning[outdated-template]");
    expect(stderr).toContain("`facts` changed since it was copied");
    expect(stderr).toContain(text.split("\n", 1)[0]);
    sandbox.remove("templates");
    sandbox.write({ "templates/markdown/api.hbs": text, [path]: text });
    expect((await sandbox.run(["check"])).stderr).toContain(
      "no longer has the template `api`",
    );
  });

  test("lists templates, each of which can be copied and changes nothing", async () => {
    const sandbox = project();
    const { stdout } = await sandbox.run(["template", "list"]);
    const all = stdout.trim().split("\n");
    expect(all).toContain("markdown files/{host}/api.md");
    for (const line of all) {
      const made = await sandbox.run(["template", "copy", ...line.split(" ")]);
      expect(made.exitCode).toBe(0);
    }
    const replaced = await sandbox.run(["generate"]);
    expect(replaced).toMatchObject({ exitCode: 0, stderr: "" });
    const page = sandbox.read("generated/api.md");
    sandbox.write({
      "ridl.config.yaml": "schema: [shop.ridl]\nemit: [markdown]\n",
    });
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/api.md")).toBe(page);
  });

  test("prints the view", async () => {
    const sandbox = project({ "mine/markdown/facts.hbs": "x" });
    const all = await sandbox.run(["template", "view"]);
    expect(JSON.parse(all.stdout)).toMatchObject({
      view: 1,
      hosts: [{ name: "shop" }],
    });
    const one = await sandbox.run(["template", "view", "shop"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ host: { name: "shop" } });
  });

  test.each([
    ["without a set", [], "Get"],
    ["of ridlkit's set", ["--set", "python"], "get"],
    ["of a replaced set", ["--set", "markdown"], "GET"],
    ["of a listed set", ["--set", "./sets/names"], "get_"],
  ])("prints the names %s", async (_, flags, name) => {
    const sandbox = project({
      "ridl.config.yaml":
        "schema: [shop.ridl]\nemit: [./sets/names]\ntemplates: mine\n",
      "mine/markdown/names.json": '{"roles":{"method":{"case":"upper"}}}',
      "sets/names/files/all.txt.hbs": "{{view}}\n",
      "sets/names/names.json":
        '{"words":{"own":["get"]},"roles":{"method":{"case":"snake","reserved":["own"]}}}',
    });
    for (const host of [[], ["shop"]]) {
      const words = ["template", "view", ...host, ...flags];
      const { stdout } = await sandbox.run(words);
      expect(stdout).toMatch(
        new RegExp(`"name": "Get",\\s*"identifier": "${name}",`, "u"),
      );
    }
  });

  test.each([
    [["vew"], "did you mean `view`?"],
    [["view", "shp"], "did you mean `shop`?"],
    [["view", "--set", "pyton"], "did you mean `python`?"],
    [["copy", "markdwn", "facts"], "did you mean `markdown`?"],
    [["copy", "markdown", "fact"], "did you mean `facts`?"],
    [["copy", "markdown"], "`ridl template list` lists all templates"],
    [["copy", "markdown", "facts", "method"], "as in `ridl template copy"],
  ])("refuses %j", async (words, help) => {
    const sandbox = project();
    const { exitCode, stderr } = await sandbox.run(["template", ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(help);
  });
});

describe("a folder of templates in `emit`", () => {
  const config = "schema: [shop.ridl]\nemit: [./sets/names]\n";
  const files = {
    "ridl.config.yaml": config,
    "sets/names/files/all.txt.hbs": "{{#each hosts}}{{> host}}{{/each}}\n",
    "sets/names/host.hbs": "{{identifier}}",
    "sets/names/files/{host}/own.txt.hbs": "{{host.identifier}}\n",
  };

  test("copies other files, and has a package and names", async () => {
    const sandbox = project({
      ...files,
      "ridl.config.yaml":
        "schema: [shop.ridl]\nemit:\n  - ./sets/names: { name: acme/Shop-API, version: 1.2.0 }\n",
      "sets/names/README.md": "About the set.\n",
      "sets/names/names.json": '{"roles":{"host":{"case":"upper"}}}',
      "sets/names/files/{package}/run.py": "{{not a template}}\n",
      "sets/names/files/{package}/all.txt.hbs":
        "{{json package.name}} {{package.identifier}} {{json package.version}}\n",
    });
    expect(await sandbox.run(["generate"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(sandbox.has("generated/README.md")).toBe(false);
    expect(sandbox.read("generated/shop_api/run.py")).toBe(
      "{{not a template}}\n",
    );
    expect(sandbox.read("generated/shop_api/all.txt")).toBe(
      '"acme/Shop-API" shop_api "1.2.0"\n',
    );
    expect(sandbox.read("generated/own.txt")).toBe("SHOP\n");
    sandbox.write({ "sets/names/files/{package}/run.py": "changed\n" });
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/shop_api/run.py")).toBe("changed\n");
  });

  test("reports a file that is no text", async () => {
    const sandbox = project(files);
    const path = join(sandbox.root, "sets/names/files/a.bin");
    writeFileSync(path, Buffer.from([0xff]));
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`sets/names/files/a.bin` cannot be read");
  });

  test("is a target", async () => {
    const sandbox = project(files);
    expect(await sandbox.run(["check"])).toMatchObject({ exitCode: 0 });
    expect(await sandbox.run(["generate"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(sandbox.read("generated/all.txt")).toBe("shop\n");
    expect(sandbox.read("generated/own.txt")).toBe("shop\n");
    sandbox.write({ "sets/names/files/new.txt.hbs": "new\n" });
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/new.txt")).toBe("new\n");
    sandbox.remove("sets/names/files/new.txt.hbs");
    await sandbox.run(["generate"]);
    expect(sandbox.has("generated/new.txt")).toBe(false);
  });

  test.each([
    [{ "sets/names/host.hbs": "{{name}}" }, "without quoting"],
    [
      { "sets/names/names.json": '{"roles":{"hosts":{}}}' },
      "`roles` has no property `hosts`",
    ],
    [
      { "ridl.config.yaml": config.replace("names", "nams") },
      "`./sets/nams` is no folder with templates",
    ],
    [
      {
        "ridl.config.yaml":
          "schema: [shop.ridl]\nemit:\n  - ./sets/names:\n      a: 1\n",
      },
      "has no setting `a`",
    ],
  ])("is checked: %j", async (changed, message) => {
    const sandbox = project({ ...files, ...changed });
    for (const command of ["check", "generate"]) {
      const { exitCode, stderr } = await sandbox.run([command]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(message);
    }
  });

  test("cannot write a file of another target, or outside the output folder", async () => {
    const sandbox = project({
      ...files,
      "ridl.config.yaml":
        "schema: [shop.ridl]\nemit: [markdown, ./sets/names]\n",
      "sets/names/files/api.md.hbs": "mine\n",
    });
    const { stderr } = await sandbox.run(["generate"]);
    expect(stderr).toContain("error[clashing-output]");
    sandbox.write({ "generated/all.txt": "mine" });
    sandbox.remove("sets/names/files/api.md.hbs");
    const foreign = await sandbox.run(["generate"]);
    expect(foreign.stderr).toContain("error[foreign-file]");
  });
});

describe("a package in `emit`", () => {
  const name = "@acme/ridl-names";
  const emit = `schema: [shop.ridl]\nemit: ["${name}"]\n`;
  const below = (folder: string) => ({
    [`${folder}/package.json`]: JSON.stringify({ name, main: "index.js" }),
    // Nothing runs the code of a package.
    [`${folder}/index.js`]: "throw new Error('this ran');\n",
    [`${folder}/templates/files/names.txt.hbs`]:
      "{{#each hosts}}{{> host}}{{/each}}\n",
    [`${folder}/templates/host.hbs`]: "{{identifier}}",
  });

  test.each([
    ["the project", "node_modules", "ridl.config.yaml"],
    ["a folder above", "../node_modules", "api/ridl.config.yaml"],
  ])("is a target if it is installed in %s", async (_, modules, file) => {
    const folder = posix.dirname(file);
    const installed = posix.join(folder, modules, name);
    const sandbox = createSandbox({
      [file]: emit,
      [posix.join(folder, "shop.ridl")]: contract,
      ...below(installed),
    });
    const run = (command: string) => sandbox.run([command], { folder });
    const output = posix.join(folder, "generated/names.txt");
    expect(await run("check")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await run("generate")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(sandbox.read(output)).toBe("shop\n");
    expect((await run("generate")).stdout).toBe("nothing changed\n");
    // Another version of the package.
    sandbox.write({
      [`${installed}/templates/host.hbs`]: "{{upper name}}",
      [`${installed}/templates/files/second.txt.hbs`]: "{{> host hosts}}\n",
    });
    const changed = await run("generate");
    expect(changed.exitCode).toBe(1);
    expect(changed.stderr).toContain(
      `--> ${posix.join(modules, name)}/templates/host.hbs:1:`,
    );
    sandbox.remove(`${installed}/templates/files/second.txt.hbs`);
    await run("generate");
    expect(sandbox.read(output)).toBe("SHOP\n");
  });

  test("has templates of which a project can replace one", async () => {
    const installed = `node_modules/${name}/templates`;
    const sandbox = createSandbox({
      "ridl.config.yaml": `${emit}templates: ./mine\n`,
      "shop.ridl": contract,
      ...below(`node_modules/${name}`),
    });
    const copied = await sandbox.run(["template", "copy", name, "host"]);
    expect(copied.stdout).toBe(`create mine/${name}/host.hbs\n`);
    const copy = sandbox.read(`mine/${name}/host.hbs`);
    expect(copy).toMatch(
      /^\{\{!-- A copy of [^\n]*--\}\}\n\{\{identifier\}\}$/u,
    );
    sandbox.write({
      [`mine/${name}/host.hbs`]: copy.replace("identifier", "upper name"),
    });
    expect(await sandbox.run(["generate"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(sandbox.read("generated/names.txt")).toBe("SHOP\n");
    sandbox.write({ [`${installed}/host.hbs`]: "{{identifier}}." });
    const { stderr } = await sandbox.run(["generate"]);
    expect(stderr).toContain("warning[outdated-template]");
    expect(sandbox.read("generated/names.txt")).toBe("SHOP\n");
    sandbox.write({ [`mine/${name}/host.hbs`]: "{{nme}}" });
    const wrong = await sandbox.run(["check"]);
    expect(wrong.stderr).toContain(`--> mine/${name}/host.hbs:1:3`);
    sandbox.remove(`mine/${name}/host.hbs`);
    sandbox.write({ "mine/@acme/ridl-nams/host.hbs": "" });
    const unknown = await sandbox.run(["check"]);
    expect(unknown.stderr).toContain(`did you mean \`${name}\`?`);
    const missing = await sandbox.run(["template", "copy", name, "hst"]);
    expect(missing.stderr).toContain("did you mean `host`?");
  });

  test("has the settings `name` and `version`", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": `schema: [shop.ridl]\nemit:\n  - "${name}":\n      name: acme-shop\n`,
      "shop.ridl": contract,
      ...below(`node_modules/${name}`),
      [`node_modules/${name}/templates/files/{package}.txt.hbs`]: "One.\n",
    });
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/acme_shop.txt")).toBe("One.\n");
  });

  test("can be a link, as pnpm and workspaces create it", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": emit,
      "shop.ridl": contract,
      ...below("packages/names"),
    });
    const link = join(sandbox.root, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(sandbox.root, "packages/names"), link, "junction");
    await sandbox.run(["generate"]);
    expect(sandbox.read("generated/names.txt")).toBe("shop\n");
  });

  test.each([
    [
      "a target with a typing error",
      "markdwn",
      {},
      "there is no target `markdwn`, and no package with this name is installed",
      "did you mean `markdown`?",
    ],
    [
      "a package that is not installed",
      name,
      {},
      `there is no target \`${name}\`, and no package with this name is installed`,
      `install the package: \`npm install --save-dev ${name}\``,
    ],
    [
      "a package without templates",
      "acme-emitter",
      { "node_modules/acme-emitter/emitter.js": "" },
      "the package `acme-emitter` has no templates in its folder `templates/files`",
      "to run an emitter of the package, write its path, as in `./node_modules/acme-emitter/emitter.js`",
    ],
  ])("is reported: %s", async (_, entry, files, message, help) => {
    const sandbox = createSandbox({
      "ridl.config.yaml": `schema: [shop.ridl]\nemit:\n  - "${entry}"\n`,
      "shop.ridl": contract,
      ...files,
    });
    for (const command of ["check", "generate"]) {
      const { exitCode, stderr } = await sandbox.run([command]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`error[missing-template]: ${message}\n`);
      expect(stderr).toContain("--> ridl.config.yaml:3:5\n");
      expect(stderr).toContain(`= help: ${help}\n`);
    }
    // Commands that print nothing for the entry do not need it.
    expect(await sandbox.run(["template", "view"])).toMatchObject({
      exitCode: 0,
    });
  });
});
