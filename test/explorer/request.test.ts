import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { printCurl, quoteShell } from "../../apps/explorer/calls/curl.js";
import { printFetch } from "../../apps/explorer/calls/fetch-call.js";
import { printGo } from "../../apps/explorer/calls/go-call.js";
import { printPython } from "../../apps/explorer/calls/python-call.js";
import { printTypeScript } from "../../apps/explorer/calls/typescript-call.js";
import {
  type PlainCall,
  planCall,
  variableOf,
} from "../../apps/explorer/calls/snippet-request.js";
import {
  type JsonNode,
  parseJson,
  printFlat,
} from "../../apps/explorer/calls/json-text.js";
import { filterEntries } from "../../apps/explorer/views/navigation.js";
import {
  type Connection,
  createRequest,
  parametersOf,
  sentHeaders,
  sentUrl,
} from "../../apps/explorer/calls/request.js";
import { connectionOf, entryOf, goldenModel } from "./sample-models.js";

const curlOptions = { answer: "json", showsKeys: true } as const;
const rooms = goldenModel("explorer");
const address = { rooms: "https://{region}.example.com/base/" };
const filled = connectionOf(
  address,
  { region: "eu 1" },
  { Authorization: "t" },
);

function requestOf(
  id: string,
  json: string,
  connection = filled,
  model = rooms,
) {
  const entry = entryOf(model, id);
  return createRequest(model, entry, parsed(json), [], connection);
}

/** Splits a command as a shell does, into the arguments of curl. */
function argumentsOf(command: string, variables = ""): readonly string[] {
  const script = `${variables}\ncurl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const printed = execFileSync("sh", ["-c", script]).toString();
  return printed.split("\0").slice(0, -1);
}

test("a call is a POST request to the address with its parameters", () => {
  const request = requestOf("Rooms.Say", '{"room":"lobby"}');
  expect(request).toMatchObject({
    verb: "POST",
    url: "https://eu%201.example.com/base/eu%201/rpc/Rooms/Say",
    problems: [],
  });
  expect(sentHeaders(request)).toEqual([
    ["Content-Type", "application/json"],
    ["Authorization", "Bearer t"],
  ]);
});

test("a missing key is not sent", () => {
  const connection = connectionOf(address, { region: "eu" });
  const request = requestOf("Rooms.Say", "{}", connection);
  expect(sentHeaders(request)).toEqual([["Content-Type", "application/json"]]);
});

test.each([
  ["Jürgen:a:b", "Basic SsO8cmdlbjphOmI=", "basic YTpi"],
  ["YTpi", "Basic YTpi", "basic YTpi"],
])("the login %j is sent as base64", (account, ...sent) => {
  const model = goldenModel("basic-credentials");
  const keys = { Authorization: account, "X-Operator": "a:b" };
  const connection = connectionOf({ billing: "https://a.example" }, {}, keys);
  const request = requestOf("Billing.GetInvoice", "{}", connection, model);
  expect(sentHeaders(request).map(([, value]) => value)).toEqual(sent);
});

test("keys are in the query or in a cookie only if they are shown", () => {
  const model = goldenModel("credentials");
  const keys = { "?api_key": "a&b $c", "Cookie:sid": "s" };
  const connection = connectionOf({ weather: "https://a.example" }, {}, keys);
  const json = '{"id":1,"days":2}';
  const get = requestOf("Weather.GetStation", json, connection, model);
  expect(get.url).toBe("https://a.example/stations/1?days=2");
  expect(sentUrl(get)).toBe(`${get.url}&api_key=a%26b%20%24c`);
  expect(sentHeaders(get)).toEqual([]);
  const list = requestOf("Weather.ListStations", "{}", connection, model);
  expect(sentHeaders(list).slice(1)).toEqual([["Cookie", "sid=s"]]);
  const hidden = printCurl(list, { answer: "json", showsKeys: false });
  expect(hidden).not.toContain("a&b");
  const variables = "API_KEY='x y' SESSION=z";
  expect(argumentsOf(hidden, variables)).toEqual([
    list.url,
    ...["-H", "Content-Type: application/json"],
    ...["--url-query", "api_key=x y"],
    ...["-H", "Cookie: sid=z"],
    ...["--data-raw", "{}"],
  ]);
  const shown = printCurl(list, { answer: "json", showsKeys: true });
  expect(argumentsOf(shown)[0]).toBe(sentUrl(list));
});

test("keys in the query are in code only if they are shown", () => {
  const model = goldenModel("credentials");
  const connection = connectionOf(
    { weather: "https://a.example" },
    {},
    { "?api_key": "a&b" },
  );
  const entry = entryOf(model, "Weather.GetStation");
  const message = parsed('{"id":1,"days":2}');
  const request = createRequest(model, entry, message, [], connection);
  const all = { model, entry, message, request, connection };
  const url = "https://a.example/stations/1?days=2&api_key=";
  for (const [print, code, plain] of [
    [printFetch, `"${url}" + encodeURIComponent(process.env.API_KEY)`, "\n"],
    [
      printPython,
      `"${url}" + urllib.parse.quote(os.environ["API_KEY"], safe="")`,
      "urllib.parse",
    ],
    [printGo, `"${url}"+url.QueryEscape(os.Getenv("API_KEY"))`, "net/url"],
  ] as const) {
    const hidden = print(planCall({ ...all, showsKeys: false }));
    expect(hidden).toContain(code);
    expect(hidden).toContain(plain);
    const shown = print(planCall({ ...all, showsKeys: true }));
    expect(shown).toContain(`"${url}a%26b"`);
    expect(shown).not.toMatch(/urllib\.parse|net\/url|API_KEY/u);
  }
});

test("code can have any prefix of a key", () => {
  const header = { name: "Cookie", text: "a`${b}=", variable: "KEY" };
  const call: PlainCall = {
    verb: "GET",
    url: [{ text: "https://a.example", variable: null }],
    headers: [header],
    message: null,
    form: null,
    file: null,
    answer: "json",
  };
  expect(printFetch(call)).toContain('"a`${b}=" + process.env.KEY');
  expect(printPython(call)).toContain('"a`${b}=" + os.environ["KEY"]');
  expect(printGo(call)).toContain('"a`${b}="+os.Getenv("KEY")');
});

