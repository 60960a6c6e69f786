import { command, CommandError } from "./command.js";
import { listCommand, show } from "./output.js";
import { readInput } from "./read-input.js";

/** Commands for audiences and their contacts. */
export const audienceCommands = [
  command(
    "audience create <project> <name>",
    "creates an audience and prints its ID",
    async ({ client }, request) => {
      const { audience } = await client.audiences.createAudience(request);
      return show(audience, audience.id);
    },
  ),
  listCommand(
    "audience list <project>",
    "lists audiences",
    "audiences",
    ({ audiences }, request) => audiences.listAudiences(request),
  ),
  command(
    "audience rename <project> <audience> <name>",
    "renames an audience",
    async ({ client }, request) => {
      const { audience } = await client.audiences.renameAudience(request);
      return show(audience, "renamed");
    },
  ),
  command(
    "audience delete <project> <audience>",
    "deletes an audience",
    async ({ client }, request) =>
      show(await client.audiences.deleteAudience(request), "deleted"),
  ),
  command(
    "audience import <project> <audience> <file>",
    "adds the contacts in a CSV file",
    async ({ client }, { file, ...place }) => {
      const csv = await readInput(file, "text/csv");
      const result = await client.audiences.importContacts({ ...place, csv });
      const { added, faultCount, faults, known } = result;
      if (faultCount === 0) {
        return show(result, `${added} added, ${known} already known`);
      }
      const lines = faults.map(
        ({ line, problem }) => `${file}:${line}: ${problem}`,
      );
      const count = `${faultCount} invalid ${faultCount === 1 ? "line" : "lines"}; nothing was added`;
      throw new CommandError([...lines, count].join("\n"));
    },
  ),
  command(
    "audience export <project> <audience>",
    "prints the contacts as CSV",
    async ({ client }, request) => {
      const { file } = await client.audiences.exportContacts(request);
      const csv = await new Response(file.stream()).text();
      return show(csv, csv);
    },
  ),
  listCommand(
    "contact list <project> <audience> [contact]",
    "lists the contacts of an audience, or only the given one if the audience has it",
    "contacts",
    async ({ audiences }, request) => {
      const { contactIds, ...rest } = await audiences.listContacts(request);
      const contacts = contactIds.map((id) => ({ contactId: String(id) }));
      return { ...rest, contacts };
    },
  ),
  command(
    "contact add <project> <audience> <contact>",
    "adds a contact to an audience",
    async ({ client }, { contactId, ...place }) => {
      const change = { ...place, contactIds: [contactId] };
      const { audience } = await client.audiences.addContacts(change);
      return show(audience, "added");
    },
  ),
  command(
    "contact remove <project> <audience> <contact>",
    "removes a contact from an audience",
    async ({ client }, { contactId, ...place }) => {
      const change = { ...place, contactIds: [contactId] };
      const { audience } = await client.audiences.removeContacts(change);
      return show(audience, "removed");
    },
  ),
];
