import { expect, test } from "vitest";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";
import { findHelper } from "../../generator/4-emit/templates/template-helpers.js";
import { readNameRules } from "../../generator/4-emit/templates/read-name-rules.js";
import { createContractView } from "../../generator/4-emit/view/create-view.js";
import { settleNames } from "../../generator/4-emit/view/settle-names.js";
import type { NameRules } from "../../generator/4-emit/names/name-rules.js";
import type { ContractView } from "../../generator/4-emit/view/view.js";
import {
  contract,
  enumeration,
  field,
  host,
  method,
  scalar,
  service,
  struct,
} from "../support/contract-parts.js";
import { goldenCases } from "../support/golden-cases.js";

function rulesFor(rules: unknown): Diagnosed<NameRules> {
  return readNameRules({ path: "names.json", text: JSON.stringify(rules) });
}

const python = {
  words: { keyword: ["class", "from"], model: ["copy"] },
  start: "x_",
  roles: {
    type: { case: "pascal", scope: "module" },
    message: { case: "pascal", scope: "module" },
    field: { case: "snake", reserved: ["keyword", "model"] },
    method: { case: "snake" },
    member: { case: "upper" },
  },
};

const go = {
  words: { keyword: ["type"] },
  initialisms: ["ID", "URL"],
  start: "X",
  roles: {
    type: { case: "pascal", scope: "package" },
    message: { case: "pascal", scope: "package" },
    member: { case: "pascal", scope: "package", isQualified: true },
    field: { case: "pascal" },
    parameter: { case: "camel", reserved: ["keyword"] },
    error: { case: "pascal", prefix: "Err" },
  },
};

function fieldsNamed(
  names: readonly string[],
  rules: unknown,
): readonly string[] {
  const fields = names.map((name) => field(name, scalar("string")));
  const made = contract([struct("Thing", fields)], []);
  const view = createContractView(made, {
    names: settleNames(made, rulesFor(rules).value),
  });
  return view.structs.flatMap((each) =>
    each.fields.map(({ identifier }) => identifier),
  );
}

test.each([
  [
    python,
    ["tokenIDs", "fooBar", "foo_bar", "class", "copy", "_id", "2fa", "HTTPGet"],
    [
      "token_ids",
      "foo_bar",
      "foo_bar2",
      "class_",
      "copy_",
      "id",
      "x_2_fa",
      "http_get",
    ],
  ],
  [
    go,
    ["tokenIDs", "tokenId", "urls", "type", "fooBar", "foo_bar", "2fa", "_"],
    ["TokenIDs", "TokenID", "URLs", "Type", "FooBar", "FooBar2", "X2Fa", "X"],
  ],
])("fields get names of the language: %#", (rules, names, expected) => {
  expect(fieldsNamed(names, rules)).toEqual(expected);
});

test("a name that is changed is no other reserved word", () => {
  const rules = {
    words: { keyword: ["class", "class_", "bz2"] },
    roles: { field: { case: "snake", reserved: ["keyword"] } },
  };
  expect(fieldsNamed(["class", "bz", "Bz", "BZ"], rules)).toEqual([
    "class__",
    "bz",
    "bz3",
    "bz4",
  ]);
});

test.each([
  [
    ["A1", "A_1", "A2"],
    ["a1", "a_12", "a2"],
  ],
  [
    ["A_1", "A1", "B_1", "B2"],
    ["a_1", "a12", "b_1", "b2"],
  ],
])("the services %j get names of classes that differ", (names, expected) => {
  const services = names.map((name) => service(name, []));
  const made = contract([], [host("shop", services)]);
  const rules = { roles: { service: { case: "snake" } } };
  const settled = settleNames(made, rulesFor(rules).value);
  const identifiers = services.map((each) => settled.of(each));
  expect(identifiers).toEqual(expected);
  const classes = identifiers.map((each) => findHelper("pascal")?.run([each]));
  expect(new Set(classes).size).toBe(classes.length);
});

test.each([
  ["acme/Shop-API", "snake", "shop_api"],
  ["example.com/acme/shop-client", "flat", "shopclient"],
  ["example.com/acme/shop/v2", "flat", "shop"],
  ["v2", "flat", "v2"],
  ["class", "snake", "class_"],
  ["2go", "flat", "x_2go"],
  ["日本", "flat", "x_"],
])("the package %s in the case %s is %s", (name, form, identifier) => {
  const roles = { package: { case: form, reserved: ["keyword"] } };
  const { value } = rulesFor({ ...python, roles });
  const made = contract([], []);
  const names = settleNames(made, value);
  const view = createContractView(made, { names, package: { name } });
  const { runtime: _, ...named } = view.package;
  const namespace = identifier;
  expect(named).toEqual({ name, identifier, version: "0.0.0", namespace });
});

