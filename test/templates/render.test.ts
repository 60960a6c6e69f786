import { readdirSync } from "node:fs";
import Handlebars from "handlebars";
import Ajv from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { markdownEmitter } from "../../generator/4-emit/markdown/markdown.js";
import {
  findHelper,
  helperNames,
} from "../../generator/4-emit/templates/template-helpers.js";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";
import markdownSet from "../../generator/4-emit/templates/own/markdown-set.json" with { type: "json" };
import {
  findOwnSet,
  ownFiles,
  printSet,
  readOwnSet,
  readTemplateSet,
} from "../../generator/4-emit/templates/template-set.js";
import {
  createContractView,
  createHostView,
} from "../../generator/4-emit/view/create-view.js";
import type { TemplateSet } from "../../generator/4-emit/emitter/emitter.js";
import {
  contract,
  enumeration,
  host,
  method,
  service,
  struct,
} from "../support/contract-parts.js";
import { goldenCases } from "../support/golden-cases.js";
import schema from "../../templates/view.schema.json" with { type: "json" };

const ownSets = await loadOwnSets();
const cases = goldenCases().map((golden) => [golden.name, golden] as const);

test("the sets are the folders of templates that contain templates", () => {
  const folders = readdirSync("templates", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "init")
    .map(({ name }) => name);
  expect(folders.sort()).toEqual([...ownSets.keys()].sort());
});

test.each([...ownSets])(
  "the set %s has no fault and no unused partial",
  (_, set) => {
    const named = new Map(
      [...ownFiles(set)].map(([path, { text }]) => [path, { path, text }]),
    );
    expect(readOwnSet(set, named).diagnostics).toEqual([]);
  },
);

const ajv = new Ajv.default({ strict: false });
const validators = {
  ContractView: ajv.compile({ ...schema, $ref: "#/$defs/ContractView" }),
  HostContractView: ajv.compile({
    ...schema,
    $ref: "#/$defs/HostContractView",
  }),
};
const printPage = createHandlebars();

describe.each(cases)("%s", (_, { contract: made, options }) => {
  test("has views that match their JSON Schema", () => {
    const faultsOf = (name: keyof typeof validators, view: unknown) => {
      validators[name](view);
      return validators[name].errors ?? null;
    };
    expect(faultsOf("ContractView", createContractView(made))).toBeNull();
    for (const host of made.hosts) {
      const view = createHostView(made, host);
      expect(faultsOf("HostContractView", view)).toBeNull();
    }
  });

  test("has the page that Handlebars itself prints", () => {
    const printed = made.hosts.map((each) =>
      printPage(createHostView(made, each)),
    );
    const pages = markdownEmitter.emit(made, options);
    expect(pages.map(({ text }) => text)).toEqual(printed);
  });
});

/** Prints pages with Handlebars, which compiles templates to code. */
function createHandlebars(): (view: unknown) => string {
  const own = Handlebars.create();
  for (const name of helperNames) {
    own.registerHelper(name, (...values: unknown[]) =>
      findHelper(name)?.run(values.slice(0, -1)),
    );
  }
  own.registerHelper("concat", (...values: unknown[]) =>
    values.slice(0, -1).join(""),
  );
  // Partials that share their line with other text end without a line break.
  const inline = /^(?:fact\/|json\/|tag\/|value(?:\/|$))/u;
  for (const [path, { text }] of ownFiles(markdownSet)) {
    const name = path.replace(/\.hbs$/u, "");
    const used = inline.test(name) ? text.replace(/\n$/u, "") : text;
    own.registerPartial(name, used);
  }
  const page = ownFiles(markdownSet).get("files/{host}/api.md.hbs");
  return own.compile(page?.text ?? "", { noEscape: true, preventIndent: true });
}

