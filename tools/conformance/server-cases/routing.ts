import { badRequest, type ServerCase } from "./case.js";

const path = "/rpc/Echo/Uint8";
const body = '{"value":1}';

/**
 * Paths that are not methods: incomplete or misspelled paths, and names that
 * JavaScript objects inherit.
 */
const unknown = [
  "/",
  "/rpc",
  "/rpc/",
  "/rpc/Echo",
  "/rpc/Echo/",
  "/rpc/Echo/Uint8/",
  "/rpc//Echo/Uint8",
  "//rpc/Echo/Uint8",
  "/rpc/Echo/uint8",
  "/rpc/echo/Uint8",
  "/RPC/Echo/Uint8",
  "/Echo/Uint8",
  "/rpc/Echo/Uint8%00",
  "/rpc/Echo/%55int8",
  "/rpc/Echo%2FUint8",
  "/rpc/Echo/Uint8;x=1",
  "/rpc/Names/Get",
  "/rpc/v1/Get",
  "/rpc/v1%2FNames/Get",
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "__defineGetter__",
    "then",
    "undefined",
    "null",
    "0",
    "length",
    "*",
    "{value}",
  ].flatMap((name) => [`/rpc/Echo/${name}`, `/rpc/${name}/Uint8`]),
  "/__proto__",
  "/constructor/prototype",
  "/rpc/__proto__/toString",
];

/** Requests with various paths, HTTP methods, and content types. */
export const routing: readonly ServerCase[] = [
  ...unknown.map((unknownPath): ServerCase => ({
    name: `hostile names: ${unknownPath} is not a method`,
    path: unknownPath,
    body,
    answer: {
      status: 404,
      error: "WebrpcBadRoute",
      code: -2,
      msg: "bad route",
      cause: "there is no method at POST ",
    },
  })),
  ...["?", "?a=1", "?value=2&x", "?/../x"].map((query): ServerCase => ({
    name: `verbs and content types: query ${query} is ignored`,
    path: path + query,
    body,
    answer: { status: 200, text: body },
  })),
  ...["GET", "PUT", "DELETE", "PATCH", "OPTIONS"].map((verb): ServerCase => ({
    name: `verbs and content types: ${verb} of a method`,
    verb,
    path,
    body: null,
    answer: {
      status: 405,
      error: "WebrpcBadMethod",
      code: -3,
      msg: "bad method",
      cause: `${path} accepts POST, not ${verb}`,
      headers: { allow: "POST" },
    },
  })),
  {
    name: "verbs and content types: POST of a REST read",
    path: "/things/1/0xa",
    answer: {
      status: 405,
      error: "WebrpcBadMethod",
      headers: { allow: "GET, HEAD" },
    },
  },
  {
    name: "verbs and content types: the path is checked before the verb",
    verb: "GET",
    path: "/rpc/Echo/Nope",
    body: null,
    answer: { status: 404, error: "WebrpcBadRoute" },
  },
  {
    name: "verbs and content types: the verb is checked before the content type",
    verb: "PUT",
    path,
    headers: { "Content-Type": "text/plain" },
    body,
    answer: { status: 405, error: "WebrpcBadMethod" },
  },
  ...[
    "application/json",
    "APPLICATION/JSON",
    "application/json;charset=utf-8",
    'application/json ; charset="utf-8"; x=y',
  ].map((type): ServerCase => ({
    name: `verbs and content types: ${type}`,
    path,
    headers: { "Content-Type": type },
    body,
    answer: { status: 200, text: body },
  })),
  ...[
    "text/plain",
    "text/plain;charset=UTF-8",
    "text/json",
    "application/hal+json",
    "application/jsonp",
    "application/x-ndjson",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=application/json",
    "text/plain; application/json",
  ].map((type): ServerCase => ({
    name: `verbs and content types: not ${type}`,
    path,
    headers: { "Content-Type": type },
    body,
    answer: badRequest("content-type: expected application/json, got ", 415),
  })),
  {
    name: "verbs and content types: missing content type",
    path,
    headers: {},
    body,
    answer: badRequest(
      "content-type: expected application/json, got nothing",
      415,
    ),
  },
  ...["*/*", "application/json", "text/html", ""].map((accept): ServerCase => ({
    name: `verbs and content types: Accept "${accept}" is ignored`,
    path,
    headers: { "Content-Type": "application/json", Accept: accept },
    body,
    answer: { status: 200, text: body },
  })),
  {
    name: "verbs and content types: headers of webrpc's clients",
    path,
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      Webrpc: "webrpc@v0.44.0;gen-golang@v0.35.0;conformance@v1.0.0",
    },
    body,
    answer: { status: 200, text: body },
  },
];
