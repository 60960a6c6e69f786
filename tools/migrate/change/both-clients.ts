import type { CodeChange, HelperFile, OldClient } from "./old-client.js";
import { clientFile } from "./operations.js";

/** The helper that adds the generated client to one whose calls stay for now. */
const addClient = { name: "addClient", file: "both-clients" };

/** Returns the file of this helper for the clients of one package. */
export function bothClientsFile(text: string): HelperFile {
  return { name: addClient.file, exported: addClient.name, text };
}

/** Prints the addition of a new client to an old one, which can be null. */
export function addTo(
  old: string | null,
  client: string,
  { helpers }: Pick<CodeChange, "helpers">,
): string {
  if (old === null) return client;
  const add = helpers.use({ ...addClient, isType: false });
  return `${add}(${old}, ${client})`;
}

/** What old clients have in common that this helper adds new ones to. */
export const bothClients: Pick<
  OldClient,
  "isCombination" | "typeName" | "useTypes"
> = {
  isCombination: (call, creation) =>
    call.expression.getText().endsWith(addClient.name) &&
    call.arguments[0] === creation,
  typeName: ({ host }) => host.names.client,
  useTypes: (base, { generated }) => [
    generated.use({
      name: base.host.names.client,
      file: clientFile(base),
      isType: true,
    }),
  ],
};
