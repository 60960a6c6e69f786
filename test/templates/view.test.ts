import { expect, test } from "vitest";
import { deriveViewSchema } from "./view-schema.js";

test("view.schema.json describes the types of the views", async () => {
  const text = `${JSON.stringify(deriveViewSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../templates/view.schema.json");
});
