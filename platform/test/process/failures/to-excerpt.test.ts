import { sql } from "kysely";
import { BaseError } from "viem";
import { expect, test } from "vitest";

import { factsOf } from "../../../process/failures/error-facts.js";
import { toExcerpt } from "../../../process/failures/to-excerpt.js";
import { hostileTexts } from "../../support/hostile-texts.js";
import { openTestDatabase } from "../../support/test-database.js";

const database = await openTestDatabase();

/** Stores a text in PostgreSQL as text, and in a JSON document that it parses. */
async function store(text: string): Promise<unknown> {
  const { rows } = await sql`
    select ${text}::text as text,
      ${JSON.stringify({ text })}::jsonb ->> 'text' as "inJson"
    `.execute(database);
  return rows[0];
}

test.each(hostileTexts)(
  "PostgreSQL stores an excerpt of $name",
  async (each) => {
    const { text, excerpt } = each;
    const { reason } = factsOf(new Error(text));
    expect(reason).toBe(excerpt);
    expect(factsOf(new BaseError(text)).reason).toBe(excerpt);
    expect(await store(reason)).toEqual({ text: excerpt, inJson: excerpt });
  },
);

test("an excerpt does not cut a character", () => {
  expect(toExcerpt("a😀😀", 2)).toBe("a😀");
  expect(toExcerpt(`${"x".repeat(15)}😀`, 2)).toBe("xx");
});

test("a log describes any value that was thrown", () => {
  expect(factsOf(Symbol("odd")).reason).toBe("Symbol(odd)");
  expect(factsOf("text").reason).toBe("text");
});
