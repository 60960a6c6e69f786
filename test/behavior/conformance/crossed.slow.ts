import { expect, it } from "vitest";
import { drawSome } from "../../support/draw-some.js";
import { serverCases } from "../../../tools/conformance/server-cases/index.js";
import type { WireOptions } from "./load-contract.js";
import { serveContract } from "./served-contract.js";

const echo = "/rpc/Echo/";

/** The bodies of all cases, except binary and large ones. */
const bodies = [
  ...new Set(
    serverCases
      .map(({ body }) => body)
      .filter((body) => typeof body === "string")
      .filter((body) => body.length < 1500),
  ),
];

/** Every method that returns its argument. */
const paths = [
  ...new Set(
    serverCases
      .filter(({ answer }) => answer.status === 200)
      .map(({ path }) => path)
      .filter((path) => path.startsWith(echo) && !path.includes("?")),
  ),
];

const forms: readonly WireOptions[] = [
  { int64: "number", timestamp: "string" },
  { int64: "bigint", timestamp: "date" },
];

it.each(forms)(
  "every method accepts or rejects each small body, and repeats a response that is sent back to it, with $int64",
  async (form) => {
    const { server } = await serveContract(form);
    const send = async (path: string, body: string) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body };
      const answer = await server.fetch(new Request(`http://h${path}`, init));
      return { status: answer.status, text: await answer.text() };
    };
    const faults: unknown[] = [];
    const counts = { 200: 0, 400: 0 };
    for (const [index, path] of paths.entries()) {
      for (const body of drawSome(bodies, 16, index)) {
        const { status, text } = await send(path, body);
        if (status === 400) counts[400] += 1;
        else if (status === 200) {
          counts[200] += 1;
          // The response to an accepted body is itself a valid body.
          const again = await send(path, text);
          if (again.text !== text) faults.push([path, body, text, again.text]);
        } else faults.push([path, body, status, text]);
      }
    }
    expect(faults).toEqual([]);
    expect(paths.length).toBeGreaterThan(50);
    expect(Math.min(counts[200], counts[400])).toBeGreaterThan(125);
  },
);
