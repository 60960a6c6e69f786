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
