import { RpcError } from "@ridlkit/runtime/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import * as generated from "../../generated/index.js";
import { errors } from "../../generated/index.js";
import { callSample, createCallers, type Callers } from "./callers.js";
import { startHarness, type Harness } from "./harness.js";
import { builtInErrorRows, declaredErrorRows } from "./interface-table.js";
import { operations, samples, type Operation } from "./samples.js";
import { keysOf, placeOf, sendBody, sendRaw } from "./wire.js";

let harness: Harness;
let callers: Callers;
beforeAll(async () => {
  harness = await startHarness();
  callers = createCallers(harness);
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

const rows = [...builtInErrorRows, ...declaredErrorRows];

/** Returns the generated class of an error. */
function classOf(name: string): new (options?: object) => RpcError {
  const found: unknown = Reflect.get(generated, `${name}Error`);
  if (typeof found !== "function") throw new Error(`no class ${name}Error`);
  return found as new (options?: object) => RpcError;
}

describe("the error table", () => {
  it("is exported as data", () => {
    const found = Object.values(errors).map(
      ({ name, code, message, status }) => [name, code, message, status],
    );
    expect(found.sort()).toEqual([...rows].sort());
  });
});

describe("every error over HTTP", () => {
  it.each(rows)("%s (%i)", async (name, code, msg, status) => {
    const operation = "Builder.ListAudiences";
    const ErrorClass = classOf(name);
    harness.answerWith(() => {
      throw new ErrorClass({ cause: "because" });
    });

    const { request } = samples[operation];
    const answer = await sendBody(harness, operation, request);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(JSON.parse(answer.text)).toEqual({
      error: name,
      code,
      msg,
      status,
      cause: "because",
    });

    const caught = await callSample(callers, operation).catch(
      (error: unknown) => error,
    );
    expect(caught).toBeInstanceOf(ErrorClass);
    expect(caught).toBeInstanceOf(RpcError);
    expect(caught).toBeInstanceOf(Error);
    expect(caught).toMatchObject({ name, code, msg, status, cause: "because" });
    const others = rows.filter(
      ([other]) => other !== name && caught instanceof classOf(other),
    );
    expect(others).toEqual([]);
  });

  it("omits a cause that is not a string", async () => {
    harness.answerWith(() => {
      throw new generated.QueryFailedError({
        cause: new Error("relation users does not exist"),
      });
    });
    const answer = await sendBody(harness, "Builder.ListAudiences", {
      projectId: 42,
    });
    expect(answer.text).toBe(
      `{"error":"QueryFailed","code":2003,"msg":"Query failed","status":400}`,
    );
  });

  it("hides exceptions from clients, but passes them to onError unchanged", async () => {
    const exception = new Error("password is hunter2");
    harness.answerWith(() => {
      throw exception;
    });
    const answer = await sendBody(harness, "Builder.ListAudiences", {
      projectId: 42,
    });
    expect(answer.status).toBe(500);
    expect(answer.text).toBe(
      `{"error":"WebrpcInternalError","code":-7,"msg":"internal error","status":500}`,
    );
    expect(harness.failures).toEqual([exception]);
  });
});

/**
 * Returns the HTTP status and the name of the error in a response.
 */
async function refusal(
  answer: Promise<{ status: number; text: string }>,
): Promise<string> {
  const { status, text } = await answer;
  const { error } = JSON.parse(text) as { error: string };
  return `${status} ${error}`;
}

const posts = operations.filter((name) => placeOf(name)[0] === "POST");
const withKey = posts.filter((name) => name !== "IndexerWebhook.Notify");

describe("requests that no operation accepts", () => {
  it.each(posts)("%s rejects GET", async (operation) => {
    const [, path] = placeOf(operation);
    const answer = await sendRaw(harness, ["GET", path], {}, null);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(JSON.parse(answer.text)).toMatchObject({
      error: "WebrpcBadMethod",
      code: -3,
    });
  });

  it.each<Operation>(["Tokens.ReadContractInfo", "Tokens.ReadTokenMetadata"])(
    "%s rejects POST",
    async (operation) => {
      const [, path] = placeOf(operation);
      const answer = await sendRaw(harness, ["POST", path], {}, "{}");
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toMatch(/^GET\b/);
    },
  );

  it.each([
    "/",
    "/rpc",
    "/rpc/API",
    "/rpc/API/",
    "/rpc/API/getSwapPrice",
    "/rpc/api/GetSwapPrice",
    "/rpc/API/GetSwapPrice/",
    "/rpc//API/GetSwapPrice",
    "/rpc/API/__proto__",
    "/rpc/API/constructor",
    "/rpc/toString/valueOf",
    "/rpc/Builder/GetSwapPrice",
    "/rpc/Marketplace/GetOrders",
    "/atlantis/rpc/Marketplace/GetOrders",
    "/polygon/rpc/API/GetSwapPrice",
    "/rpc/Tokens/ReadContractInfo",
    "/rpc/IndexerWebhook/Notify",
    "/tokens/polygon",
  ])("%s is not found", async (path) => {
    const headers = { "Content-Type": "application/json" };
    const answer = sendRaw(harness, ["POST", path], headers, "{}");
    expect(await refusal(answer)).toBe("404 WebrpcBadRoute");
  });

  it.each(withKey)(
    "%s rejects a missing or unknown access key",
    async (operation) => {
      const headers = { "Content-Type": "application/json" };
      for (const keys of [{}, { "X-Access-Key": "unknown" }]) {
        const all = { ...headers, ...keys };
        // Keys are checked before the body, so the response reveals nothing about
        // the body.
        const answer = sendRaw(harness, placeOf(operation), all, "{}");
        expect(await refusal(answer)).toBe("401 AccessKeyNotFound");
      }
      expect(harness.calls).toEqual([]);
    },
  );

  it.each(posts)(
    "%s rejects a body that is not a JSON object",
    async (name) => {
      for (const body of ["", "{", "null", "[]", "7", `"{}"`, "{'a':1}"]) {
        const headers = {
          "Content-Type": "application/json",
          "X-Access-Key": "test-access-key",
          Authorization: "Bearer test-secret",
        };
        const answer = sendRaw(harness, placeOf(name), headers, body);
        expect(await refusal(answer)).toBe("400 WebrpcBadRequest");
      }
      expect(harness.calls).toEqual([]);
    },
  );

  it.each(posts)("%s rejects a different content type", async (operation) => {
    for (const type of ["text/plain", "application/json+x", "multipart/x"]) {
      const headers = { ...keysOf(operation), "Content-Type": type };
      const answer = sendRaw(harness, placeOf(operation), headers, "{}");
      expect(await refusal(answer)).toBe("415 WebrpcBadRequest");
    }
    expect(harness.calls).toEqual([]);
  });
});
