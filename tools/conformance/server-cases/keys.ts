import type { Answer, ServerCase } from "./case.js";

/** The key in the query, which has to be encoded, and how it looks there. */
const key = "k%26y+%C3%A9%3D";
const cookie = { Cookie: "theme=dark; sid=s=1" };
const crossSite = { "Sec-Fetch-Site": "cross-site" };
const done: Answer = { status: 204, text: "" };
const read: Answer = {
  status: 200,
  text: '{"name":"a","text":"t"}',
  headers: { "cache-control": "private, no-cache", vary: null },
};

const refused = (place: string, challenge: string): Answer => ({
  status: 401,
  error: "KeyMissing",
  cause: `${place}: expected one credential, got none or several`,
  headers: { "www-authenticate": challenge },
});
const noKey = refused("query parameter api_key", 'ApiKey query="api_key"');
const noSession = refused("cookie sid", 'ApiKey cookie="sid"');
const noType: Answer = {
  status: 415,
  error: "WebrpcBadRequest",
  cause: "content-type: expected application/json, got nothing",
};

const queries: Readonly<Record<string, Answer>> = {
  [`?text=t&api_key=${key}`]: read,
  [`?api_key=${key}&text=t`]: read,
  [`?&text=t&&%61pi%5Fkey=${key}&unknown=1`]: read,
  [`?text=t&api_key=+${key}%20`]: read,
  "?text=t&api_key=wrong": { status: 401, error: "KeyMissing", cause: null },
  "?text=t": noKey,
  "?text=t&api_key=": noKey,
  "?text=t&api_key": noKey,
  "?text=t&api_key=%20": noKey,
  [`?api_key=${key}&api_key=${key}`]: noKey,
  [`?api_key=${key}&text=t&api%5fkey=`]: noKey,
  [`?api_key=${key}&api_key&api_key=${key}`]: noKey,
  "?api_key=%ff": noKey,
  "?api_key=%zz": { status: 401, error: "KeyMissing", cause: null },
  [`?API_KEY=${key}`]: noKey,
  [`?api_key[]=${key}`]: noKey,
};

const cookies: Readonly<Record<string, Answer>> = {
  "sid=s=1": done,
  "theme=dark; sid=s=1;lang=en": done,
  "; ;sid = s=1 ;": done,
  'sid="s=1"': { status: 401, error: "KeyMissing", cause: null },
  "sid=s%3D1": { status: 401, error: "KeyMissing", cause: null },
  "theme=dark": noSession,
  "sid=": noSession,
  sid: noSession,
  "SID=s=1": noSession,
  "sid=s=1; sid=s=1": noSession,
  "sid=s=1; sid=": noSession,
  "xsid=s=1; sid.x=1": noSession,
};

/** The headers and the query of a request that has a choice, and its answer. */
type Choice = readonly [headers: ServerCase["headers"], query: string, Answer];

const both = { "X-Key": "key" };
const choices: Readonly<Record<string, Choice>> = {
  "the first": [both, `?api_key=${key}`, done],
  "the second": [cookie, "", done],
  "the last": [{}, `?api_key=${key}`, done],
  "the last beside an incomplete one": [
    { Cookie: "sid" },
    `?api_key=${key}`,
    done,
  ],
  "none if the first is wrong": [
    { ...cookie, "X-Key": "wrong" },
    `?api_key=${key}`,
    { status: 401, error: "KeyMissing", cause: null },
  ],
  "none if the second is wrong": [
    { Cookie: "sid=x" },
    `?api_key=${key}`,
    { status: 401, error: "KeyMissing", cause: null },
  ],
  nothing: [
    {},
    "",
    {
      status: 401,
      error: "KeyMissing",
      cause: "header X-Key: expected a credential, got nothing",
      headers: {
        "www-authenticate":
          'ApiKey header="X-Key", ApiKey query="api_key", ApiKey cookie="sid"',
      },
    },
  ],
  "a cookie on a page of another site": [
    { ...cookie, ...crossSite },
    "",
    noType,
  ],
  "a cookie beside an ignored key on such a page": [
    { ...cookie, ...crossSite },
    `?api_key=${key}`,
    noType,
  ],
  "a key on such a page": [crossSite, `?api_key=${key}`, done],
};