test("a command saves a file, but not an error", () => {
  const request = requestOf("Rooms.Download", '{"room":"a"}');
  const text = printCurl(request, { answer: "file", showsKeys: false });
  expect(text).toMatch(/^curl -fOJ '/u);
});

test("a read is a GET request with its fields in the path", () => {
  const json = '{"names":["a b","c/d","é"],"level":"LOW"}';
  expect(requestOf("Rooms.Find", json)).toMatchObject({
    verb: "GET",
    url: "https://eu%201.example.com/base/rooms/a%20b,c%2Fd,%C3%A9/LOW",
    headers: [],
    message: null,
    problems: [],
  });
});

const orders = goldenModel("rest-methods");

test.each([
  [
    "Orders.Put",
    '{"id":7,"notify":true,"pageSize":3,"state":"paid","tags":["a"]}',
    "PUT",
    "/orders/7?notify=true&limit=3&beta=true",
    '{"state":"paid","tags":["a"]}',
  ],
  [
    "Orders.Patch",
    '{"id":7,"order":{"id":7,"state":"open"}}',
    "PATCH",
    "/orders/7",
    '{"id":7,"state":"open"}',
  ],
  ["Orders.Create", "{}", "POST", "/orders", null],
  ["Orders.Delete", '{"ids":[1,2]}', "DELETE", "/orders/1,2", null],
  [
    "Orders.List",
    '{"state":["open","paid"],"ids":[1],"proto":"a&b é"}',
    "GET",
    "/orders?state=open&state=paid&id=1&__proto__=a%26b%20%C3%A9",
    null,
  ],
  [
    "Orders.List",
    '{"state":null,"ids":null,"proto":"null"}',
    "GET",
    "/orders?__proto__=null",
    null,
  ],
])("%s with %s is %s %s", (id, json, verb, path, body) => {
  const connection = connectionOf({ orders: "https://x.example" });
  const request = requestOf(id, json, connection, orders);
  const { message, problems, url } = request;
  expect(problems).toEqual([]);
  expect([request.verb, url]).toEqual([verb, `https://x.example${path}`]);
  expect(message && printFlat(message)).toBe(body && printFlat(parsed(body)));
  const hasType = request.headers.length > 0;
  expect(hasType).toBe(body !== null);
  const type =
    verb === "PATCH" ? "application/merge-patch+json" : "application/json";
  if (hasType) expect(request.headers).toEqual([["Content-Type", type]]);
  const sent = argumentsOf(
    printCurl(request, { answer: "json", showsKeys: true }),
  );
  const usual = body === null ? "GET" : "POST";
  expect(sent.includes("-X")).toBe(verb !== usual);
  if (verb !== usual) expect(sent[sent.indexOf("-X") + 1]).toBe(verb);
});

test.each([
  [
    "Shop.Search",
    '{"query":"a&b","ids":[1,18446744073709551615],"in":[{"street":"x","lines":[]}]}',
    "query=a%26b&ids%5B%5D=1&ids%5B%5D=18446744073709551615&in%5B0%5D%5Bstreet%5D=x",
    [],
  ],
  ["Shop.Search", "{}", null, []],
  [
    "Shop.Search",
    '{"in":[{}]}',
    null,
    ["The form cannot be sent: in[0] is empty, which a form cannot express."],
  ],
])("%s sends %s as a form", (id, json, body, expected) => {
  const connection = connectionOf({ shop: "https://x.example" });
  const request = requestOf(id, json, connection, goldenModel("forms"));
  const { headers, message, problems } = request;
  expect([message && printFlat(message), problems]).toEqual([body, expected]);
  const type = ["Content-Type", "application/x-www-form-urlencoded"];
  expect(headers).toEqual(body === null ? [] : [type]);
  const curl = printCurl(request, { answer: "json", showsKeys: true });
  expect(curl.includes(`--data-raw '${body}'`)).toBe(body !== null);
});

test("a query cannot contain unpaired surrogates", () => {
  const connection = connectionOf({ orders: "https://x.example" });
  const json = '{"state":[],"proto":"\\ud800"}';
  const { problems } = requestOf("Orders.List", json, connection, orders);
  expect(problems).toEqual([
    "The address cannot be written: parameter __proto__ has an unpaired surrogate.",
  ]);
});

function parsed(json: string): JsonNode {
  const found = parseJson(json);
  return found.isValid ? found.node : expect.unreachable(found.problem);
}

test.each([
  ["{}", filled, ["names", "level"]],
  ['{"names":[".."],"level":"LOW"}', filled, ["names"]],
  ['{"names":["a,b"],"level":"LOW"}', filled, ["names"]],
  ['{"names":["\\ud800"],"level":"LOW"}', filled, ["names"]],
  ['{"names":["a"],"level":"LOW"}', connectionOf(address), ["region"]],
  ['{"names":["a"],"level":"LOW"}', connectionOf({}), ["base address"]],
  [
    '{"names":["a"],"level":"LOW"}',
    connectionOf({ rooms: "javascript:alert(1)" }),
    ["base address"],
  ],
] satisfies readonly (readonly [string, Connection, readonly string[]])[])(
  "%s cannot be sent with the connection %o",
  (json, connection, problems) => {
    const found = requestOf("Rooms.Find", json, connection).problems;
    expect(found).toHaveLength(problems.length);
    problems.forEach((word, index) => expect(found[index]).toContain(word));
  },
);

test("lists each parameter of the address and path once", () => {
  const parameters = (id: string, rooms_: string): readonly string[] =>
    parametersOf(entryOf(rooms, id), connectionOf({ rooms: rooms_ }));
  expect(parameters("Rooms.Say", "https://{region}.x/{tenant}")).toEqual([
    "region",
    "tenant",
  ]);
  // A path parameter of a read is part of the read's request.
  expect(parameters("Rooms.Find", "https://x")).toEqual([]);
});

test("a method with `@idempotencyKey` gets a new key for each call", () => {
  const model = goldenModel("idempotency-keys");
  const connection = connectionOf({ shop: "https://shop.test" });
  const keyOf = (id: string): string | undefined =>
    requestOf(id, "{}", connection, model).headers.find(
      ([name]) => name === "Idempotency-Key",
    )?.[1];
  expect(keyOf("Shop.Order")).toMatch(/^"[0-9-]+"$/u);
  expect(keyOf("Shop.Order")).not.toBe(keyOf("Shop.Order"));
  expect(keyOf("Shop.CountOrders")).toBeUndefined();
});

test("a webhook is sent to the address of its receiver, with its name", () => {
  const connection = connectionOf({ "rooms RoomsWebhook": "http://a/hook/" });
  const request = requestOf("RoomsWebhook.Opened", "{}", connection);
  expect(request.url).toBe("http://a/hook/");
  expect(request.headers).toContainEqual(["Webhook-Event", "Opened"]);
});

const hostile = `it's "$HOME" \`id\` $(id) \\ \n; rm -rf / # !! @x ü`;

test("a shell reads every string unchanged", () => {
  expect(argumentsOf(`curl ${quoteShell(hostile)}`)).toEqual([hostile]);
  const json = JSON.stringify({ room: hostile });
  const request = requestOf("Rooms.Say", json);
  const command = printCurl(request, { answer: "json", showsKeys: true });
  expect(argumentsOf(command)).toEqual([
    request.url,
    "-H",
    "Content-Type: application/json",
    "-H",
    "Authorization: Bearer t",
    "--data-raw",
    expect.toSatisfy((text: string) => JSON.parse(text).room === hostile),
  ]);
});

test("keys are variables by default", () => {
  const connection = connectionOf(
    address,
    { region: "eu" },
    {
      Authorization: "'; rm -rf /",
    },
  );
  const request = requestOf("Rooms.Say", "{}", connection);
  const hidden = printCurl(request, { answer: "json", showsKeys: false });
  expect(hidden).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(hidden).not.toContain("rm -rf");
  expect(argumentsOf(hidden, "TOKEN='a b'")).toContain(
    "Authorization: Bearer a b",
  );
  const shown = printCurl(request, { answer: "json", showsKeys: true });
  expect(argumentsOf(shown)).toContain("Authorization: Bearer '; rm -rf /");
});

test("streams are not buffered, and curl does not expand brackets", () => {
  const connection = connectionOf(
    { rooms: "http://[::1]:1" },
    { region: "eu" },
  );
  const request = requestOf("Rooms.Listen", '{"room":"x"}', connection);
  const command = printCurl(request, { answer: "stream", showsKeys: false });
  expect(argumentsOf(command).slice(0, 3)).toEqual([
    "-N",
    "-g",
    "http://[::1]:1/eu/rpc/Rooms/Listen",
  ]);
});

test("files are parts of a form, regardless of their names", () => {
  const entry = entryOf(rooms, "Rooms.Upload");
  const file = new File(["x"], `a"; b\\.png`);
  const message: JsonNode = {
    kind: "object",
    entries: [["room", { kind: "string", value: "a;type=x" }]],
  };
  const files = [["picture", file]] as const;
  const request = createRequest(rooms, entry, message, files, filled);
  expect(request.headers).toEqual([]);
  const command = printCurl(request, { answer: "json", showsKeys: false });
  expect(argumentsOf(command).slice(1)).toEqual([
    "--form-string",
    'json={"room":"a;type=x"}',
    "-F",
    String.raw`picture=@"a\"; b\\.png"`,
  ]);
});

const forms = goldenModel("forms");
const shop = connectionOf({ shop: "https://x.example" });
const i = new File(["x"], 'i".txt');

test("lists of files have the brackets of other lists", () => {
  const entry = entryOf(forms, "Shop.SetLogo");
  const message = parsed('{"labels":["a b"]}');
  const files = [["images", i]] as const;
  const request = createRequest(forms, entry, message, files, shop);
  expect(request.files).toEqual([["images[]", i]]);
  expect(argumentsOf(printCurl(request, curlOptions)).slice(2)).toEqual([
    "https://x.example/logo",
    "--form-string",
    "labels[]=a b",
    "-F",
    String.raw`images[]=@"i\".txt"`,
  ]);
  const input = { model: forms, entry, message, request, connection: shop };
  const call = planCall({ ...input, showsKeys: true });
  expect(printFetch(call)).toContain(
    String.raw`form.append("images[]", await openAsBlob("i\".txt"), "i\".txt");`,
  );
  expect(printGo(call)).toContain(
    String.raw`form.CreateFormFile("images[]", "i\".txt")`,
  );
  expect(printPython(call)).toContain(
    String.raw`("name=\"images[]\"; filename=\"i%22.txt\"", open("i\".txt", "rb").read()),`,
  );
  expect(printTypeScript({ ...input, showsKeys: true })).toContain(
    String.raw`images: [await openAsBlob("i\".txt")]`,
  );
});

test("names and texts in forms with files are data", () => {
  const entry = entryOf(forms, "Shop.Attach");
  const meta = { 'a=b"\r\n': 'x;"\\', "c\u202e": "@\u202ey" };
  const message = parsed(JSON.stringify({ id: 1, meta }));
  const files = [["invoice", i]] as const;
  const request = createRequest(forms, entry, message, files, shop);
  expect(argumentsOf(printCurl(request, curlOptions))).toEqual([
    "https://x.example/orders/1/papers",
    "-F",
    String.raw`="x;\"\\";headers="Content-Disposition: form-data; name=\"meta[a=b%22%0D%0A]\""`,
    "--form-string",
    "meta[c\u202e]=@\u202ey",
    "-F",
    String.raw`invoice=@"i\".txt"`,
  ]);
  const call = planCall({
    ...{ model: forms, entry, message, request },
    ...{ connection: shop, showsKeys: true },
  });
  expect(printPython(call)).toContain(
    String.raw`
    ("name=\"meta[a=b%22%0D%0A]\"", "x;\"\\".encode()),
    ("name=\"meta[c\u202e]\"", "@\u202ey".encode()),`,
  );
  expect(printFetch(call)).toContain(
    String.raw`form.append("meta[a=b\"\r\n]", "x;\"\\");`,
  );
  expect(printGo(call)).toContain(
    String.raw`form.WriteField("meta[a=b\"\r\n]", "x;\"\\")`,
  );
});

const pictures = goldenModel("file-bodies");
const gallery = connectionOf({ pictures: "https://x.example" });

test.each([
  ["a/b", "a/b"],
  ["", "application/octet-stream"],
])("a file of the type `%s` can be the whole body", (type, sent) => {
  const entry = entryOf(pictures, "Pictures.Add");
  const message = parsed('{"name":"n"}');
  const content = new File(["x"], "it's.txt", { type });
  const files = [["content", content]] as const;
  const request = createRequest(pictures, entry, message, files, gallery);
  expect(request).toMatchObject({
    headers: [["Content-Type", sent]],
    message: null,
    texts: null,
  });
  expect(argumentsOf(printCurl(request, curlOptions))).toEqual([
    "https://x.example/pictures?name=n",
    "-H",
    `Content-Type: ${sent}`,
    "--data-binary",
    "@it's.txt",
  ]);
  const input = { model: pictures, entry, message, request };
  const shown = { ...input, connection: gallery, showsKeys: true };
  const call = planCall(shown);
  expect(printFetch(call)).toContain(`body: await openAsBlob("it's.txt"),`);
  expect(printGo(call)).toContain(`file, err := os.Open("it's.txt")`);
  expect(printPython(call)).toContain(`data=open("it's.txt", "rb").read(),`);
  expect(printTypeScript(shown)).toContain(
    `content: await openAsBlob("it's.txt")`,
  );
});

test("an optional file as the whole body can be absent", () => {
  const { headers, files } = requestOf(
    "Pictures.Scan",
    "{}",
    gallery,
    pictures,
  );
  expect([headers, files]).toEqual([[], []]);
});

test("names that receivers read in different ways cannot be sent", () => {
  const json = '{"id":1,"meta":{"%22":"a"}}';
  expect(requestOf("Shop.Attach", json, shop, forms).problems).toEqual([
    "The form cannot be sent: a form with files cannot express the name meta[%22].",
  ]);
});

test.each([
  ["AccessKey", "ACCESS_KEY"],
  ["Cre`dential", "CRE_DENTIAL"],
  ["1", "KEY_1"],
])("the variable for %s is named %s", (name, variable) => {
  expect(variableOf(name)).toBe(variable);
});

test("finds methods by any word in their description", () => {
  const found = (text: string): readonly string[] =>
    filterEntries(rooms.entries, text).map(({ id }) => id);
  expect(found("")).toHaveLength(rooms.entries.length);
  expect(found("SAY rooms")).toContain("Rooms.Say");
  expect(found("twice")).toEqual(["Rooms.Say"]);
  expect(found("webhook clo")).toEqual(["RoomsWebhook.Closed"]);
  expect(found("nothing-like-it")).toEqual([]);
});
