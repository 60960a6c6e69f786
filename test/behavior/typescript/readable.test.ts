import { expect, it, vi } from "vitest";
import { toReadable } from "../../../runtime/typescript/server/answer-request.js";

function throwError(): never {
  throw new Error("lost");
}

it.each([
  ["ends", () => null],
  ["fails", throwError],
])("ends the request once when a body %s", async (_, take) => {
  const onEnd = vi.fn();
  const reader = toReadable({ take, cancel: () => {} }, onEnd).getReader();
  await reader.read().catch(() => undefined);
  await reader.cancel().catch(() => undefined);
  expect(onEnd).toHaveBeenCalledOnce();
});