test.each(helperNames)("the example of the helper %s is right", (name) => {
  const helper = findHelper(name);
  const [call = "", result] = helper?.example ?? [];
  const own = Handlebars.create();
  own.registerHelper(name, (...values: unknown[]) => {
    const made = helper?.run(values.slice(0, -1));
    return typeof made === "boolean" ? String(made) : made;
  });
  own.registerHelper("snake", (text: unknown) =>
    findHelper("snake")?.run([text]),
  );
  const view = {
    name: "GetBook",
    docs: { lines: ["One *book*."] },
    version: "1",
    kind: "rpc",
    isOptional: true,
    isNullable: false,
  };
  const template = call
    .replace(/^\{\{#if \((.*)\)\}\}…\{\{\/if\}\}$/u, "{{$1}}")
    .replaceAll("\\n", "\n");
  expect(own.compile(template, { noEscape: true })(view)).toBe(result);
});

test("a partial that shares its line prints no line break at its end, whatever comes last", () => {
  const sources = {
    "files/page.hbs": "{{#each types}}[{{> outer}}]{{/each}}\n",
    "outer.hbs": "{{> inner}}\n",
    "inner.hbs": '{{#if (is kind "struct")}}\nS\n{{else}}\nO\n{{/if}}\n',
  };
  const named = Object.entries(sources).map(
    ([path, text]) => [path, { path, text }] as const,
  );
  const { diagnostics, value } = readTemplateSet(new Map(named));
  expect(diagnostics).toEqual([]);
  const made = contract(
    [struct("One", []), enumeration("Two", ["a"])],
    [host("shop", [])],
  );
  expect(value && printSet(value, made, {}).map(({ text }) => text)).toEqual([
    "[S][O]\n",
  ]);
});

test("each host has the files below a folder {host}, wherever that is", () => {
  const sources = {
    "files/src/{host}/deep/page.hbs": "{{md host.name}}\n",
    "files/src/{host}/copied.txt": "copied",
    "files/{host}/own.hbs": "own\n",
    "files/src/all.hbs": "all\n",
  };
  const named = Object.entries(sources).map(
    ([path, text]) => [path, { path, text }] as const,
  );
  const { diagnostics, value } = readTemplateSet(new Map(named));
  expect(diagnostics).toEqual([]);
  const printed = (hosts: readonly string[]) =>
    value &&
    printSet(
      value,
      contract(
        [],
        hosts.map((name) => host(name, [])),
      ),
    ).map(({ path, text }) => `${path}: ${text.trim()}`);
  expect(printed(["shop"])).toEqual([
    "src/deep/page: shop",
    "src/copied.txt: copied",
    "own: own",
    "src/all: all",
  ]);
  expect(printed(["shop", "admin"])).toEqual([
    "src/shop/deep/page: shop",
    "src/admin/deep/page: admin",
    "src/shop/copied.txt: copied",
    "src/admin/copied.txt: copied",
    "shop/own: own",
    "admin/own: own",
    "src/all: all",
  ]);
});

test.each([
  "files/{host}.hbs",
  "files/{host}/{host}/a.hbs",
  "files/a{host}/b.txt",
])("refuses %s, whose {host} is not a single folder", (path) => {
  const { diagnostics } = readTemplateSet(
    new Map([[path, { path, text: "a\n" }]]),
  );
  expect(diagnostics[0]?.message).toMatch(/must be one of its folders/u);
});

test("names of helpers are no names in the view", () => {
  const names = Object.values(schema.$defs).flatMap((definition) =>
    "properties" in definition ? Object.keys(definition.properties) : [],
  );
  expect(helperNames.filter((name) => names.includes(name))).toEqual([]);
});

test("a name without letters or digits is still a name", () => {
  for (const name of ["_", "__", "_1"]) {
    expect(findHelper("camel")?.run([name])).toMatch(/^[A-Za-z_]\w*$/u);
  }
});

test("a replaced partial changes only what it prints", () => {
  const source = { path: "mine/facts.hbs", text: "Mine.\n" };
  const { value, diagnostics } = readOwnSet(
    markdownSet,
    new Map([["facts.hbs", source]]),
  );
  expect(diagnostics).toEqual([]);
  if (value === null) throw new Error("the set has a fault");
  const get = method("Shop", "Get", { safety: "readonly" });
  const made = contract([], [host("shop", [service("Shop", [get])])]);
  const print = (set: TemplateSet): string =>
    printSet(set, made)[0]?.text ?? "";
  const ours = print(findOwnSet(markdownSet));
  expect(print(value)).toBe(ours.replace("Has no side effects.", "Mine."));
  expect(print(value)).not.toBe(ours);
});

test("the white space before a partial is before each of its lines", () => {
  const page = "{{#each hosts}}\n  {{> part}}\n{{/each}}\n";
  const partials = { part: "a {\n\t{{> inner}}\n}\n", inner: "b\nc\n" };
  const sources = Object.entries({ "files/page.txt": page, ...partials });
  const { value: set } = readTemplateSet(
    new Map(
      sources.map(([name, text]) => {
        const path = `${name}.hbs`;
        return [path, { path, text }];
      }),
    ),
  );
  if (set === null) throw new Error("the set has a fault");
  const [printed] = printSet(set, contract([], [host("shop", [])]));
  expect(printed?.text).toBe("  a {\n  \tb\n  \tc\n  }\n");
  const own = Handlebars.create();
  own.registerPartial(partials);
  expect(own.compile(page)({ hosts: [{}] })).toBe(printed?.text);
});
