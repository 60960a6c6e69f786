import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import { lineCases } from "../serve-rest.js";

/** A line of `line-cases.jsonl`. */
interface LineCase {
  readonly name: string;
  /** Whether the response announces an end. Default: both are tried. */
  readonly isEnded?: boolean;
  /** Whether each character of the body is a byte. Default: the body is UTF-8. */
  readonly isBytes?: boolean;
  readonly body: string;
  readonly items: readonly unknown[];
  /** The reason or the error that ends the stream, or null. */
  readonly end: string | object | null;
}

const cases = readFileSync(lineCases, "utf8")
  .trimEnd()
  .split("\n")
  .map((line): LineCase => JSON.parse(line))
  .flatMap((each) =>
    [false, true]
      .filter((isEnded) => isEnded === (each.isEnded ?? isEnded))
      .map((isEnded) => ({ ...each, isEnded })),
  );

/** Returns the items of a stream, and what ends it. */
async function outcomeOf(
  body: BodyInit,
  isEnded: boolean,
): Promise<Pick<LineCase, "items" | "end">> {
  const type = `Application/X-NDJSON${isEnded ? ";end=1" : ""}`;
  const headers = { "content-type": type };
  const fetch = async (): Promise<Response> => new Response(body, { headers });
  const items: unknown[] = [];
  try {
    const options = { baseUrl: "http://host", fetch };
    for await (const item of openStream(options, stream("/rpc/Feed/Lines"), {}))
      items.push(item);
    return { items, end: null };
  } catch (error) {
    const { message, name, reason, status } = Object(error);
    return { items, end: reason ?? { message, name, status } };
  }
}

describe("a stream of lines", () => {
  it.each(cases)("with the end $isEnded is read: $name", async (each) => {
    const { isEnded, items } = each;
    const bytes = Buffer.from(each.body, each.isBytes ? "latin1" : "utf8");
    const end =
      typeof each.end === "string" || each.end === null
        ? each.end
        : expect.objectContaining(each.end);
    expect(await outcomeOf(bytes, isEnded)).toEqual({ end, items });
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await outcomeOf(pieces, isEnded)).toEqual({ end, items });
  });
});
