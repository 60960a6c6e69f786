import { type Answer, badRequest, invalid, type ServerCase } from "./case.js";

const json = { "Content-Type": "application/json" };
const key = { "X-Key": "key" };
const ok = (text: string): Answer => ({ status: 200, text });

/** A case of a method with a verb, a query or a status. */
interface RestCase {
  readonly verb: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: Answer;
}

const get = (path: string, answer: Answer): RestCase => {
  return { verb: "GET", path, answer };
};
const put = (query: string, body: string, answer: Answer): RestCase => {
  const headers = { ...json, ...key };
  return { verb: "PUT", path: `/orders/${query}`, headers, body, answer };
};
const reset = (id: string, answer: Answer): RestCase => {
  return { verb: "POST", path: `/orders/${id}/reset`, answer };
};
const allow = (methods: string, text?: string): Answer => {
  const headers = { allow: methods };
  return { status: 405, headers, ...(text !== undefined && { text }) };
};
const nothing: Answer = {
  status: 204,
  text: "",
  headers: { "content-type": null },
};

const queries: Readonly<Record<string, Answer>> = {
  "": ok('{"words":[]}'),
  "?": ok('{"words":[]}'),
  "?&&&": ok('{"words":[]}'),
  "?text": ok('{"text":"","words":[]}'),
  "?text=": ok('{"text":"","words":[]}'),
  "?text=a=b": ok('{"text":"a=b","words":[]}'),
  "?text=a+b%20c%2Bd": ok('{"text":"a b c+d","words":[]}'),
  "?text=100%&flag=true": ok('{"text":"100%","flag":true,"words":[]}'),
  "?%74ext=%C3%A4": ok('{"text":"ä","words":[]}'),
  "?text=a;flag=true": ok('{"text":"a;flag=true","words":[]}'),
  "?text=a/../b?c": ok('{"text":"a/../b?c","words":[]}'),
  "?Text=a&unknown=1&unknown=2&fixed=2": ok('{"words":[]}'),
  "?text=%00%0D%0A": ok('{"text":"\\u0000\\r\\n","words":[]}'),
  "?text=a&text=b": invalid("text: expected one value, got 2"),
  "?text=%ff": invalid("text: expected text in UTF-8, got other"),
  "?flag=True": invalid("flag: expected a boolean, got "),
  "?flag=1": invalid("flag: expected a boolean, got "),
  "?flag": invalid("flag: expected a boolean, got "),
  "?count=5.0": ok('{"count":5,"words":[]}'),
  "?count=6": invalid("count: expected "),
  "?count=0x5": invalid("count: expected "),
  "?count=+5": invalid("count: expected "),
  "?count=%205": invalid("count: expected "),
  "?count=": invalid("count: expected "),
  "?ratio=1e-7": ok('{"ratio":1e-7,"words":[]}'),
  "?ratio=NaN": invalid("ratio: expected "),
  "?ratio=1e999": invalid("ratio: expected "),
  "?color=Green": ok('{"color":"Green","words":[]}'),
  "?color=5": invalid("color: expected "),
  "?level=new": ok('{"level":"new","words":[]}'),
  "?at=2024-02-29T12:00:00.000Z": ok(
    '{"at":"2024-02-29T12:00:00.000Z","words":[]}',
  ),
  "?at=2024-02-30T12:00:00Z": invalid("at: expected "),
  "?digits=007": ok('{"digits":"007","words":[]}'),
  "?data=/%2B8=": ok('{"words":[],"data":"/+8="}'),
  "?data=*": invalid("data: expected "),
  "?id=1&id=2&word=ab": ok('{"ids":[1,2],"words":["ab"]}'),
  "?id=1,2": invalid("ids[0]: expected "),
  "?id=1&id=x": invalid("ids[1]: expected "),
  "?ids=1&words=ab": ok('{"words":[]}'),
  "?word=ab&word=a": invalid("words[1]: expected "),
  "?__proto__=a&constructor=b": ok('{"words":[],"proto":"a"}'),
  [`?${"x&".repeat(1001)}`]: badRequest(
    "query: expected at most 1000 parameters, got 1001",
  ),
};

const joined: Readonly<Record<string, Answer>> = {
  "": ok('{"words":[]}'),
  "?word=ab,c%20&id=1,2%2C3&id=4": ok('{"words":["ab","c "],"ids":[1,2,3,4]}'),
  "?word=ab,": invalid("words[1]: expected "),
  "?id=1,x,2": invalid("ids[1]: expected "),
  "?id=1&word=ab,%ff": invalid("words: expected text in UTF-8, got other"),
};

