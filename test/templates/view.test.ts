import { format } from "prettier";
import { expect, test } from "vitest";
import { deriveViewSchema } from "./view-schema.js";

test("view.schema.json describes the types of the views", async () => {
  const filepath = "templates/view.schema.json";
  const text = await format(JSON.stringify(deriveViewSchema()), { filepath });
  await expect(text).toMatchFileSnapshot(`../../${filepath}`);
});
