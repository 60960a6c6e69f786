import { hash } from "node:crypto";

import type { CompiledQuery } from "kysely";

import type { Database } from "./schema.js";

/** The names of prepared statements by their texts, which connections keep. */
const names = new Map<string, string>();

/** A statement, and the places of its parameters in those of the query. */
interface Statement<Row> {
  readonly query: CompiledQuery<Row>;
  readonly places: readonly (number | undefined)[];
}

/**
 * Creates a function that executes a statement. It is built once, and each
 * connection prepares it once: building, parsing and planning a small statement
 * takes several times longer than executing it.
 *
 * Input: builds the statement from its parameters, which it only passes on.
 */
export function prepare<Parameters extends readonly unknown[], Row>(
  build: (database: Database, ...parameters: Parameters) => CompiledQuery<Row>,
): (database: Database, ...parameters: Parameters) => Promise<readonly Row[]> {
  let statement: Statement<Row> | null = null;
  return async (database, ...parameters) => {
    statement ??= buildOnce(build, database);
    const { places, query } = statement;
    const given = query.parameters.map((fixed, index) => {
      const place = places[index];
      return place === undefined ? fixed : parameters[place];
    });
    const { rows } = await database.executeQuery<Row>({
      ...query,
      parameters: given,
    });
    return rows;
  };
}

function buildOnce<Parameters extends readonly unknown[], Row>(
  build: (database: Database, ...parameters: Parameters) => CompiledQuery<Row>,
  database: Database,
): Statement<Row> {
  const count = build.length - 1;
  const standIns: readonly unknown[] = Array.from(
    { length: count },
    () => ({}),
  );
  const query = build(database, ...(standIns as Parameters));
  const places = query.parameters.map((each) => {
    const place = standIns.indexOf(each);
    return place < 0 ? undefined : place;
  });
  names.set(query.sql, hash("sha256", query.sql, "base64url"));
  return { query, places };
}

/** Returns the name of a prepared statement, or undefined. */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text);
}
