import { expect, test } from "vitest";
import { printOpenapi } from "../../generator/4-emit/openapi/openapi.js";
import { compileContract } from "../../generator/compile.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";

const options = {
  ...({ int64: "number", timestamp: "string" } as const),
  ...({ runtime: "import", importExtension: ".js" } as const),
};

/** Exports a contract to OpenAPI. */
function exportText(text: string): string {
  const { diagnostics, value } = compileContract(["a.ridl"], {
    read: () => text,
  });
  if (value === null) throw new Error(diagnostics[0]?.message);
  return printOpenapi(value, value.hosts, options, { format: "json" });
}

/** Lists the annotations of methods, and where credentials are sent. */
function marksOf(ridl: string): string[] {
  return [
    ...ridl.matchAll(/^ {2}@.+|^ {2}\+ (?:header|query|cookie|scheme) = .+/gmu),
  ].map(([mark]) => mark.trim());
}

test("optional credentials are the same after an export and an import", () => {
  const contract = `webrpc = v1
name = a
version = v1.0.0

error 1401 Unauthorized "Unauthorized" HTTP 401

# A token.
type Token: string
  + header = Authorization
  + scheme = Bearer
  + error = Unauthorized

# A key.
type Key: string
  + query = api_key
  + error = Unauthorized

# An application.
type App: string
  + header = X-App
  + error = Unauthorized

# A session.
type Session: string
  + cookie = sid
  + error = Unauthorized

service Open
  @auth:"Authorization|none" @http:"GET /one 204"
  - One() => ()
  @auth:"?api_key,X-App|Authorization|Cookie:sid|none" @http:"GET /all 204"
  - All() => ()
  @auth:"?api_key,X-App|Authorization" @http:"GET /required 204"
  - Required() => ()
  @http:"GET /without 204"
  - Without() => ()
`;
  const exported = exportText(contract);
  const { diagnostics, documents } = importOpenapi(
    "a.json",
    () => ({ text: exported }),
    "a",
  );
  expect(diagnostics).toEqual([]);
  const imported = documents?.get("a.ridl") ?? "";
  expect(marksOf(imported).sort()).toEqual(marksOf(contract).sort());
  const security = (text: string): unknown =>
    Object.entries(Object(JSON.parse(text)).paths).map(([path, operations]) => [
      path,
      Object(operations).get.security,
    ]);
  expect(security(exported)).toEqual([
    ["/one", [{ Token: [] }, {}]],
    ["/all", [{ Key: [], App: [] }, { Token: [] }, { Session: [] }, {}]],
    ["/required", [{ Key: [], App: [] }, { Token: [] }]],
    ["/without", []],
  ]);
  expect(security(exportText(imported))).toEqual(security(exported));
});

/** Imports files, of which the first is the document. */
function importFiles(files: Readonly<Record<string, string>>) {
  const [name = ""] = Object.keys(files);
  const read = (path: string) => {
    const text = files[path];
    return text === undefined ? { fault: "it does not exist" } : { text };
  };
  return importOpenapi(name, read, "a");
}

const token = "{ type: http, scheme: bearer }";
const key = "{ type: apiKey, in: header, name: X-Key }";

/** Writes a document whose only operation has security requirements. */
function withSecurity(security: string, schemes: string): string {
  return `openapi: 3.2.0
info: { title: a, version: 1.0.0 }
paths:
  /a:
    post:
      operationId: addA
      security: ${security}
      responses: { "204": { description: OK } }
components:
  securitySchemes: ${schemes}
`;
}

test.each([
  ["an address in the document", `"#/components/securitySchemes/tok"`],
  ["an address in another file", `"schemes.yaml#/tok"`],
  ["a relative address", `"./tok.yaml"`],
])("a requirement can be %s", (_, address) => {
  const files = { "schemes.yaml": `tok: ${token}`, "tok.yaml": token };
  const schemes = `{ key: ${key}, tok: ${token} }`;
  const marksFor = (security: string) => {
    const text = withSecurity(security, schemes);
    const { diagnostics, documents } = importFiles({
      "a.yaml": text,
      ...files,
    });
    expect(diagnostics).toEqual([]);
    return marksOf(documents?.get("a.ridl") ?? "");
  };
  expect(marksFor(`[{ ${address}: [] }]`)).toContain(
    `@auth:"Authorization" @http:"POST /a 204"`,
  );
  expect(marksFor(`[{ key: [], ${address}: [] }]`)).toContain(
    `@auth:"X-Key,Authorization" @http:"POST /a 204"`,
  );
});

test("a name of a scheme counts before an address", () => {
  const schemes = `{ ./tok.yaml: ${key} }`;
  const text = withSecurity("[{ ./tok.yaml: [] }]", schemes);
  const { documents } = importFiles({ "a.yaml": text, "tok.yaml": token });
  expect(documents?.get("a.ridl")).toContain(`@auth:"X-Key"`);
});

