import { expect, test } from "vitest";
import { httpFileEmitter } from "../../generator/4-emit/http-file/http-file.js";
import { compileContract } from "../../generator/compile.js";
import { other, schema, startMock } from "./support/start-mock.js";

interface FileRequest {
  readonly title: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads the requests of a file as its clients do. */
function parseRequests(text: string): readonly FileRequest[] {
  const variables = new Map(
    Array.from(
      text.matchAll(/^@([\w-]+) = (.*)$/gmu),
      ([, name = "", value = ""]) => [name, value] as const,
    ),
  );
  const fill = (line: string): string =>
    line.replace(/\{\{([^{}]+)\}\}/gu, (_, name: string) => {
      const value = variables.get(name);
      if (value === undefined) throw new Error(`no variable ${name}`);
      return fill(value);
    });
  const [, ...parts] = text.split(/^### /mu);
  return parts.map((part) => {
    const [title = "", ...lines] = part.split("\n");
    const rest = lines.filter((line) => !line.startsWith("# "));
    const end = rest.indexOf("");
    const [start = "", ...headers] = rest.slice(0, end);
    const [method = "", url = ""] = fill(start).split(" ");
    return {
      title,
      method,
      url,
      headers: Object.fromEntries(
        headers.map((line) => fill(line).split(": ")),
      ),
      body: fill(rest.slice(end).join("\n").trim()),
    };
  });
}

const reads = `
service Reads
  @get:"/orders/{id}"
  - ReadOrder(id: uint64) => (order: Order)
  @get:"/many/{ids}"
  - ReadOrders(ids: []uint64) => (orders: []Order)
`;

test("a request file has only the credentials that requests need", () => {
  const text = `webrpc = v1
name = shop
version = v1.0.0

error 1 Denied "denied" HTTP 401

type Key: string
  + header = X-Key
  + error = Denied
type Team: string
  + header = X-Team
  + error = Denied
type Other: string
  + query = other
  + error = Denied

service Shop
  @auth:"X-Team,X-Key|?other"
  - Buy()
  @auth:"?other|none"
  - Look()
`;
  const { value } = compileContract(["shop.ridl"], { read: () => text });
  if (value === null) expect.unreachable("the contract has errors");
  const [file] = httpFileEmitter.emit(value, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  expect(file?.text.match(/^@\w+/gmu)).toEqual(["@key", "@team", "@baseUrl"]);
  expect(parseRequests(file?.text ?? "").map(({ headers }) => headers)).toEqual(
    [
      {
        "Content-Type": "application/json",
        "X-Key": "change-me",
        "X-Team": "change-me",
      },
      { "Content-Type": "application/json" },
    ],
  );
});

test("a mock server accepts the requests of a request file", async () => {
  const documents = new Map([
    ["shop.ridl", `${schema}${reads}`],
    ["depot.ridl", other],
  ]);
  const { value: contract } = compileContract([...documents.keys()], {
    read: (path) => documents.get(path) ?? null,
  });
  if (contract === null) expect.unreachable("the contract has errors");
  const { stop, url } = await startMock([], Object.fromEntries(documents));
  const addresses = { shop: url, depot: url };
  const files = httpFileEmitter
    .with({ addresses, parameters: { place: "vienna" } })
    .emit(contract, {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    });
  expect(files.map(({ path }) => path)).toEqual([
    "shop/requests.http",
    "depot/requests.http",
  ]);
  const requests = files.flatMap(({ text }) => parseRequests(text));
  expect(requests.map(({ title }) => title)).toEqual([
    "Shop.GetOrder",
    "Shop.Ping",
    "Shop.Watch",
    "Shop.GetPhoto",
    "Reads.ReadOrder",
    "Reads.ReadOrders",
    "Depot.CountItems",
  ]);
  for (const { body, headers, method, title, url } of requests) {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== "" && { body }),
    });
    await response.body?.cancel();
    expect(`${title}: ${response.status}`).toBe(`${title}: 200`);
  }
  await stop();
});
