import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const ridl = `
webrpc = v1
name = vault
version = v1.0.0

type Key: string
  + header = X-Key
  + error = Unauthorized

error 1 Unauthorized "Unauthorized" HTTP 401
error 2 Missing "Missing" HTTP 404

struct UntypedError
  - message?: string
    + error = message
  - members: map<string,any>
    + extra = true

type ErrorBody: UntypedError
  + errorBody = application/json

service Mounts
  @get:"/v1/{aws}/config"
  - GetAws(aws: string) => (region: string)

  @get:"/v1/{ssh}/config" @clientOnly
  - GetSsh(ssh: string) => (port: uint16)

  @http:"HEAD /v1/{aws}/config" @clientOnly @responseHeaders:"ETag={revision}"
  - CheckAws(aws: string) => (revision?: string) errors Missing

service Others
  @http:"HEAD /others" @clientOnly @auth:"X-Key"
  - Check() => () errors Missing
`;

test("clients have methods that servers leave out", async () => {
  const code = await importContract(ridl);
  const seen: string[] = [];
  const { url } = await listenForTest(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(request.url === "/others" ? 404 : 200, {
        "content-type": "application/json",
        etag: '"7"',
      });
      response.end('{"region":"eu","port":22}');
    }),
  );
  const { aws, check } = {
    aws: clientOf(code, "createMountsClient", url),
    check: clientOf(code, "createOthersClient", url),
  };
  expect(await aws("getAws", { aws: "a" })).toMatchObject({ region: "eu" });
  expect(await aws("getSsh", { ssh: "b" })).toMatchObject({ port: 22 });
  expect(await aws("checkAws", { aws: "c" })).toEqual({ revision: '"7"' });
  await expect(check("check", {})).rejects.toMatchObject({ name: "Missing" });
  expect(seen).toEqual([
    "GET /v1/a/config",
    "GET /v1/b/config",
    "HEAD /v1/c/config",
    "HEAD /others",
  ]);

  // The server has neither the other handlers nor a verifier.
  const handlers = { mounts: { getAws: () => ({ region: "eu" }) } };
  const server = exportedFunction(code, "createVaultServer")({ handlers });
  const { fetch } = server as Pick<RpcServer, "fetch">;
  const read = await fetch(new Request("https://vault.test/v1/b/config"));
  expect([read.status, await read.json()]).toEqual([200, { region: "eu" }]);
  const head = new Request("https://vault.test/others", { method: "HEAD" });
  expect((await fetch(head)).status).toBe(404);
});

function clientOf(
  code: Exports,
  create: string,
  baseUrl: string,
): (name: string, request: object) => Promise<unknown> {
  const client = exportedFunction(
    code,
    create,
  )({ baseUrl, credentials: { key: "k" } }) as Exports;
  return async (name, request) => exportedFunction(client, name)(request);
}
