import { beforeAll, describe, expect, it } from "vitest";

import type {
  Alias,
  Constraints,
  Contract,
  Docs,
  Field,
  Method,
} from "../../generator/ir/contract.js";
import { methods } from "./interface-methods.js";
import {
  baseAddresses,
  declaredErrorRows,
  objects,
  tokenEvents,
  valueSets,
  type FieldRow,
} from "./interface-table.js";
import {
  findType,
  printField,
  readPlatformContract,
} from "./platform-contract.js";

let contract: Contract;
beforeAll(() => {
  contract = readPlatformContract();
});

function methodOf(service: string, name: string): Method {
  const found = contract.hosts
    .flatMap((host) => host.services)
    .find((each) => each.name === service)
    ?.methods.find((each) => each.name === name);
  if (!found) throw new Error(`the schema has no method ${service}.${name}`);
  return found;
}

function fieldOf(type: string, name: string): Field {
  const declaration = findType(contract, type);
  const found =
    declaration.kind === "struct" &&
    declaration.fields.find((field) => field.name === name);
  if (!found) throw new Error(`the schema has no field ${type}.${name}`);
  return found;
}

function aliasOf(name: string): Alias {
  const declaration = findType(contract, name);
  if (declaration.kind !== "alias") throw new Error(`${name} is not an alias`);
  return declaration;
}

/**
 * Returns the rows without the marks for additions.
 */
function plain(rows: readonly FieldRow[]): readonly string[] {
  return rows.map((row) => row.replace(/^\+/, ""));
}

function printFields(fields: readonly Field[]): readonly string[] {
  return fields.map((field) => printField(contract, field));
}

/**
 * Lists the docs of every service, method, type, field, member, and error, by
 * path.
 */
function documented(): readonly (readonly [string, Docs])[] {
  const services = contract.hosts.flatMap((host) => host.services);
  return [
    ...services.map((each) => [each.name, each.docs] as const),
    ...services.flatMap((each) =>
      each.methods.map(
        (method) => [`${each.name}.${method.name}`, method.docs] as const,
      ),
    ),
    ...contract.types.map((type) => [type.name, type.docs] as const),
    ...contract.types.flatMap((type) =>
      type.kind === "struct"
        ? type.fields.map(
            (field) => [`${type.name}.${field.name}`, field.docs] as const,
          )
        : type.kind === "enum"
          ? type.members.map(
              (member) => [`${type.name}.${member.name}`, member.docs] as const,
            )
          : [],
    ),
    ...contract.errors.map((error) => [error.name, error.docs] as const),
  ];
}

describe("hosts (sections 1, 4 and 9)", () => {
  it("have version 0.0.1 and the correct base address", () => {
    const found = contract.hosts.map((host) => [
      host.name,
      host.baseUrl,
      host.version,
    ]);
    const expected = Object.entries(baseAddresses).map(([name, address]) => [
      name,
      address,
      "0.0.1",
    ]);
    expect(found.sort()).toEqual(expected.sort());
  });

  it("take the network of the marketplace from the path", () => {
    const host = contract.hosts.find(({ name }) => name === "marketplace");
    expect(host?.basePath.segments[0]).toEqual({
      kind: "parameter",
      name: "network",
      prefix: "",
      suffix: "",
    });
  });
});

describe("objects (sections 2, 4 and 6)", () => {
  it.each(Object.entries(objects))("%s", (name, rows) => {
    const declaration = findType(contract, name);
    expect(declaration.kind).toBe("struct");
    if (declaration.kind !== "struct") return;
    expect(printFields(declaration.fields)).toEqual(plain(rows));
  });

  it("include no other objects", () => {
    const messages = contract.hosts
      .flatMap((host) => host.services)
      .flatMap((service) => service.methods)
      .flatMap(({ request, response }) => [request.struct, response.struct]);
    const structs = contract.types
      .filter(({ kind, name }) => kind === "struct" && !messages.includes(name))
      .map(({ name }) => name);
    expect(structs.sort()).toEqual(Object.keys(objects).sort());
  });
});

