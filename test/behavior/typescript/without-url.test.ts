import { afterEach, expect, test, vi } from "vitest";
import { withoutUrl } from "../../../runtime/typescript/codegen/create-client.js";

const url = "http://localhost/?key=secret";

afterEach(() => void vi.unstubAllGlobals());

/** An error as Bun and Deno have it. */
function failure(): Error {
  return Object.assign(new Error(`cannot connect to ${url}`), {
    cause: { code: "ECONNREFUSED", url },
  });
}

/** Returns the error of a promise. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

test.each([
  ["rejects", () => Promise.reject(failure())],
  [
    "throws",
    () => {
      throw failure();
    },
  ],
])("only the code is left of an error if fetch %s", async (_, send) => {
  const error = await errorOf(withoutUrl(send)(url, {}));
  expect(error).toMatchObject({
    message: "fetch failed: ECONNREFUSED",
    code: "ECONNREFUSED",
  });
  expect(Object(error).cause).toBeUndefined();
});

test("an error of a body has no URL, and no code that is a number", async () => {
  const body = new ReadableStream({
    pull: () => {
      throw new DOMException(url, "AbortError");
    },
  });
  const response = await withoutUrl(async () => new Response(body))(url, {});
  expect(await errorOf(response.text())).toEqual(new TypeError("fetch failed"));
});

test("a body is read no earlier than it is needed, and can be canceled", async () => {
  const pull = vi.fn((controller: ReadableStreamDefaultController) =>
    controller.enqueue(new Uint8Array(1)),
  );
  const cancel = vi.fn();
  const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  const response = await withoutUrl(async () => new Response(body))(url, {});
  expect(pull).not.toHaveBeenCalled();
  await response.body?.cancel("enough");
  expect(cancel).toHaveBeenCalledWith("enough");
});

test("a status that no response can have stays, with the body", async () => {
  const body = new Response("odd").body;
  const sent = { body, headers: new Headers(), status: 999 } as Response;
  const response = await withoutUrl(async () => sent)(url, {});
  expect(response).toBe(sent);
  expect(await new Response(body).text()).toBe("odd");
});

test("responses stay as they are in realms whose responses have no streams", async () => {
  const sent = new Response("whole");
  vi.stubGlobal(
    "Response",
    class {
      readonly body = undefined;
    },
  );
  expect(await withoutUrl(async () => sent)(url, {})).toBe(sent);
});

test("a body without a reader stays as it is", async () => {
  const sent = { body: { pipe: () => undefined }, status: 200 };
  const send = async () => sent as unknown as Response;
  expect(await withoutUrl(send)(url, {})).toBe(sent);
});