test("names of one scope are unique together", () => {
  const shop = service("Shop", [
    method("Shop", "GetBook"),
    method("Shop", "get_book"),
  ]);
  const made = contract(
    [
      enumeration("Color", ["Red"]),
      struct("ColorRed", []),
      struct("GetBookRequest", []),
    ],
    [host("shop", [shop])],
  );
  const view = createContractView(made, {
    names: settleNames(made, rulesFor(go).value),
  });
  expect(view.types.map(({ identifier }) => identifier)).toEqual([
    "Color",
    "ColorRed",
    "GetBookRequest",
  ]);
  expect(view.enums[0]?.members[0]?.identifier).toBe("ColorRed2");
  const requests = view.hosts.flatMap(({ services }) =>
    services.flatMap(({ methods }) =>
      methods.map(({ request }) => request.identifier),
    ),
  );
  expect(requests).toEqual(["ShopGetBookRequest", "ShopGetBookRequest2"]);
});

test.each(
  goldenCases().map(({ contract: made, name }) => [name, made] as const),
)("identifiers of %s are valid and differ within their scope", (_, made) => {
  for (const rules of [{}, python, go]) {
    const read = rulesFor(rules);
    expect(read.diagnostics).toEqual([]);
    expectValid(
      createContractView(made, { names: settleNames(made, read.value) }),
    );
  }
});

function expectValid({ hosts, types }: ContractView): void {
  const lists = [
    types,
    ...types.map((type) => (type.kind === "struct" ? type.fields : [])),
    ...types.map((type) => (type.kind === "enum" ? type.members : [])),
    ...hosts.flatMap(({ services }) => services.map(({ methods }) => methods)),
  ];
  for (const list of lists) {
    const names = list.map(({ identifier }) => identifier);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_]\w*$/u);
  }
}

test.each([
  ["[]", "", "must be an object"],
  ["{", "", "SyntaxError"],
  ['{"role":{}}', '"role"', "has no property `role`"],
  ['{"roles":{"filed":{}}}', '"filed"', "has no property `filed`"],
  [
    '{"words":{"case":["field"]},"roles":{"type":{"case":"camel"},"field":{"case":"Snake"}}}',
    '"case":"Snake"',
    "`roles.field.case` must be one of",
  ],
  [
    '{"roles":{"field":{"reserved":["a"]}}}',
    '"reserved"',
    "`words` has no list `a`",
  ],
  ['{"words":{"a":"b"}}', '"a"', "`words.a` must be a list"],
  [
    '{"words":{"start":["start"]},"start":"1-"}',
    '"start":"1-"',
    "must be text of letters",
  ],
  [
    '{"roles":{"field":{"isQualified":1}}}',
    '"isQualified"',
    "must be true or false",
  ],
])("reports a fault in names.json: %s", (text, place, message) => {
  const { diagnostics } = readNameRules({ path: "set/names.json", text });
  expect(diagnostics[0]?.message).toContain(message);
  const { start = -1 } = diagnostics[0]?.location?.span ?? {};
  if (place !== "") expect(start).toBe(text.indexOf(place));
});

test("keeps the names that templates declare for a name free", () => {
  const rules = {
    roles: {
      type: { scope: "module" },
      host: { scope: "module", declares: ["{}Client", "New{}Client"] },
      service: { scope: "module" },
    },
  };
  const made = contract(
    [struct("NewshopClient", [])],
    [host("shop", [service("shop", []), service("shop2Client", [])])],
  );
  const view = createContractView(made, {
    names: settleNames(made, rulesFor(rules).value),
  });
  expect(
    view.hosts.map(({ identifier, services }) => [
      identifier,
      ...services.map((each) => each.identifier),
    ]),
  ).toEqual([["shop2", "shop", "shop2Client2"]]);
});

test("rejects forms of names without a place for the name", () => {
  const { diagnostics } = rulesFor({
    roles: { host: { declares: ["Client"] } },
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "`roles.host.declares` must be a list of texts with `{}`",
  ]);
});

test.each([
  ["IN_PROGRESS", "InProgress", "inProgress", "in_progress"],
  ["HTTP_ERROR", "HttpError", "httpError", "http_error"],
  ["A_B", "AB", "aB", "a_b"],
  ["IPv4", "IPv4", "ipv4", "ipv4"],
  [
    "hostIPv6Address",
    "HostIPv6Address",
    "hostIPv6Address",
    "host_ipv6_address",
  ],
  ["USD", "USD", "usd", "usd"],
  ["ERC20Token", "ERC20Token", "erc20Token", "erc20_token"],
])("writes %s as people do", (name, pascal, camel, snake) => {
  const roles = (form: string) => ({ roles: { field: { case: form } } });
  expect(
    ["pascal", "camel", "snake"].map((form) =>
      fieldsNamed([name], roles(form)).join(),
    ),
  ).toEqual([pascal, camel, snake]);
});

test("the helpers write words in capitals as names do", () => {
  expect(findHelper("pascal")?.run(["IN_PROGRESS"])).toBe("InProgress");
});
