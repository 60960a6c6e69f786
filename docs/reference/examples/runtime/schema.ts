// Contains the types of [Standard Schemas](../../schemas.md), for functions that take any generated schema.
import type { Schema } from "@ridlkit/runtime/schema";
import { bookSchema } from "../generated/schemas.js";

function messagesOf(schema: Schema<unknown>, value: unknown): string[] {
  const { issues = [] } = schema["~standard"].validate(value);
  return issues.map(({ message }) => message);
}
console.log(messagesOf(bookSchema, { isbn: 1 }).length);
