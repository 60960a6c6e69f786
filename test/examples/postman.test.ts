import { describe, expect, test } from "vitest";
import { escapeInJson } from "../../generator/4-emit/emitter/invisible.js";
import { printSet } from "../../generator/4-emit/templates/template-set.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { goldenCases } from "../support/golden-cases.js";
import { readExample } from "./read-example.js";

const { files, set } = readExample("postman");

/** The parts of a collection that the tests read. */
interface Collection {
  readonly info: { readonly name: string };
  readonly item: readonly {
    readonly name: string;
    readonly item: readonly {
      readonly name: string;
      readonly request: {
        readonly description?: string;
        readonly method: string;
        readonly header: readonly { readonly key: string }[];
        readonly url: { readonly path?: readonly string[] };
        readonly body?: {
          readonly raw?: string;
          readonly formdata?: readonly {
            readonly key: string;
            readonly value?: string;
          }[];
        };
      };
    }[];
  }[];
  readonly variable: readonly { readonly key: string }[];
}

/** Parses a collection. Fails if it is not formatted as JSON usually is. */
function parseCollection(text: string): Collection {
  const parsed: Collection = JSON.parse(text);
  expect(text).toBe(escapeInJson(`${JSON.stringify(parsed, null, 2)}\n`));
  return parsed;
}

test("the templates in examples/postman print a collection", async () => {
  const sandbox = createSandbox(files);
  const check = await sandbox.run(["check", "--strict"]);
  expect(check).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { item, variable } = parseCollection(
    sandbox.read("generated/postman_collection.json"),
  );
  const requests = item.flatMap((folder) => folder.item);
  expect(
    requests.map(({ name, request: { method, url } }) =>
      [name, method, ...(url.path ?? [])].join(" "),
    ),
  ).toEqual([
    "GetBook GET books :isbn",
    "AddBook POST {{branch}} api Library AddBook",
    "AddCover POST {{branch}} api Library AddCover",
    "BookDue POST",
  ]);
  const [read, add, upload, event] = requests.map(({ request }) => request);
  expect(read?.description).toBe("Finds a book.\n\nThe number is on its back.");
  expect(read?.header).toContainEqual({
    key: "Authorization",
    value: "Bearer {{ReaderKey}}",
  });
  expect(add?.body?.raw).toBe('{\n  "book": "<Book>",\n  "copies": 0\n}');
  expect(upload?.body?.formdata?.map(({ key }) => key)).toEqual([
    "json",
    "cover",
  ]);
  expect(event?.header).toEqual([{ key: "webhook-event", value: "BookDue" }]);
  expect(variable.map(({ key }) => key)).toEqual([
    "baseUrl",
    "branch",
    "Reminders",
    "ReaderKey",
  ]);
});

test("a segment with text around its field contains a variable", () => {
  const golden = goldenCases().find(({ name }) => name === "rest-methods");
  const [printed] = printSet(set, golden?.contract ?? expect.unreachable());
  const { item } = parseCollection(printed?.text ?? "");
  const paths = item.flatMap((folder) =>
    folder.item.map(({ request }) => request.url.path?.join("/")),
  );
  expect(paths).toContain("orders/v{{version}}:archive");
  expect(paths).toContain("orders/{{id}}.json/");
});

describe("a collection", () => {
  test.each(goldenCases().map((golden) => [golden.name, golden] as const))(
    "of %s contains the names, texts and bodies of the contract",
    (_, { contract }) => {
      const printed = printSet(set, contract);
      expect(printed).toHaveLength(contract.hosts.length);
      for (const [index, host] of contract.hosts.entries()) {
        const collection = parseCollection(printed[index]?.text ?? "");
        expect(collection.info.name).toBe(host.name);
        const methods = host.services.flatMap((service) => service.methods);
        const requests = collection.item.flatMap((folder) => folder.item);
        expect(requests.map(({ name }) => name)).toEqual(
          methods.map(({ name }) => name),
        );
        for (const [at, { docs, request, route }] of methods.entries()) {
          const { body, description = "" } = requests[at]?.request ?? {};
          expect(description).toBe(docs.lines.join("\n"));
          const raw = body?.raw ?? body?.formdata?.[0]?.value ?? "{}";
          expect(Object.keys(JSON.parse(raw))).toEqual(
            route.kind === "rest"
              ? []
              : Object.keys(
                  // Integers come first in every object.
                  Object.fromEntries(
                    request.fields.map(({ jsonName }) => [jsonName, null]),
                  ),
                ),
          );
        }
      }
    },
  );
});
