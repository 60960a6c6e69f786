import { stringifyJson } from "@ridlkit/runtime/json";
import type { Interceptor } from "@ridlkit/runtime/server";
import type { Logger } from "pino";

import type { Database } from "../../database/schema.js";
import { toLogged } from "../../process/failures/create-log.js";
import type { OperatorState } from "./console-parts.js";

/** The secret argument of each method, which the audit log leaves out. */
export const secretArguments: Readonly<Record<string, string | undefined>> = {
  "Keys/RevokeKey": "key",
  "Operators/SignIn": "password",
};

/** Name prefixes of methods that change nothing. */
export const readingVerbs = /^(?:Get|List)/u;

const maxDetailLength = 1000;

/** The maximum length of a list that is recorded completely. */
const maxListed = 10;

/**
 * Records what operators do. It writes an entry before each action and adds the
 * result afterward, so that no action is missing if the server stops. For
 * sign-ins, it records the operator name in the request.
 *
 * If the result of an action cannot be recorded, this is logged. The caller
 * still learns the result, and does not repeat an action that was done.
 */
export function auditActions(
  database: Database,
  log: Pick<Logger, "error">,
): Interceptor<OperatorState> {
  return (next) => async (call) => {
    const { context, request } = call;
    const { state } = context;
    if (readingVerbs.test(context.method)) return next(call);
    const method = `${context.service}/${context.method}`;
    const details = detailsOf(request, secretArguments[method]);
    const { operator, projectId } = details;
    const { id } = await database
      .insertInto("operator_actions")
      .values({
        operator: state.operator ?? String(operator ?? ""),
        method,
        project_id: typeof projectId === "number" ? projectId : null,
        details: stringifyJson(details),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    state.actionId = id;
    const settle = (error: string | null) =>
      settleAction(database, state, error).catch((failure: unknown) => {
        log.error({ err: failure, action: id }, "cannot record an action");
      });
    try {
      const answer = await next(call);
      if (state.actionId !== null) await settle(null);
      return answer;
    } catch (error) {
      await settle(error instanceof Error ? error.name : "Error");
      throw error;
    }
  };
}

/**
 * Records the result of an action. Actions that move money do this in their own
 * transaction, and then set `actionId` to null.
 */
export async function settleAction(
  database: Database,
  { actionId, projectId }: OperatorState,
  error: string | null,
): Promise<void> {
  await database
    .updateTable("operator_actions")
    .set({ is_done: error === null, error })
    .$if(projectId !== null, (query) => query.set({ project_id: projectId }))
    .where("id", "=", actionId ?? 0)
    .execute();
}

/**
 * Returns the details to record for a request. Leaves out the secret argument,
 * ends URLs at their host as log lines do, and abbreviates long lists, files and
 * long values.
 */
function detailsOf(
  request: unknown,
  secretArgument: string | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(request)).flatMap(([name, value]) => {
      if (name === secretArgument || value === undefined) return [];
      if (Array.isArray(value) && value.length > maxListed)
        return [[name, `${value.length} values`]];
      if (isFile(value)) return [[name, "a file"]];
      const text = stringifyJson(value);
      const isLong = text.length > maxDetailLength;
      return [[name, isLong ? "…" : toLogged(withoutCredentials(value))]];
    }),
  );
}

function isFile(value: unknown): boolean {
  return typeof Object(value).stream === "function";
}

/**
 * Returns the scheme and the host of a URL that can contain a password, or only the
 * scheme if the password can be anywhere, because it contains a slash.
 */
function withoutCredentials(value: unknown): unknown {
  const [, scheme] =
    /^([a-z][a-z\d+.-]*:\/\/)[^]*@/iu.exec(String(value)) ?? [];
  if (typeof value !== "string" || scheme === undefined) return value;
  if (!URL.canParse(value)) return `${scheme}…`;
  const { host, href, password, username } = new URL(value);
  const isAtHost = username !== "" || password !== "";
  const isOnly = href.indexOf("@") === href.lastIndexOf("@");
  return isAtHost && isOnly ? `${scheme}${host}/…` : `${scheme}…`;
}
