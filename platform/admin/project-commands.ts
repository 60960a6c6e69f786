import { command, toNumber, UsageError } from "./command.js";
import { list, listCommand, printRows, show } from "./output.js";

/** Commands for projects, their keys and their usage. */
export const projectCommands = [
  command(
    "project create <name>",
    "creates a project and prints its ID",
    async ({ client }, request) => {
      const { project } = await client.projects.createProject(request);
      return show(project, project.id);
    },
  ),
  listCommand(
    "project list [search]",
    "lists projects, optionally only those with a matching name or ID",
    "projects",
    ({ projects }, request) => projects.listProjects(request),
  ),
  command(
    "project rename <project> <name>",
    "renames a project",
    async ({ client }, request) => {
      const { project } = await client.projects.renameProject(request);
      return show(project, "renamed");
    },
  ),
  command(
    "key create <project> [name] [--secret] [--read-only] [--days <days>]",
    "creates and prints an access key, or a secret key with --secret; a secret key can write, which all methods that take one require, unless --read-only is given, and is valid for 365 days unless --days is given",
    async ({ client: { keys } }, { days, ...request }, flags) => {
      if (flags.has("--secret")) {
        const made = await keys.createSecretKey({
          ...{ ...request, days: days ?? 365 },
          scopes: flags.has("--read-only") ? ["read"] : ["read", "write"],
        });
        return show(made, made.key);
      }
      if (flags.has("--read-only") || days !== undefined) {
        throw new UsageError("--read-only and --days are for secret keys");
      }
      const made = await keys.createAccessKey(request);
      return show(made, made.key);
    },
  ),
  command(
    "key list <project> [--all]",
    "lists access keys and secret keys",
    async ({ client: { keys } }, { projectId }, flags) => {
      const access = await list(flags, "accessKeys", (page) =>
        keys.listAccessKeys({ projectId, page }),
      );
      const secret = await list(flags, "secretKeys", (page) =>
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
    async ({ client: { keys } }, { id, overlapHours = 24, projectId }) => {
      const roll = { projectId, overlapHours };
      const { key } = /^[0-9]+$/u.test(id)
        ? await keys.rollAccessKey({ ...roll, id: toNumber(id, "id") })
        : await keys.rollSecretKey({ ...roll, id });
      return show({ key }, key);
    },
  ),
  command(
    "key revoke <key>",
    "revokes a key, given the whole key",
    async ({ client }, request) =>
      show(await client.keys.revokeKey(request), "revoked"),
  ),
  command(
    "key revoke-id <project> <id>",
    "revokes a key, given its ID in the list of keys",
    async ({ client: { keys } }, { id, projectId }) => {
      const revoked = /^[0-9]+$/u.test(id)
        ? keys.revokeAccessKey({ projectId, id: toNumber(id, "id") })
        : keys.revokeSecretKey({ projectId, id });
      return show(await revoked, "revoked");
    },
  ),
  command(
    "usage <project> [from] [to]",
    "counts calls by day and method, from one day (YYYY-MM-DD) to another; by default, the last 30 days",
    async ({ client }, request) => {
      const range = { from: daysAgo(29), to: daysAgo(0), ...request };
      const { usage } = await client.activity.getUsage(range);
      return show(usage, printRows(usage));
    },
  ),
  listCommand(
    "call list <project> [request id] [--failed]",
    "lists the calls of the last 7 days and why they failed, optionally only those that failed or the one with a request ID",
    "calls",
    ({ activity }, request, flags) =>
      activity.listCalls({
        ...request,
        ...(flags.has("--failed") && { isFailed: true }),
      }),
  ),
  listCommand(
    "refresh list <project>",
    "lists refresh tasks",
    "refreshTasks",
    ({ activity }, request) => activity.listRefreshTasks(request),
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
    "node list",
    "lists the RPC URLs of all networks, whether relays depend on one of them alone, and what each one reported that cannot be true",
    async ({ client }) => {
      const { nodes } = await client.operators.listNodes();
      return show(nodes, printRows(nodes));
    },
  ),
  command(
    "operator end-sessions [operator]",
    "ends all sessions of an operator, or of all operators",
    async ({ client }, request) => {
      const ended = await client.operators.endSessions(request);
      return show(ended, `ended ${ended.count}`);
    },
  ),
  listCommand(
    "action list [project] [--operator <operator>]",
    "lists operator actions, optionally only those in one project or by one operator",
    "actions",
    ({ activity }, request) => activity.listActions(request),
  ),
];

function daysAgo(count: number): string {
  const time = Date.now() - count * 24 * 60 * 60 * 1000;
  return new Date(time).toISOString().slice(0, 10);
}
