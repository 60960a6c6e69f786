import { type Answer, invalid, type ServerCase } from "./case.js";

const ok = (message: object): Answer => {
  return { status: 200, text: JSON.stringify(message) };
};
const none: Answer = { status: 404, error: "WebrpcBadRoute" };

/** Paths, and which method responds: its name is the name of its field. */
const paths: Readonly<Record<string, Answer>> = {
  "/files": none,
  "/files/": ok({}),
  "/files//": none,
  "/files/a": ok({ any: "a" }),
  "/files/a/": none,
  "/files/all.json": ok({}),
  "/files/all.json/": none,
  "/files/All.json": ok({ json: "All" }),
  "/files/a.json": ok({ json: "a" }),
  "/files/a.json.json": ok({ json: "a.json" }),
  "/files/a.JSON": ok({ any: "a.JSON" }),
  "/files/.json": ok({ any: ".json" }),
  "/files/.json.json": ok({ json: ".json" }),
  "/files/%2Ejson": ok({ any: ".json" }),
  "/files/a%2Ejson": ok({ any: "a.json" }),
  "/files/a%2ejson.json": ok({ json: "a.json" }),
  "/files/a%2Fb.json": ok({ json: "a/b" }),
  "/files/a%5Cb%3Fc%23d.json": ok({ json: "a\\b?c#d" }),
  "/files/caf%C3%A9%F0%9F%98%80.json": ok({ json: "café😀" }),
  "/files/%25.json": ok({ json: "%" }),
  "/files/%2525.json": ok({ json: "%25" }),
  "/files/%ff.json": none,
  "/files/%.json": none,
  "/files/..json": none,
  "/files/...json": none,
  "/files/%2E%2e.json": none,
  "/files/....json": ok({ json: "..." }),
  "/files/__proto__.json": ok({ json: "__proto__" }),
  "/files/{json}.json": ok({ json: "{json}" }),
  "/files/v7.json": ok({ version: 7 }),
  "/files/vx.json": invalid("version: expected "),
  "/files/v-7.json": invalid("version: expected "),
  "/files/V7.json": ok({ json: "V7" }),
  "/files/v.json": ok({ json: "v" }),
  "/files/v7": ok({ any: "v7" }),
  "/files/v7.json.json": invalid("version: expected "),
  "/files/a,b:batch": ok({ ids: ["a", "b"] }),
  "/files/a%2Cb%3Ac:batch": ok({ ids: ["a", "b:c"] }),
  "/files/a:batch:batch": ok({ ids: ["a:batch"] }),
  "/files/a%3Abatch": ok({ any: "a:batch" }),
  "/files/:batch": ok({ any: ":batch" }),
  "/files/draft-": ok({ any: "draft-" }),
  "/files/draft-1": ok({ draft: "1" }),
  "/files/draft-1:batch": ok({ draft: "1:batch" }),
  "/files/draft-1.json": ok({ draft: "1.json" }),
  "/files/a.json/b/": ok({ json: "a", any: "b" }),
  "/files/a.json/b": none,
  "/files/a/b/": none,
  "/files/a.json//": none,
  "/files/v7.json?x=/files/a": ok({ version: 7 }),
};

/** Requests for paths with text around a parameter, or with a final slash. */
export const patterns: readonly ServerCase[] = Object.entries(paths).map(
  ([path, answer]) => ({
    name: `patterns: GET ${path}`,
    verb: "GET",
    path,
    headers: {},
    body: null,
    answer,
  }),
);
