import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";
import {
  createRoutes,
  parameterNames,
  pathOf,
  type RouteAddress,
} from "../../../runtime/typescript/server/model/route.js";

const places: readonly RouteAddress[] = [
  { verb: "POST", path: "/rpc/API/Get" },
  { verb: "GET", path: "/rpc/API/Get" },
  { verb: "POST", path: "/{network}/rpc/Orders/Get" },
  { verb: "GET", path: "/{chain}/rpc/Orders/Get" },
  { verb: "GET", path: "/tokens/{network}/{contract}" },
  { verb: "GET", path: "/tokens/{network}/all" },
  { verb: "GET", path: "/tokens/mainnet/{contract}" },
  { verb: "GET", path: "/{a}/{b}/{c}" },
  { verb: "GET", path: "/{a}/x/y" },
];

const find = createRoutes(places, (place) => place);

function found(verb: string, path: string): unknown {
  const match = find(path, verb);
  if (match === null) return null;
  return [match.endpoint.byVerb.get(verb)?.path ?? null, ...match.values];
}

describe("createRoutes", () => {
  it.each([
    ["POST", "/rpc/API/Get", ["/rpc/API/Get"]],
    ["PUT", "/rpc/API/Get", [null]],
    ["POST", "/base/rpc/Orders/Get", ["/{network}/rpc/Orders/Get", "base"]],
    ["GET", "/base/rpc/Orders/Get", ["/{chain}/rpc/Orders/Get", "base"]],
    ["GET", "/{}/rpc/Orders/Get", ["/{chain}/rpc/Orders/Get", "{}"]],
    ["GET", "/tokens/polygon/all", ["/tokens/{network}/all", "polygon"]],
    ["GET", "/tokens/mainnet/all", ["/tokens/mainnet/{contract}", "all"]],
    ["GET", "/tokens/a/b", ["/tokens/{network}/{contract}", "a", "b"]],
    ["GET", "/tokens/{}/{}", ["/tokens/{network}/{contract}", "{}", "{}"]],
    ["GET", "/other/a/b", ["/{a}/{b}/{c}", "other", "a", "b"]],
    ["GET", "/other/x/y", ["/{a}/x/y", "other"]],
    ["GET", "/other/__proto__/x", ["/{a}/{b}/{c}", "other", "__proto__", "x"]],
  ])("%s %s", (verb, path, expected) => {
    expect(found(verb, path)).toEqual(expected);
  });

  it.each([
    "",
    "/",
    "/rpc/API",
    "/rpc/API/Get/",
    "/x/rpc/Orders/get",
    "//rpc/Orders/Get",
    "/tokens//b",
    "/tokens/a/",
    "/a/b",
    "/a/b/c/d",
    "a/b/c",
    "constructor",
  ])("finds no route at %s", (path) => {
    expect(find(path, "GET")).toBeNull();
  });

  it("lists the HTTP methods of a path", () => {
    const allowed = (path: string): string | undefined =>
      find(path, "PUT")?.endpoint.allow;
    expect(allowed("/rpc/API/Get")).toBe("POST, GET");
    expect(allowed("/base/rpc/Orders/Get")).toBe("POST, GET");
    expect(allowed("/tokens/a/b")).toBe("GET");
  });

  it("prefers a path that has the HTTP method", () => {
    const routes = createRoutes(
      [
        { verb: "GET", path: "/orders/latest" },
        { verb: "DELETE", path: "/orders/{id}" },
      ],
      (place) => place,
    );
    expect(routes("/orders/latest", "DELETE")?.values).toEqual(["latest"]);
    expect(routes("/orders/latest", "GET")?.values).toEqual([]);
    expect(routes("/orders/latest", "PUT")?.endpoint.allow).toBe("GET, DELETE");
  });

  it.each([
    ["/r/a.json", "/r/{x}.json", ["a"]],
    ["/r/a.json.json", "/r/{x}.json", ["a.json"]],
    ["/r/.json.json", "/r/{x}.json", [".json"]],
    ["/r/.json", "/r/{x}", [".json"]],
    ["/r/a.JSON", "/r/{x}", ["a.JSON"]],
    ["/r/a%2Ejson", "/r/{x}", ["a%2Ejson"]],
    ["/r/a%2Fb%ff.json", "/r/{x}.json", ["a%2Fb%ff"]],
    ["/r/all.json", "/r/all.json", []],
    ["/r/v1.json", "/r/v{x}.json", ["1"]],
    ["/r/v.json", "/r/{x}.json", ["v"]],
    ["/r/v1", "/r/v{x}", ["1"]],
    ["/r/v1:cancel", "/r/{x}:cancel", ["v1"]],
    ["/r/:cancel", "/r/{x}", [":cancel"]],
    ["/r/aba", "/r/{x}", ["aba"]],
    ["/r/abba", "/r/{x}", ["abba"]],
    ["/r/ab-ba", "/r/ab{x}ba", ["-"]],
    ["/r/p1q", "/r/p{x}", ["1q"]],
    ["/r/v{}.json", "/r/v{x}.json", ["{}"]],
    ["/a.json/b", "/{x}.json/{y}", ["a", "b"]],
    ["/a.json/latest", "/{x}.json/{y}", ["a", "latest"]],
    ["/a/latest", "/{x}/latest", ["a"]],
    ["/a/b/", "/{x}/{y}/", ["a", "b"]],
    ["/r/", "/r/", []],
    ["/", "/", []],
    ["/r", null, []],
    ["/a/b//", null, []],
  ])("finds the most specific pattern for %s", (path, template, values) => {
    const templates = [
      ...["/r/{x}", "/r/{x}.json", "/r/all.json", "/r/v{x}.json", "/r/v{x}"],
      ...["/r/{x}:cancel", "/r/ab{x}ba", "/r/{x}q", "/r/p{x}"],
      ...["/{x}/latest", "/{x}.json/{y}", "/{x}/{y}/", "/r/", "/"],
    ];
    for (const all of [templates, templates.toReversed()]) {
      const match = createRoutes(all, (path) => ({ verb: "GET", path }))(
        path,
        "GET",
      );
      expect(match?.endpoint.byVerb.get("GET") ?? null).toBe(template);
      expect(match?.values ?? []).toEqual(values);
    }
  });

  it("rejects two methods at one path, regardless of parameter names", () => {
    const twice = [
      { verb: "GET", path: "/a/{x}" },
      { verb: "GET", path: "/a/{y}" },
    ];
    expect(() => createRoutes(twice, (place) => place)).toThrow(
      "two methods have the address GET /a/{y}",
    );
  });

  it("returns the segments that match a template's placeholders", () => {
    const segment = fc.string({ minLength: 1 }).map(encodeURIComponent);
    fc.assert(
      fc.property(segment, segment, segment, (a, b, c) => {
        const routes = createRoutes(
          [{ verb: "GET", path: "/x/{a}/y/{b}/{c}" }],
          (place) => place,
        );
        const match = routes(`/x/${a}/y/${b}/${c}`, "GET");
        expect(match?.values).toEqual([a, b, c]);
        expect(routes(`/x/${a}/z/${b}/${c}`, "GET")).toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  it("accepts any string as a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (path) => {
        const match = find(pathOf(path), "GET");
        expect(match === null || match.endpoint.byVerb.size > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("pathOf", () => {
  it.each([
    ["/a/b", "/a/b"],
    ["/a?b=/c?d", "/a"],
    ["?x", "/"],
    ["", "/"],
    ["*", "*"],
    ["a://b/c", "a://b/c"],
    ["http:///a", "http:///a"],
    ["http://u@h/a", "http://u@h/a"],
    ["http://host/a/b?c", "/a/b"],
    ["http://host", "/"],
    ["http://host?x=/a", "/"],
    ["//a/b", "//a/b"],
    ["/a#b?c", "/a"],
    ["/a?b#c", "/a"],
    ["http://host/a#b/c", "/a"],
  ])("%s", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});

describe("parameterNames", () => {
  it.each([
    ["/rpc/API/Get", []],
    ["/{network}/rpc/{b}", ["network", "b"]],
    ["/v{b}.json/{c", ["b"]],
  ])("%s", (path, names) => {
    expect(parameterNames(path)).toEqual(names);
  });
});
