import { expect, it, onTestFinished } from "vitest";
import { createRegistry } from "../../scripts/release/serve-packages.js";

it("a malformed URL does not end the registry of packages", async () => {
  const registry = createRegistry([], "http://localhost:1/npm/");
  await new Promise<void>((resolve) => {
    registry.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void registry.close());
  const { port } = Object(registry.address());
  const get = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
  expect((await get("/%E0%A4%A")).status).toBe(400);
  expect((await get("//")).status).toBe(400);
  const { headers, status } = await get("/acme");
  expect([status, headers.get("location")]).toEqual([
    302,
    "http://localhost:1/npm/acme",
  ]);
});