test("all security schemes can be in another file", () => {
  const schemes = { "schemes.yaml": `tok: ${token}\nkey: ${key}\n` };
  const reference = "{ $ref: ./schemes.yaml }";
  const text = withSecurity("[{ tok: [], key: [] }]", reference);
  const swagger = `swagger: "2.0"
info: { title: a, version: 1.0.0 }
paths:
  /a:
    post:
      security: [{ tok: [], key: [] }]
      responses: { "204": { description: OK } }
securityDefinitions: ${reference}
`;
  for (const document of [text, swagger]) {
    const { documents } = importFiles({ "a.yaml": document, ...schemes });
    expect(documents?.get("a.ridl")).toContain(
      `@auth:"Authorization,X-Key" @http:"POST /a 204"`,
    );
  }
});

test.each([
  ["[{ other: [] }]", "there is no security scheme `other`"],
  ["[{ tok: [], other: [] }]", "there is no security scheme `other`"],
  ["[{}, { other: [] }]", "there is no security scheme `other`"],
  ["[{ empty: [] }]", "there is no security scheme `empty`"],
  [`[{ "#/info": [] }]`, "there is no security scheme `#/info`"],
  [`[{ "#/b": [] }]`, "there is nothing at `#/b`"],
  ["[{ ./b.yaml: [] }]", "cannot read `b.yaml`: it does not exist"],
  ["{ tok: [] }", "`security` is not a list of objects"],
  ["[tok]", "`security` is not a list of objects"],
  ["tok", "`security` is not a list of objects"],
  ["null", "`security` is not a list of objects"],
])("rejects a document with the security %s", (security, message) => {
  const text = withSecurity(security, `{ tok: ${token}, empty: {} }`);
  const { diagnostics, documents } = importFiles({ "a.yaml": text });
  expect(documents).toBe(null);
  expect(diagnostics[0]).toMatchObject({ code: "import-document", message });
});

test("finds credentials of operations in other files", () => {
  const document = (path: string): string => `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:
  /a: ${path}
  /b:
    get:
      parameters:
        - { name: api_key, in: query, schema: { type: string } }
      responses: { "204": { description: OK } }
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: api_key }
    tok: ${token}
    whole: { type: apiKey, in: header, name: Authorization }
`;
  const operation = `security: [{ key: [] }, { whole: [] }, { tok: [] }]
responses: { "204": { description: OK } }
`;
  const inline = `{ get: { ${operation.trim().replace("\n", ", ")} } }`;
  const texts = [
    importFiles({ "a.yaml": document(inline) }),
    importFiles({
      "a.yaml": document("{ $ref: path.yaml }"),
      "path.yaml": `get: ${inline.slice("{ get: ".length, -" }".length)}`,
    }),
    importFiles({
      "a.yaml": document("{ get: { $ref: operation.yaml } }"),
      "operation.yaml": operation,
    }),
  ].map(({ documents }) => documents?.get("a.ridl"));
  expect(texts[0]).toContain(`@auth:"?api_key|Authorization"`);
  expect(texts[0]).not.toContain("apiKey?");
  expect(new Set(texts).size).toBe(1);
});

test("notes say that methods do not require what RIDL has no credentials for", () => {
  const operation = (security: string): string =>
    `{ get: { security: [${security}], responses: { 204: { description: OK } } } }`;
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:
  /certificate: ${operation("{ certificate: [] }")}
  /both: ${operation("{ certificate: [], key: [] }")}
  /either: ${operation("{ certificate: [] }, { key: [] }")}
  /digest: ${operation("{ digest: [] }")}
components:
  securitySchemes:
    certificate: { type: mutualTLS }
    key: { type: apiKey, in: header, name: X-Key }
    digest: { type: http, scheme: digest }
`;
  const { diagnostics, documents } = importOpenapi(
    "a.yaml",
    () => ({ text }),
    "a",
  );
  expect(marksOf(documents?.get("a.ridl") ?? "")).toEqual([
    "+ header = X-Key",
    `@http:"GET /certificate 204"`,
    `@auth:"X-Key" @http:"GET /both 204"`,
    `@auth:"X-Key" @http:"GET /either 204"`,
    `@http:"GET /digest 204"`,
  ]);
  const told = diagnostics.map(({ message, notes = [] }) => [
    message,
    notes[1]?.replace("instead: ", ""),
  ]);
  expect(told).toEqual([
    ["callers can choose between credentials", "the method requires `key`"],
    [
      "RIDL has no credentials of type `mutualTLS`",
      "methods accept callers without it: require certificates where TLS ends",
    ],
    [
      "RIDL has no credentials of type `digest`",
      "methods accept callers without it",
    ],
  ]);
});