const bodies: readonly RestCase[] = [
  put("7?limit=5", '{"note":"n"}', {
    status: 201,
    text: '{"id":7,"pageSize":5,"note":"n"}',
  }),
  put("7?limit=5", '{"id":8,"limit":6,"pageSize":6,"notify":true,"note":"n"}', {
    status: 201,
    text: '{"id":7,"pageSize":5,"note":"n"}',
  }),
  put("7?limit=9", '{"note":"n"}', invalid("pageSize: expected ")),
  put("7", '{"note":"n"}', invalid("pageSize: expected ")),
  put("x?limit=5", '{"note":"n"}', invalid("id: expected ")),
  put("7?limit=5", "", invalid("note: expected a string, got nothing")),
  put("7?limit=5", "{}", invalid("note: expected a string, got nothing")),
  put("7?limit=5", "null", badRequest("body: expected ")),
  put("7?limit=5", "[]", badRequest("body: expected a JSON object, got ")),
  put("7?limit=5", "{", badRequest("body is not JSON: ")),
  { ...put("7", "", { status: 401, error: "KeyMissing" }), headers: json },
  {
    verb: "PATCH",
    path: "/orders/7",
    headers: json,
    body: '{"x":1,"id":8}',
    answer: ok('{"x":1}'),
  },
  {
    verb: "PATCH",
    path: "/orders/7",
    headers: json,
    body: '{"x":"1"}',
    answer: invalid("point.x: expected "),
  },
  { verb: "PATCH", path: "/orders/7", answer: invalid("point: expected ") },
  { verb: "POST", path: "/orders", answer: { status: 202, text: "[]" } },
  {
    verb: "POST",
    path: "/orders",
    headers: json,
    body: '[{"x":1}]',
    answer: { status: 202, text: '[{"x":1}]' },
  },
  {
    verb: "POST",
    path: "/orders",
    headers: { "Content-Type": "text/plain" },
    body: "[]",
    answer: badRequest("content-type: expected application/json, got ", 415),
  },
  { verb: "DELETE", path: "/orders/1,2?reason=a", answer: nothing },
  { verb: "DELETE", path: "/orders/1%2C2", answer: nothing },
  { verb: "DELETE", path: "/orders/1,x", answer: invalid("ids[1]: expected ") },
  {
    verb: "DELETE",
    path: "/orders/1",
    headers: json,
    body: '{"comment":1}',
    answer: invalid("comment: expected "),
  },
  reset("3", { status: 205, text: "" }),
  reset("3.5", invalid("id: expected ")),
  reset("%33", { status: 205, text: "" }),
  reset("%ff", { status: 404, error: "WebrpcBadRoute" }),
  {
    ...reset("3", badRequest("content-type: expected ", 415)),
    headers: { "Sec-Fetch-Site": "cross-site" },
  },
];

const routes: readonly RestCase[] = [
  { verb: "HEAD", path: "/query?count=6", answer: { status: 400, text: "" } },
  { verb: "HEAD", path: "/query", answer: { status: 200, text: "" } },
  { verb: "HEAD", path: "/orders/7", answer: allow("PUT, PATCH, DELETE", "") },
  get("/orders/7", allow("PUT, PATCH, DELETE")),
  get("/orders/7/reset", allow("POST")),
  get("/orders", allow("POST")),
  { verb: "DELETE", path: "/query", answer: allow("GET, HEAD") },
  ...["/orders/", "//orders", "/Orders", "/orders/7/", "/orders/7//reset"].map(
    (path): RestCase => {
      const answer = { status: 404, error: "WebrpcBadRoute" };
      return { verb: "POST", path, headers: json, body: "[]", answer };
    },
  ),
  ...["/orders/..", "/orders/%2e", "/orders/%2E."].map((path): RestCase => {
    const answer = { status: 404, error: "WebrpcBadRoute" };
    return { verb: "DELETE", path, answer };
  }),
  {
    verb: "POST",
    path: "/rpc/Orders/Reset",
    headers: json,
    body: '{"id":1}',
    answer: { status: 404, error: "WebrpcBadRoute" },
  },
];

/** Methods with a verb, a query and a status of their own. */
export const rest: readonly ServerCase[] = [
  ...Object.entries(queries).map(([query, answer]) =>
    get(`/query${query}`, answer),
  ),
  ...Object.entries(joined).map(([query, answer]) =>
    get(`/joined${query}`, answer),
  ),
  ...bodies,
  ...routes,
].map(({ answer, body, headers = {}, path, verb }) => {
  const sent = [verb, path.slice(0, 60), body, ...Object.keys(headers)];
  return {
    name: `rest: ${sent.filter((part) => part !== undefined).join(" ")}`,
    verb,
    path,
    headers,
    body: body ?? null,
    answer,
    // A server without these methods also responds with 404.
    needs: answer.status === 404 ? [] : ["verbs and queries"],
  };
});
