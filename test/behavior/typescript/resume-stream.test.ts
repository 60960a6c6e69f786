import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import {
  openStream,
  type StreamMethod,
  type StreamOptions,
} from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { resumeAfter } from "../../../runtime/typescript/codegen/resume-stream.js";

interface After {
  readonly room: string;
  readonly after?: number;
}
interface Item {
  readonly message: { readonly id: number };
}

const watch: StreamMethod<After, Item, never> = stream("/watch", {
  resume: resumeAfter("after", "message", "id"),
});

/** Opens a stream whose connections send some items each, and are then lost. */
async function follow(
  connections: readonly (readonly number[])[],
  options: StreamOptions<After, Item>,
  request: After = { room: "lobby" },
): Promise<{ ids: number[]; sent: unknown[]; error: unknown }> {
  const sent: unknown[] = [];
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const ids = connections[sent.length] ?? [];
    sent.push(JSON.parse(String(init.body)));
    const lines = ids.map((id) => `{"message":{"id":${id}}}\n`).join("");
    const isLast = sent.length === connections.length;
    return new Response(isLast ? lines : `${lines}{"message":`, {
      headers: { "content-type": "application/x-ndjson" },
    });
  };
  const ids: number[] = [];
  let error: unknown = null;
  try {
    const items = openStream({ baseUrl: "", fetch }, watch, request, options);
    for await (const item of items) {
      ids.push(item.message.id);
      // The item belongs to the program.
      Object.assign(item, { message: {} });
    }
  } catch (failure) {
    error = failure;
  }
  return { ids, sent, error };
}

const reconnect = { minDelayMs: 1 };

describe("a stream with `@resume`", () => {
  it("continues after the cursor of its last item", async () => {
    const { ids, sent } = await follow([[1, 2], [], [3]], { reconnect });
    expect(ids).toEqual([1, 2, 3]);
    expect(sent).toEqual([
      { room: "lobby" },
      { room: "lobby", after: 2 },
      { room: "lobby", after: 2 },
    ]);
  });

  it("sends the cursor of its request until there is an item", async () => {
    const request = { room: "lobby", after: 7 };
    const { sent } = await follow([[], [8], []], { reconnect }, request);
    expect(sent).toEqual([request, request, { room: "lobby", after: 8 }]);
  });

  it("continues if the `resume` of the call is undefined", async () => {
    const given = { ...reconnect, ...{ resume: undefined as never } };
    const { ids } = await follow([[1], [2]], { reconnect: given });
    expect(ids).toEqual([1, 2]);
    const { sent } = await follow([[1], [2]], { reconnect: given });
    expect(sent).toEqual([{ room: "lobby" }, { room: "lobby", after: 1 }]);
  });

  it("prefers the `resume` of the call", async () => {
    const resume = (request: After): After => ({ ...request, after: 99 });
    const own = { ...reconnect, resume };
    const { sent } = await follow([[1], [2]], { reconnect: own });
    expect(sent[1]).toEqual({ room: "lobby", after: 99 });
  });

  it("is lost without `reconnect`", async () => {
    const { error, ids } = await follow([[1], [2]], {});
    expect(ids).toEqual([1]);
    expect(error).toMatchObject({ reason: "stream-lost" });
  });
});

it("the cursor can be in any field", () => {
  const item: unknown = JSON.parse('{"__proto__":{"id":3}}');
  const request: object = resumeAfter("__proto__", "__proto__", "id")({}, item);
  expect(Object.entries(request)).toEqual([["__proto__", 3]]);
  expect(resumeAfter("after", "id")({ a: 1 }, { id: 2n ** 60n })).toEqual({
    a: 1,
    after: 2n ** 60n,
  });
});

it("only streams with `@resume` contain the code for it", async () => {
  const bundleOf = async (method: string): Promise<string> => {
    const { outputFiles } = await build({
      stdin: {
        contents: `
          import { openStream } from "../../../runtime/typescript/client/stream.ts";
          import { stream } from "../../../runtime/typescript/codegen/create-streams.ts";
          import { resumeAfter } from "../../../runtime/typescript/codegen/resume-stream.ts";
          const watch = ${method};
          export const open = (options) => openStream(options, watch, {});
        `,
        resolveDir: import.meta.dirname,
        loader: "ts",
      },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      write: false,
    });
    return outputFiles[0]?.text ?? "";
  };
  const plain = await bundleOf('stream("/watch")');
  const resumed = await bundleOf(
    'stream("/watch", { resume: resumeAfter("after", "id") })',
  );
  // The number of bytes without `@resume`.
  expect(plain.length).toBeLessThanOrEqual(7108);
  expect(plain).not.toContain(".reduce(");
  expect(resumed).toContain(".reduce(");
});
