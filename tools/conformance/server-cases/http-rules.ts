import { gzipSync } from "node:zlib";

import type { ServerCase } from "./case.js";

const own = "/own/a";
const key = { "X-Key": "key" };
const get = { verb: "GET", path: own, headers: key, body: null } as const;
const echo = { path: "/rpc/Echo/Uint8", body: '{"value":1}' } as const;
const cached = { "cache-control": "private, no-cache", vary: "X-Key" };

/** The HTTP rules in the table of `docs/wire.md`. */
export const httpRules: readonly ServerCase[] = [
  {
    ...get,
    name: "http: HEAD is GET without content",
    verb: "HEAD",
    answer: { status: 200, text: "", headers: cached },
  },
  {
    name: "http: HEAD of an unknown method is 404 without content",
    verb: "HEAD",
    path: "/nowhere",
    body: null,
    answer: { status: 404, text: "" },
  },
  {
    ...get,
    name: "http: HEAD of a method that is not a read is 405 without content",
    verb: "HEAD",
    path: "/rpc/Echo/Uint8",
    answer: { status: 405, text: "", headers: { allow: "POST" } },
  },
  {
    ...get,
    name: "http: HEAD checks credentials",
    verb: "HEAD",
    headers: {},
    answer: {
      status: 401,
      text: "",
      headers: { "www-authenticate": 'ApiKey header="X-Key"' },
    },
  },
  {
    ...get,
    name: "http: 405 lists the HTTP methods of a REST read",
    verb: "PUT",
    answer: { status: 405, headers: { allow: "GET, HEAD" } },
  },
  {
    ...get,
    name: "http: 401 names the header of a credential",
    headers: {},
    answer: {
      status: 401,
      error: "KeyMissing",
      headers: { "www-authenticate": 'ApiKey header="X-Key"' },
    },
  },
  {
    name: "http: 401 names every credential of the method",
    path: "/rpc/Access/Guarded",
    body: '{"value":1}',
    answer: {
      status: 401,
      headers: { "www-authenticate": 'ApiKey header="X-Key", Bearer' },
    },
  },
  {
    name: "http: 401 for a login has a realm",
    path: "/rpc/Access/SignedIn",
    body: '{"value":1}',
    answer: {
      status: 401,
      headers: {
        "www-authenticate":
          'Basic realm="API", charset="UTF-8", header="X-Login"',
      },
    },
  },
  {
    name: "http: 401 from a handler has a challenge",
    path: "/rpc/Faults/Fail",
    body: '{"how":"plain KeyMissing"}',
    answer: { status: 401, headers: { "www-authenticate": "ApiKey" } },
  },
  {
    ...get,
    name: "http: caches distinguish reads by credentials",
    answer: { status: 200, text: '{"name":"a"}', headers: cached },
  },
  {
    ...get,
    name: "http: caches do not store errors of reads with credentials",
    headers: { "X-Key": "other" },
    answer: { status: 401, headers: { "cache-control": "no-store" } },
  },
  {
    ...get,
    name: "http: 304 has no content and no content headers",
    headers: { ...key, "If-None-Match": "*" },
    answer: {
      status: 304,
      text: "",
      headers: { ...cached, "content-type": null, "content-length": null },
    },
  },
  {
    ...get,
    name: "http: a different entity tag returns the content",
    headers: { ...key, "If-None-Match": 'W/"other"' },
    answer: { status: 200, text: '{"name":"a"}' },
  },
  {
    name: "http: another scheme is no credential",
    path: "/rpc/Access/Guarded",
    headers: {
      ...key,
      authorization: "Digest secret",
      "content-type": "application/json",
    },
    body: '{"value":1}',
    answer: {
      status: 403,
      cause:
        "header Authorization with Bearer: expected a credential, got nothing",
    },
  },
  {
    name: "http: schemes are compared without regard to case",
    path: "/rpc/Access/Guarded",
    headers: {
      ...key,
      authorization: "BEARER secret",
      "content-type": "application/json",
    },
    body: '{"value":1}',
    answer: { status: 200, text: '{"value":1}' },
  },
  {
    ...echo,
    name: "http: media types are compared without regard to case",
    headers: { "content-type": "Application/JSON;Charset=UTF-8" },
    answer: { status: 200, text: echo.body },
  },
  {
    ...echo,
    name: "http: an unacceptable media type still gets an answer",
    headers: { "content-type": "application/json", accept: "text/html" },
    answer: { status: 200, text: echo.body },
  },
  {
    ...echo,
    name: "http: a compressed body is not decompressed",
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: gzipSync(echo.body),
    answer: {
      status: 415,
      error: "WebrpcBadRequest",
      headers: { "accept-encoding": "identity" },
    },
  },
];
