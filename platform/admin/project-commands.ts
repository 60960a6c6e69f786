import {
  type Command,
  page,
  printRows,
  toNumber,
  UsageError,
} from "./command.js";

const project = (text = ""): number => toNumber("project", text);

/** Commands for projects and their keys. */
export const projectCommands: Readonly<Record<string, Command>> = {
  "project create": {
    values: [1, 1],
    run: async ({ projects }, _, name = "") =>
      String((await projects.createProject({ name })).project.id),
  },
  "project list": {
    values: [0, 1],
    run: async ({ projects }, _, search = "") =>
      printRows((await projects.listProjects({ search, page })).projects),
  },
  "project rename": {
    values: [2, 2],
    run: async ({ projects }, _, id, name = "") => {
      await projects.renameProject({ projectId: project(id), name });
      return "renamed";
    },
  },
  "key create": {
    values: [1, 1],
    run: async ({ keys }, flags, id) => {
      const projectId = project(id);
      if (!flags.secret) return (await keys.createAccessKey({ projectId })).key;
      const days = Number(flags.days);
      if (!Number.isInteger(days) || days < 1 || days > 36_500) {
        throw new UsageError("--days: expected a number of days");
      }
      const scopes: ("read" | "write")[] = flags["read-only"]
        ? ["read"]
        : ["read", "write"];
      return (await keys.createSecretKey({ projectId, scopes, days })).key;
    },
  },
  "key list": {
    values: [1, 1],
    run: async ({ keys }, _, id) => {
      const projectId = project(id);
      const { accessKeys } = await keys.listAccessKeys({ projectId, page });
      const { secretKeys } = await keys.listSecretKeys({ projectId, page });
      return [
        ...["access keys:", printRows(accessKeys)],
        ...["secret keys:", printRows(secretKeys)],
      ].join("\n");
    },
  },
  "key revoke": {
    values: [1, 1],
    run: async ({ keys }, _, key = "") => {
      await keys.revokeKey({ key });
      return "revoked";
    },
  },
  "action list": {
    values: [0, 1],
    run: async ({ activity }, _, id) => {
      const choice = id === undefined ? {} : { projectId: project(id) };
      return printRows(
        (await activity.listActions({ ...choice, page })).actions,
      );
    },
  },
  usage: {
    values: [1, 3],
    run: async ({ activity }, _, id, from = daysAgo(29), to = daysAgo(0)) => {
      const projectId = project(id);
      return printRows(
        (await activity.getUsage({ projectId, from, to })).usage,
      );
    },
  },
};

function daysAgo(count: number): string {
  const time = Date.now() - count * 24 * 60 * 60 * 1000;
  return new Date(time).toISOString().slice(0, 10);
}
