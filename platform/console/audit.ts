import { stringifyJson } from "@ridlkit/runtime/json";
import type { Interceptor } from "@ridlkit/runtime/server";
import type { Kysely } from "kysely";

import type { Tables } from "../database/schema.js";
import type { OperatorState } from "./sign-in/console-parts.js";

/** The secret argument of each method, which the audit log leaves out. */
export const secretArguments: Readonly<Record<string, string | undefined>> = {
  "Keys/RevokeKey": "key",
  "Operators/SignIn": "password",
};

/** Name prefixes of methods that change nothing. */
export const readingVerbs = /^(?:Get|List)/u;

const maxDetailLength = 1000;

/**
 * Records what operators do. It writes an entry before each action and adds the
 * result afterward, so that no action is missing if the server stops. For
 * sign-ins, it records the operator name in the request.
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

/**
 * Returns the details to record for a request. Leaves out the secret argument
 * and abbreviates lists, files and long values.
 */
function detailsOf(
  request: unknown,
  secretArgument: string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(request)).flatMap(([name, value]) => {
      if (name === secretArgument || value === undefined) return [];
      if (Array.isArray(value))
        return [
          [name, `${value.length} ${value.length === 1 ? "value" : "values"}`],
        ];
      if (isFile(value)) return [[name, "a file"]];
      const text = stringifyJson(value);
      return [[name, text.length > maxDetailLength ? "…" : value]];
    }),
  );
}

function isFile(value: unknown): boolean {
  return typeof Object(value).stream === "function";
}