describe("operations (sections 4, 5 and 6)", () => {
  it("match the operations in the document", () => {
    const found = contract.hosts.flatMap((host) =>
      host.services.flatMap((service) =>
        service.methods.map(
          (method) => `${host.name}: ${service.name}.${method.name}`,
        ),
      ),
    );
    const expected = methods.map(
      (row) => `${row.host}: ${row.service}.${row.method}`,
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  it.each(methods)("$service.$method", (row) => {
    const method = methodOf(row.service, row.method);
    expect(printFields(method.request.fields)).toEqual(plain(row.request));
    expect(printFields(method.response.fields)).toEqual(plain(row.response));
    expect(method.credentials).toEqual(row.credentials);
    expect(method.errors).toEqual(row.errors);
    expect(method.safety).toBe(row.safety);
    const { route } = method;
    const address =
      route.kind === "rpc"
        ? `POST ${route.path}`
        : route.kind === "rest"
          ? `GET ${route.path.text}`
          : null;
    expect(address).toBe(row.route);
  });

  it("document the origin of every addition", () => {
    const wrong = methods.flatMap((row) => {
      const method = methodOf(row.service, row.method);
      return [
        ...unmarked(row.request, method.request.fields, method),
        ...unmarked(row.response, method.response.fields, method),
      ];
    });
    expect(wrong).toEqual([]);
  });

  /**
   * Returns the additions for which neither the field nor its message has an
   * origin other than `stated`.
   */
  function unmarked(
    rows: readonly FieldRow[],
    fields: readonly Field[],
    method: Method,
  ): readonly string[] {
    return rows.flatMap((row, index) => {
      const field = fields[index];
      if (!row.startsWith("+") || !field) return [];
      const struct =
        fields === method.request.fields
          ? method.request.struct
          : method.response.struct;
      const docs = [field.docs, findType(contract, struct ?? "").docs];
      const isFilledIn = docs.some((each) =>
        each.origins.some(({ kind }) => kind !== "stated"),
      );
      return isFilledIn ? [] : [`${method.name}: ${row}`];
    });
  }
});

describe("credentials (section 5)", () => {
  it("are the access key and the bearer secret", () => {
    expect(
      contract.credentials.map(({ key, scheme, error }) => ({
        header: key,
        scheme,
        error,
      })),
    ).toEqual([
      { header: "X-Access-Key", scheme: null, error: "AccessKeyNotFound" },
      { header: "Authorization", scheme: "Bearer", error: "PermissionDenied" },
    ]);
  });
});

describe("errors (section 7)", () => {
  it("match the table", () => {
    expect(
      contract.errors.map(({ name, code, message, status }) => [
        name,
        code,
        message,
        status,
      ]),
    ).toEqual(declaredErrorRows);
  });

  it("include InvalidArgument for missing and malformed fields", () => {
    const used = contract.hosts.map(({ validationError }) => validationError);
    expect(new Set(used)).toEqual(new Set(["InvalidArgument"]));
  });
});

describe("values", () => {
  it.each(valueSets)("$enum", (row) => {
    const declaration = findType(contract, row.enum);
    expect(declaration.kind).toBe("enum");
    if (declaration.kind !== "enum") return;
    expect(declaration.members.map(({ jsonValue }) => jsonValue)).toEqual(
      row.values,
    );
    const openBy = contract.types.filter(
      (type) => type.kind === "alias" && type.known === row.enum,
    );
    expect(openBy.map(({ name }) => name)).toEqual(row.open ? [row.open] : []);
  });

  it("include the nine token events", () => {
    const declaration = findType(contract, "TokenEvent");
    const members = declaration.kind === "enum" ? declaration.members : [];
    expect(
      Object.fromEntries(
        members.map(({ name, jsonValue }) => [name, jsonValue]),
      ),
    ).toEqual(tokenEvents);
  });

  it.each<[string, string[], string[]]>([
    [
      "Address",
      [`0x${"aB".repeat(20)}`],
      ["", "0x12", `${"ab".repeat(20)}`, `0x${"zz".repeat(20)}`, "vitalik.eth"],
    ],
    [
      "LowerCaseAddress",
      [`0x${"ab".repeat(20)}`],
      [`0x${"aB".repeat(20)}`, "0x12"],
    ],
    ["Hash", [`0x${"0F".repeat(32)}`], ["0x", `0x${"0F".repeat(31)}`]],
    ["HexData", ["0x", "0xA9"], ["", "a9", "0xg"]],
    ["OptionalHexData", ["", "0x", "0xA9"], ["a9", "0xg"]],
    ["Amount", ["0", "1".repeat(78)], ["", "-1", "+1", "0x1", "1.0", "1,000"]],
    ["TokenId", ["0", "1".repeat(78)], ["", "-1", "0x1", "1e3", " 1"]],
    ["Network", ["137", "polygon-zkevm"], ["", "a b", "-a", "a/b", "../x"]],
    [
      "EventSignature",
      [
        ...Object.values(tokenEvents),
        "Transfer(address,address,uint256)",
        "Swap((uint256,address)[] indexed,bytes)",
      ],
      ["", "Transfer", "Transfer(", "(address)", "1up(address)"],
    ],
    ["FilterTokenId", ["7"], ["-7", "seven"]],
    ["ListenerId", ["7"], ["-7", "seven"]],
    ["ProjectIdText", ["7"], ["-7", "seven"]],
  ])("%s accepts valid values and rejects invalid ones", (name, good, bad) => {
    const { pattern = "(?!)" } = aliasOf(name).constraints;
    const expression = new RegExp(pattern, "u");
    expect(good.filter((text) => !expression.test(text))).toEqual([]);
    expect(bad.filter((text) => expression.test(text))).toEqual([]);
    expect(aliasOf(name).title).toMatch(/^(an?|hex) /);
  });

  it.each(["UnsignedInteger", "ProjectId", "ChainId"])(
    "%s is exact as a JSON number",
    (name) => {
      const alias = aliasOf(name);
      expect(alias.type).toEqual({ kind: "scalar", name: "uint64" });
      expect(alias.constraints.maximum).toBe(Number.MAX_SAFE_INTEGER);
      expect(alias.title).toBe("an unsigned integer");
    },
  );

  it("contact IDs keep all 64 bits", () => {
    expect(aliasOf("ContactId").type).toEqual({
      kind: "scalar",
      name: "uint64",
    });
    expect(aliasOf("ContactId").constraints).toEqual({});
  });

  it.each(["blockNumber", "txnIndex"])("%s is an int32", (name) => {
    expect(fieldOf("WebhookNotification", name).type).toEqual({
      kind: "scalar",
      name: "int32",
    });
  });

  it.each(["FilterTokenId", "ListenerId", "ProjectIdText"])(
    "%s also accepts an integer",
    (name) => {
      expect(aliasOf(name).acceptsInteger).toBe(true);
    },
  );

  it.each<[string, string, Constraints]>([
    ["Page", "page", { minimum: 1 }],
    ["Page", "pageSize", { minimum: 1, maximum: 100 }],
    ["GetOrdersRequest", "input", { maxItems: 100 }],
    ["GetTokenMetadataBatchRequest", "contractTokenMap", { maxProperties: 50 }],
    ["GetContractInfoBatchRequest", "contractAddresses", { maxItems: 50 }],
  ])("%s.%s has a limit", (type, field, constraints) => {
    expect(fieldOf(type, field).constraints).toMatchObject(constraints);
  });

  it("a contract can list at most 50 tokens", () => {
    expect(aliasOf("TokenIds").constraints).toEqual({ maxItems: 50 });
  });

  it("the URL of a webhook has the format uri", () => {
    const { constraints } = fieldOf("AddWebhookListenerRequest", "url");
    expect(constraints.format).toBe("uri");
  });

  it("the proof of a wallet is sensitive", () => {
    expect(
      fieldOf("GetLinkedWalletsRequest", "parentWalletSignature").isSensitive,
    ).toBe(true);
  });
});

describe("docs", () => {
  it("describe every declaration", () => {
    const silent = documented()
      .filter(([, docs]) => docs.lines.join("").trim() === "")
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it("state the origin of every declaration", () => {
    const silent = documented()
      .filter(([path, docs]) => !path.includes(".") && !docs.origins.length)
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it("state why parentBlockHash is a hash, unlike in the table", () => {
    const { origins } = fieldOf("WebhookNotification", "parentBlockHash").docs;
    expect(origins[0]?.kind).toBe("stated");
    expect(origins[0]?.detail).toContain("taken to mean");
  });
});