/** What a request that needs no credential contains, and its answer. */
const wrong: Answer = { status: 401, error: "KeyMissing", cause: null };
const keyMissing: Answer = {
  ...wrong,
  cause: "header X-Key: expected a credential, got nothing",
};
const bearer = { Authorization: "Bearer secret" };
const optional: Readonly<Record<string, Choice>> = {
  nothing: [{}, "", done],
  "other cookies and parameters": [
    { Cookie: "theme=dark; sid" },
    "?API_KEY=k",
    done,
  ],
  "all of the first": [{ ...both, ...bearer }, "", done],
  "the second": [{}, `?api_key=${key}`, done],
  "the third": [cookie, "", done],
  "a part of the first": [
    both,
    "",
    {
      status: 403,
      error: "Forbidden",
      cause:
        "header Authorization with Bearer: expected a credential, got nothing",
    },
  ],
  "another part of the first": [bearer, "", keyMissing],
  "a part of the first and the second": [both, `?api_key=${key}`, done],
  "a wrong part of the first": [
    { "X-Key": "key", Authorization: "Bearer wrong" },
    "",
    { status: 403, error: "Forbidden", cause: null },
  ],
  "another scheme": [{ Authorization: "Basic secret" }, "", keyMissing],
  "a scheme alone": [{ Authorization: "Bearer" }, "", keyMissing],
  "an empty header": [{ "X-Key": "" }, "", keyMissing],
  "a wrong parameter": [{}, "?api_key=wrong", wrong],
  "an empty parameter": [{}, "?api_key=", keyMissing],
  "two parameters": [{}, `?api_key=${key}&api_key=${key}`, keyMissing],
  "a parameter that is not UTF-8": [{}, "?api_key=%ff", keyMissing],
  "a wrong cookie": [{ Cookie: "sid=x" }, "", wrong],
  "an empty cookie": [{ Cookie: "sid=" }, "", keyMissing],
  "two cookies": [{ Cookie: "sid=s=1; sid=s=1" }, "", keyMissing],
  "nothing on a page of another site": [crossSite, "", noType],
  "a key on such a page": [crossSite, `?api_key=${key}`, done],
};

const end = { path: "/sessions/1/end", body: null };
/** Browsers do not send `Sec-Fetch-Site` to addresses without TLS. */
const origins: Readonly<
  Record<
    string,
    readonly [headers: Readonly<Record<string, string>>, answer: Answer]
  >
> = {
  "https://evil.example": [{}, noType],
  null: [{}, noType],
  "https://shop.example": [{ "X-Forwarded-Host": "shop.example" }, done],
  "http://shop.example": [{ "X-Forwarded-Host": "a, shop.example:80" }, done],
  "https://shop.example:8443": [{ "X-Forwarded-Host": "shop.example" }, noType],
};
const site = (value: string) => ({ ...cookie, "Sec-Fetch-Site": value });

/** Credentials in queries and cookies. */
export const keys: readonly ServerCase[] = [
  ...Object.entries(queries).map(([query, answer]) => ({
    name: `keys: GET /keyed/a${query}`,
    verb: "GET",
    path: `/keyed/a${query}`,
    headers: {},
    body: null,
    answer,
  })),
  ...Object.entries(cookies).map(([text, answer]) => ({
    name: `keys: Cookie: ${text}`,
    ...end,
    headers: { Cookie: text },
    answer,
  })),
  ...Object.entries(choices).map(([name, [headers, query, answer]]) => ({
    name: `keys: a choice of ${name}`,
    path: `/either/1${query}`,
    headers: headers ?? {},
    body: null,
    answer,
  })),
  ...Object.entries(optional).map(([name, [headers, query, answer]]) => ({
    name: `keys: optional credentials: ${name}`,
    path: `/optional/1${query}`,
    headers: headers ?? {},
    body: null,
    answer,
  })),
  {
    name: "keys: a call",
    path: `/rpc/Keys/CallKeyed?api_key=${key}`,
    body: '{"value":1}',
    answer: { status: 200, text: '{"value":1}' },
  },
  {
    name: "keys: a call without one",
    path: "/rpc/Keys/CallKeyed",
    body: '{"value":1}',
    answer: noKey,
  },
  {
    name: "keys: an unknown path does not repeat the query",
    verb: "GET",
    path: `/nowhere?text=t&api_key=${key}`,
    body: null,
    answer: {
      status: 404,
      text: '{"error":"WebrpcBadRoute","code":-2,"msg":"bad route","status":404,"cause":"there is no method at GET /nowhere"}',
    },
  },
  {
    name: "keys: shared caches store no response to a key in the query",
    verb: "GET",
    path: `/stored/a?api_key=${key}`,
    body: null,
    answer: {
      status: 200,
      text: '{"name":"a"}',
      headers: { "cache-control": "private, max-age=60", vary: null },
    },
  },
  {
    name: "keys: a session varies by cookies",
    verb: "GET",
    path: "/sessions/1",
    headers: cookie,
    body: null,
    answer: {
      status: 200,
      text: '{"id":1}',
      headers: { "cache-control": "private, no-cache", vary: "Cookie" },
    },
  },
  ...["cross-site", "same-site"].map((value) => ({
    name: `keys: a session on a page that is ${value}`,
    ...end,
    headers: site(value),
    answer: noType,
  })),
  {
    name: "keys: a session on a page of the same origin",
    ...end,
    headers: site("same-origin"),
    answer: done,
  },
  ...Object.entries(origins).map(([origin, [headers, answer]]) => ({
    name: `keys: a session on a page of ${origin}`,
    ...end,
    headers: { ...cookie, ...headers, Origin: origin },
    answer,
  })),
  {
    name: "keys: a session on a page that asked for permission",
    ...end,
    headers: { ...site("cross-site"), "Content-Type": "application/json" },
    answer: done,
  },
];
