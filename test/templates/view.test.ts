import { format } from "prettier";
import { expect, test } from "vitest";
import { defaultNameRules } from "../../generator/4-emit/names/name-rules.js";
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
