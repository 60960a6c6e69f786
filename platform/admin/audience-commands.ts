import { command, CommandError, type Values } from "./command.js";
import { list, show } from "./output.js";
import { readInput } from "./read-input.js";

/** Parses the IDs that identify an audience. */
const placeOf = (values: Values<"project" | "audience">) => ({
  projectId: values.number("project"),
  audienceId: values.number("audience"),
});

/** Commands for audiences and their contacts. */
export const audienceCommands = [
  command(
    "audience create <project> <name>",
    "creates an audience and prints its ID",
    async ({ client }, values) => {
      const { audience } = await client.audiences.createAudience({
        projectId: values.number("project"),
        name: values.text("name"),
      });
      return show(audience, audience.id);
    },
  ),
  command(
    "audience list <project> [--all]",
    "lists audiences",
    ({ client }, values) => {
      const projectId = values.number("project");
      return list(values, "audiences", (page) =>
        client.audiences.listAudiences({ projectId, page }),
      );
    },
  ),
  command(
    "audience rename <project> <audience> <name>",
    "renames an audience",
    async ({ client }, values) => {
      const change = { ...placeOf(values), name: values.text("name") };
      const { audience } = await client.audiences.renameAudience(change);
      return show(audience, "renamed");
    },
  ),
  command(
    "audience delete <project> <audience>",
    "deletes an audience",
    async ({ client }, values) =>
      show(await client.audiences.deleteAudience(placeOf(values)), "deleted"),
  ),
  command(
    "audience import <project> <audience> <file>",
    "adds the contacts in a CSV file",
    async ({ client }, values) => {
      const path = values.text("file");
      const csv = await readInput(path, "text/csv");
      const result = await client.audiences.importContacts({
        ...placeOf(values),
        csv,
      });
      const { added, faultCount, faults, known } = result;
      if (faultCount === 0) {
        return show(result, `${added} added, ${known} already known`);
      }
      const lines = faults.map(
        ({ line, problem }) => `${path}:${line}: ${problem}`,
      );
      const count = `${faultCount} invalid ${faultCount === 1 ? "line" : "lines"}; nothing was added`;
      throw new CommandError([...lines, count].join("\n"));
    },
  ),
  command(
    "audience export <project> <audience>",
    "prints the contacts as CSV",
    async ({ client }, values) => {
      const { file } = await client.audiences.exportContacts(placeOf(values));
      const csv = await new Response(file.stream()).text();
      return show(csv, csv);
    },
  ),
  command(
    "contact list <project> <audience> [--all]",
    "lists the contacts of an audience",
    ({ client }, values) =>
      list(values, "contacts", async (page) => {
        const { contactIds, ...rest } = await client.audiences.listContacts({
          ...placeOf(values),
          page,
        });
        const contacts = contactIds.map((id) => ({ contactId: String(id) }));
        return { ...rest, contacts };
      }),
  ),
  command(
    "contact add <project> <audience> <contact>",
    "adds a contact to an audience",
    async ({ client }, values) => {
      const contactIds = [values.bigint("contact")];
      const change = { ...placeOf(values), contactIds };
      const { audience } = await client.audiences.addContacts(change);
      return show(audience, "added");
    },
  ),
  command(
    "contact remove <project> <audience> <contact>",
    "removes a contact from an audience",
    async ({ client }, values) => {
      const contactIds = [values.bigint("contact")];
      const change = { ...placeOf(values), contactIds };
      const { audience } = await client.audiences.removeContacts(change);
      return show(audience, "removed");
    },
  ),
];
