import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUrlReader } from "../../../runtime/typescript/hosts/node/request-url.js";

const runs = { numRuns: 3000 };

/** Targets with parts that the URL parser normalizes. */
const target = fc
  .array(
    fc.oneof(
      fc.constantFrom("/", "/.", "/..", "%2e", "%2E.", "\\", "?", "#", "'"),
      fc.constantFrom("a", "{", "^", "|", '"', " ", "%", "%zz", "é", "//b"),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `/${parts.join("")}`);

describe("the URL of a request", () => {
  it("matches `new URL` for any target", () => {
    const read = createUrlReader();
    fc.assert(
      fc.property(target, (given) => {
        const wanted = new URL(`http://a.b${given}`);
        wanted.hash = "";
        const url = read(false, "a.b", given);
        expect(`${url?.origin}${url?.target}`).toBe(wanted.href);
      }),
      runs,
    );
  });

  it.each([
    [false, "example.com", "http://example.com"],
    [true, "example.com", "https://example.com"],
    [false, "EXAMPLE.com:80", "http://example.com"],
    [true, "example.com:80", "https://example.com:80"],
    [false, "127.1", "http://127.0.0.1"],
    [false, "[::1]:8080", "http://[::1]:8080"],
    [false, null, "http://localhost"],
  ])("has the right origin: TLS %s, host %s", (isSecure, host, origin) => {
    expect(createUrlReader()(isSecure, host, "/x?y")).toEqual({
      origin,
      target: "/x?y",
    });
  });

  it.each(["a/b", "a?b", "a#b", "u@a", "a b", "a:x", "", "a\\b", "[::1"])(
    "does not exist for the host %j",
    (host) => {
      const read = createUrlReader();
      expect(read(false, host, "/")).toBeNull();
      expect(read(false, "a", "/")).toEqual({
        origin: "http://a",
        target: "/",
      });
      expect(read(false, host, "/")).toBeNull();
    },
  );

  it("can come from an absolute target", () => {
    const read = createUrlReader();
    expect(read(false, "a", "https://b:8443/x/../y?z")).toEqual({
      origin: "https://b:8443",
      target: "/y?z",
    });
    for (const target of [
      "*",
      "x",
      "ftp://b/x",
      "http://u:p@b/",
      "http://",
      "data:,x",
    ]) {
      expect(read(false, "a", target)).toBeNull();
    }
  });

  it("changes with the host and the scheme", () => {
    const read = createUrlReader();
    const places: readonly (readonly [boolean, string | null])[] = [
      [false, "a"],
      [false, "b"],
      [true, "b"],
      [true, null],
      [false, null],
      [false, "a"],
    ];
    const origins = places.map(
      ([isSecure, host]) => read(isSecure, host, "/")?.origin,
    );
    expect(origins).toEqual([
      "http://a",
      "http://b",
      "https://b",
      "https://localhost",
      "http://localhost",
      "http://a",
    ]);
  });
});
