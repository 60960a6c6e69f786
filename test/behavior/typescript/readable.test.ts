import { expect, it, vi } from "vitest";
import { toReadable } from "../../../runtime/typescript/server/answer-request.js";

it.each([
  ["ends", () => Promise.resolve(null)],
  ["fails", () => Promise.reject(new Error("lost"))],
])("ends the request once when a body %s", async (_, next) => {
  const onEnd = vi.fn();
  const reader = toReadable({ next, cancel: () => {} }, onEnd).getReader();
  await reader.read().catch(() => undefined);
  await reader.cancel().catch(() => undefined);
  expect(onEnd).toHaveBeenCalledOnce();
});
