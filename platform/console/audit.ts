import { stringifyJson } from "@ridlkit/runtime/json";
import type { Interceptor } from "@ridlkit/runtime/server";
import type { Kysely } from "kysely";

import type { Tables } from "../database/schema.js";
import type { OperatorState } from "./sign-in/state.js";

/** Arguments that are secrets: they are not written down. */
export const secretArguments: Readonly<Record<string, string | undefined>> = {
  "Keys/RevokeKey": "key",
  "Operators/SignIn": "password",
};

/** Methods whose names begin so change nothing. */
export const readingVerbs = /^(?:Get|List)/u;

const maxDetailLength = 1000;

/**
 * Writes down what operators do: before it is done, so that nothing is missing
 * if the server stops, and what became of it. Failed attempts to sign in are
 * written down with the name that was tried.
 */
export function auditActions(
  database: Kysely<Tables>,
): Interceptor<OperatorState> {
  return (next) => async (call) => {
    const { context, request } = call;
    if (readingVerbs.test(context.method)) return next(call);
    const method = `${context.service}/${context.method}`;
    const details = detailsOf(request, secretArguments[method]);
    const { operator, projectId } = details;
    const { id } = await database
      .insertInto("operator_actions")
      .values({
        operator: context.state.operator ?? String(operator ?? ""),
        method,
        project_id: typeof projectId === "number" ? projectId : null,
        details: stringifyJson(details),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const settle = (error: string | null) =>
      database
        .updateTable("operator_actions")
        .set({ is_done: error === null, error })
        .$if(context.state.projectId !== null, (query) =>
          query.set({ project_id: context.state.projectId }),
        )
        .where("id", "=", id)
        .execute();
    try {
      const answer = await next(call);
      await settle(null);
      return answer;
    } catch (error) {
      await settle(error instanceof Error ? error.name : "Error");
      throw error;
    }
  };
}

/** What is written down of a request: short values that are no secrets. */
function detailsOf(
  request: unknown,
  secretArgument: string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(request)).flatMap(([name, value]) => {
      if (name === secretArgument || value === undefined) return [];
      if (Array.isArray(value)) return [[name, `${value.length} values`]];
      if (isFile(value)) return [[name, "a file"]];
      const text = stringifyJson(value);
      return [[name, text.length > maxDetailLength ? "…" : value]];
    }),
  );
}

function isFile(value: unknown): boolean {
  return typeof Object(value).stream === "function";
}
