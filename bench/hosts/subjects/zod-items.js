import { z } from "zod";
import { addressPattern, amountPattern } from "../../server/contract/shapes.js";

const seller = z.string().regex(new RegExp(addressPattern));

export const item = z.object({
  id: z.string(),
  name: z.string(),
  seller,
  price: z.string().regex(new RegExp(amountPattern)).max(78),
  tags: z.array(z.string()),
});
export const items = z.array(item);

export const query = z.object({
  seller,
  limit: z.coerce.number().int().min(1).max(100).optional(),
  tag: z.union([z.string(), z.array(z.string())]).optional(),
});
