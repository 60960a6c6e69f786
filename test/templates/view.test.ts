import { format } from "prettier";
import { expect, test } from "vitest";
import { defaultNameRules } from "../../generator/4-emit/names/name-rules.js";
import { compileContract } from "../../generator/compile.js";
import { createContractView } from "../../generator/4-emit/view/create-view.js";
import { settleNames } from "../../generator/4-emit/view/settle-names.js";
import {
  contract,
  field,
  host,
  message,
  method,
  scalar,
  service,
} from "../support/contract-parts.js";
import { parsePathTemplate } from "../../generator/ir/path-template.js";
import { deriveViewSchema } from "./view-schema.js";

test("view.schema.json describes the types of the views", async () => {
  const filepath = "templates/view.schema.json";
  const text = await format(JSON.stringify(deriveViewSchema()), { filepath });
  await expect(text).toMatchFileSnapshot(`../../${filepath}`);
});

test("a REST read names its fields as in JSON", () => {
  const id = field("itemID", scalar("string"), { jsonName: "item_id" });
  const note = field("note", scalar("string"), { jsonName: "text" });
  const path = parsePathTemplate("/i{item_id}.json");
  const made = contract(
    [],
    [
      host("shop", [
        service("Shop", [
          method("Shop", "Get", {
            request: message([id]),
            response: message([note]),
            route: {
              kind: "rest",
              verb: "GET",
              query: [],
              headers: [],
              responseHeaders: [],
              statuses: [],
              statusOutput: null,
              requestBody: { kind: "none" },
              status: 200,
              path,
              body: "text",
            },
          }),
        ]),
      ]),
    ],
  );
  const { hosts } = createContractView(made, {
    names: settleNames(made, defaultNameRules),
  });
  expect(hosts[0]?.services[0]?.methods[0]).toMatchObject({
    route: {
      segments: [
        {
          kind: "field",
          prefix: "i",
          field: { name: "itemID" },
          suffix: ".json",
        },
      ],
    },
    response: { body: { name: "note" } },
  });
});

test("a REST route says which values are text, and which are JSON", () => {
  const fields = ["id", "count", "tags", "flags"].map((name, index) => {
    const type = scalar(index % 2 === 0 ? "string" : "uint16");
    return field(name, index < 2 ? type : { kind: "list", element: type });
  });
  const made = contract(
    [],
    [
      host("shop", [
        service("Shop", [
          method("Shop", "Get", {
            request: message(fields),
            response: message([]),
            route: {
              kind: "rest",
              verb: "GET",
              query: fields.map(({ jsonName }) => ({
                kind: "field",
                name: jsonName,
                field: jsonName,
                isJoined: false,
              })),
              headers: fields.map(({ jsonName }) => ({
                name: `X-${jsonName}`,
                field: jsonName,
              })),
              responseHeaders: [],
              statuses: [],
              statusOutput: null,
              requestBody: { kind: "none" },
              status: 200,
              path: parsePathTemplate("/{id}/{count}/{tags}/{flags}"),
              body: null,
            },
          }),
        ]),
      ]),
    ],
  );
  const { hosts } = createContractView(made, {
    names: settleNames(made, defaultNameRules),
  });
  const slots = [true, false, true, false].map((isText) => ({ isText }));
  expect(hosts[0]?.services[0]?.methods[0]?.route).toMatchObject({
    jsonInPath: [{ name: "count" }, { name: "flags" }],
    query: slots.map((field) => ({ field })),
    headers: slots,
  });
});

test("says what needs a box, what a host uses, and short names", () => {
  const { value, diagnostics } = compileContract(["a.ridl", "b.ridl"], {
    read: (path) =>
      path === "a.ridl"
        ? `webrpc = v1
name = a
version = v1.0.0
error 1 Full "full" HTTP 409
type Token: string
  + header = X-Token
  + error = Full
struct Node
  - next?: Next
  - others: []Node
  - named: map<string,Node>
  - text: string
struct Next
  - node: Node
type Tree: any
  + oneOf = "Next | Leaf | []Tree | string"
struct Leaf
  - leaf: bool
  - tree?: Tree
service Nodes
  @auth:"X-Token"
  - Get() => (node: Node, tree: Tree) errors Full
`
        : `webrpc = v1
name = b
version = v1.0.0
error 2 Gone "gone" HTTP 410
service Other
  - Find() => () errors Gone
`,
  });
  if (value === null)
    throw new Error(diagnostics.map((each) => each.message).join("\n"));
  const view = createContractView(value, {
    names: settleNames(value, {
      ...defaultNameRules,
      roles: {
        ...defaultNameRules.roles,
        member: {
          ...defaultNameRules.roles.member,
          case: "pascal",
          scope: "module",
          isQualified: true,
        },
      },
    }),
  });
  const boxed = view.structs.map(({ fields, name }) => [
    name,
    fields.flatMap((each) => (each.isRecursive ? [each.name] : [])),
  ]);
  expect(Object.fromEntries(boxed)).toEqual({
    Node: ["next"],
    Next: ["node"],
    Leaf: ["tree"],
  });
  const [tree] = view.aliases.filter(({ name }) => name === "Tree");
  expect(tree).toMatchObject({
    variants: [
      { identifier: "Next", shortIdentifier: "Next", isRecursive: false },
      { identifier: "Leaf", shortIdentifier: "Leaf", isRecursive: true },
      { identifier: "TreeTreeList", shortIdentifier: "TreeList" },
      { identifier: "TreeString", shortIdentifier: "String" },
    ],
  });
  const used = view.hosts.map(({ credentials, errors, name }) => [
    name,
    credentials.map((each) => each.name),
    errors.map((each) => each.name),
  ]);
  expect(used).toEqual([
    ["a", ["Token"], ["Full"]],
    ["b", [], ["Gone"]],
  ]);
});
