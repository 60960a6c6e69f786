import { strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShapesClient } from "./generated/client.js";
import type { Circle, Rectangle, Shape } from "./generated/types.js";
import { shapes } from "./shapes.js";

const answer = inProcess(shapes);
const client = createShapesClient({ baseUrl: "", fetch: answer });
const circle: Circle = { kind: "circle", radius: 2 };
const rectangle: Rectangle = { kind: "rectangle", width: 2, height: 3 };
const both: readonly Shape[] = [circle, rectangle];
strictEqual(both.length, 2);
strictEqual((await client.area({ shape: circle })).area, Math.PI * 4);
strictEqual((await client.area({ shape: rectangle })).area, 6);
// @ts-expect-error a circle has no width
void ((): Shape => ({ kind: "circle", width: 2 }));

for (const shape of [
  { kind: "circle" },
  { kind: "circle", radius: -1 },
  { kind: "rectangle", width: 1 },
  { kind: "triangle", radius: 1 },
  { radius: 1 },
]) {
  const response = await answer("http://localhost/rpc/Shapes/Area", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ shape }),
  });
  strictEqual(response.status, 400);
}
