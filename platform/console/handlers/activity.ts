import { sql } from "kysely";

import { InvalidArgumentError } from "../../../generated/errors.js";
import { readInPieces } from "../../database/pieces.js";
import type { Database, Row } from "../../database/schema.js";
import { refreshQueue } from "../../services/metadata/refresh-store.js";
import type { ActivityHandler } from "../generated/server.js";
import type {
  Action,
  LoggedCall,
  RefreshTask,
  Usage,
} from "../generated/types.js";
import { readPartById, readRows } from "../lists/paging.js";
import { requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Reads the usage of a project from one day to another, both included. */
function readUsage(
  database: Database,
  projectId: number,
  [from, to]: readonly [string, string],
): Promise<Usage[]> {
  return readInPieces<Usage>(async (last, limit) => {
    const { day = from, method = "", service = "" } = last ?? {};
    const { rows } = await sql<Usage>`
      select day::text, service, method, calls, failures from project_calls
      where project_id = ${projectId}
        and day between ${from}::date and ${to}::date
        and (day, service, method) > (${day}::date, ${service}, ${method})
      order by project_calls.day, service, method
      limit ${limit}`.execute(database);
    return rows;
  });
}

/** Creates the handler for usage, calls, refresh tasks and the audit log. */
export function createActivityHandler({
  platform: { settings },
  store: { database },
}: ConsoleParts): ActivityHandler<OperatorState> {
  return {
    listRefreshTasks: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const { items, next } = await readPartById(page, (before, limit) =>
        readRefreshTasks(database, projectId, before, limit),
      );
      return { refreshTasks: items.map(toRefreshTask), ...next };
    },

    getUsage: async ({ from, projectId, to }) => {
      await requireProject(database, projectId);
      requireDays(from, to);
      return { usage: await readUsage(database, projectId, [from, to]) };
    },

    listCalls: async ({ isFailed, page, projectId, requestId }) => {
      if (projectId !== undefined) await requireProject(database, projectId);
      const { items, next } = await readPartById(page, (before, limit) => {
        let rows = database.selectFrom("logged_calls").selectAll();
        if (isFailed !== undefined) {
          rows = rows.where("error", isFailed ? "is not" : "is", null);
        }
        if (requestId !== undefined) {
          rows = rows.where("request_id", "=", requestId);
        }
        // Each order has an index.
        const isOfAll = projectId === undefined;
        if (!isOfAll) rows = rows.where("project_id", "=", projectId);
        return rows
          .where(
            isOfAll
              ? sql<boolean>`id < ${before}`
              : sql<boolean>`-id > ${-before}`,
          )
          .orderBy(isOfAll ? sql`id desc` : sql`-id`)
          .limit(limit)
          .execute();
      });
      return {
        calls: items.map((row) => toLoggedCall(row, settings.traceUrl)),
        ...next,
      };
    },

    listActions: async ({ operator, page, projectId }) => {
      let rows = database.selectFrom("operator_actions").selectAll();
      if (projectId !== undefined) {
        rows = rows.where("project_id", "=", projectId);
      }
      if (operator !== undefined) rows = rows.where("operator", "=", operator);
      const { items, next } = await readRows(rows, page);
      return { actions: items.map(toAction), ...next };
    },
  };
}

async function readRefreshTasks(
  database: Database,
  projectId: number,
  before: number,
  limit: number,
): Promise<readonly RefreshRow[]> {
  const { rows } = await sql<RefreshRow>`
    select task.*, jobs.reason, (
      select count(*) from metadata_refresh_tokens
      where refresh_id = task.id
    ) as tokens_left
    from metadata_refreshes as task
    left join jobs on queue = ${refreshQueue} and key = task.id::text
    where project_id = ${projectId} and task.id < ${before}
    order by task.id desc limit ${limit}`.execute(database);
  return rows;
}

interface RefreshRow extends Row<"metadata_refreshes"> {
  readonly reason: string | null;
  readonly tokens_left: number;
}

function toRefreshTask(row: RefreshRow): RefreshTask {
  const { reason } = row;
  return {
    id: row.id,
    projectId: row.project_id,
    chainId: row.chain_id,
    contractAddress: row.contract,
    state: row.status,
    tokensLeft: row.tokens_left,
    ...(reason !== null && { reason }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 92;

/**
 * Validates a range of days. Errors: `InvalidArgument` if the range is empty or
 * too long, or if one of the days does not exist.
 */
function requireDays(from: string, to: string): void {
  const days = (toTime("to", to) - toTime("from", from)) / dayMs + 1;
  if (days >= 1 && days <= maxDays) return;
  const cause = `to: expected a day on or after ${from}, in a range of at most ${maxDays} days, got ${to}`;
  throw new InvalidArgumentError({ cause });
}

function toTime(argument: string, day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  const isDay =
    !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  if (isDay) return time;
  const cause = `${argument}: there is no day ${day}`;
  throw new InvalidArgumentError({ cause });
}

function toLoggedCall(
  row: Row<"logged_calls">,
  traceUrl: string | null,
): LoggedCall {
  const { cause, error, network, trace_id: traceId } = row;
  return {
    id: row.id,
    projectId: row.project_id,
    requestId: row.request_id,
    service: row.service,
    method: row.method,
    ...(network !== null && { network }),
    status: row.status,
    ...(error !== null && { error }),
    ...(cause !== null && { cause }),
    ...(traceUrl !== null &&
      traceId !== null && {
        traceUrl: traceUrl.replaceAll("{traceId}", traceId),
      }),
    invalidFields: [...row.invalid_fields],
    durationMs: row.duration_ms,
    createdAt: row.created_at.toISOString(),
  };
}

function toAction(row: Row<"operator_actions">): Action {
  const { error, is_done: isDone, project_id: projectId } = row;
  return {
    id: row.id,
    operator: row.operator,
    method: row.method,
    ...(projectId !== null && { projectId }),
    details: { ...row.details },
    outcome: isDone === null ? "unknown" : isDone ? "done" : "failed",
    ...(error !== null && { error }),
    createdAt: row.created_at.toISOString(),
  };
}
