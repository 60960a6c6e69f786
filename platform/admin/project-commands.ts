import { command, inProject, UsageError } from "./command.js";
import { list, printRows, show } from "./output.js";

/** Commands for projects, their keys and their usage. */
export const projectCommands = [
  command(
    "project create <name>",
    "creates a project and prints its ID",
    async ({ client }, values) => {
      const name = values.text("name");
      const { project } = await client.projects.createProject({ name });
      return show(project, project.id);
    },
  ),
  command(
    "project list [search] [--all]",
    "lists projects, optionally only those with a matching name or ID",
    ({ client }, values) =>
      list(values, "projects", (page) =>
        client.projects.listProjects({ search: values.text("search"), page }),
      ),
  ),
  command(
    "project rename <project> <name>",
    "renames a project",
    async ({ client }, values) => {
      const projectId = values.number("project");
      const name = values.text("name");
      const renamed = await client.projects.renameProject({ projectId, name });
      return show(renamed.project, "renamed");
    },
  ),
  command(
    "key create <project> [name] [--secret] [--read-only] [--days <days>]",
    "creates and prints an access key, or a secret key with --secret; a secret key can write, which all methods that take one require, unless --read-only is given, and is valid for 365 days unless --days is given",
    async ({ client: { keys } }, values) => {
      const projectId = values.number("project");
      const name = values.text("name");
      if (values.has("--secret")) {
        const days = values.has("days") ? values.number("days") : 365;
        const made = await keys.createSecretKey({
          ...{ projectId, name, days },
          scopes: values.has("--read-only") ? ["read"] : ["read", "write"],
        });
        return show(made, made.key);
      }
      if (values.has("--read-only") || values.has("days")) {
        throw new UsageError("--read-only and --days are for secret keys");
      }
      const made = await keys.createAccessKey({ projectId, name });
      return show(made, made.key);
    },
  ),
  command(
    "key list <project> [--all]",
    "lists access keys and secret keys",
    async ({ client: { keys } }, values) => {
      const projectId = values.number("project");
      const access = await list(values, "accessKeys", (page) =>
        keys.listAccessKeys({ projectId, page }),
      );
      const secret = await list(values, "secretKeys", (page) =>
        keys.listSecretKeys({ projectId, page }),
      );
      return {
        ...access,
        ...secret,
        text: `access keys:\n${access.text}\nsecret keys:\n${secret.text}`,
        value: { accessKeys: access.value, secretKeys: secret.value },
      };
    },
  ),
  command(
    "key roll <project> <id> [--hours <hours>]",
    "replaces a key and prints the new one; the old one is valid for 24 more hours unless --hours is given",
    async ({ client: { keys } }, values) => {
      const projectId = values.number("project");
      const id = values.text("id");
      const overlapHours = values.has("hours") ? values.number("hours") : 24;
      const { key } = /^[0-9]+$/u.test(id)
        ? await keys.rollAccessKey({
            ...{ projectId, overlapHours, id: values.number("id") },
          })
        : await keys.rollSecretKey({ projectId, overlapHours, id });
      return show({ key }, key);
    },
  ),
  command(
    "key revoke <key>",
    "revokes a key, given the whole key",
    async ({ client }, values) =>
      show(await client.keys.revokeKey({ key: values.text("key") }), "revoked"),
  ),
  command(
    "key revoke-id <project> <id>",
    "revokes a key, given its ID in the list of keys",
    async ({ client: { keys } }, values) => {
      const projectId = values.number("project");
      const id = values.text("id");
      const revoked = /^[0-9]+$/u.test(id)
        ? keys.revokeAccessKey({ projectId, id: values.number("id") })
        : keys.revokeSecretKey({ projectId, id });
      return show(await revoked, "revoked");
    },
  ),
  command(
    "usage <project> [from] [to]",
    "counts calls by day and method, from one day (YYYY-MM-DD) to another; by default, the last 30 days",
    async ({ client }, values) => {
      const { usage } = await client.activity.getUsage({
        projectId: values.number("project"),
        from: values.optional("from") ?? daysAgo(29),
        to: values.optional("to") ?? daysAgo(0),
      });
      return show(usage, printRows(usage));
    },
  ),
  command(
    "call list <project> [--failed] [--all]",
    "lists the calls of the last 7 days, optionally only those that failed",
    ({ client }, values) => {
      const projectId = values.number("project");
      const choice = values.has("--failed") ? { isFailed: true } : {};
      return list(values, "calls", (page) =>
        client.activity.listCalls({ projectId, ...choice, page }),
      );
    },
  ),
  command(
    "refresh list <project> [--all]",
    "lists refresh tasks",
    ({ client }, values) => {
      const projectId = values.number("project");
      return list(values, "refreshTasks", (page) =>
        client.activity.listRefreshTasks({ projectId, page }),
      );
    },
  ),
  command(
    "follower list",
    "lists the progress of everything that follows a chain",
    async ({ client }) => {
      const { followers } = await client.operators.listFollowers();
      return show(followers, printRows(followers));
    },
  ),
  command(
    "operator end-sessions [operator]",
    "ends all sessions of an operator, or of all operators",
    async ({ client }, values) => {
      const operator = values.optional("operator");
      const ended = await client.operators.endSessions({
        ...(operator !== undefined && { operator }),
      });
      return show(ended, `ended ${ended.count}`);
    },
  ),
  command(
    "action list [project] [--all]",
    "lists operator actions, optionally only those in one project",
    ({ client }, values) =>
      list(values, "actions", (page) =>
        client.activity.listActions({ ...inProject(values), page }),
      ),
  ),
];

function daysAgo(count: number): string {
  const time = Date.now() - count * 24 * 60 * 60 * 1000;
  return new Date(time).toISOString().slice(0, 10);
}
