import { helperFile } from "./helper-file.js";
import type { CodeChange, Migration, OldClient } from "./old-client.js";
import { type Base, clientFile } from "./operations.js";
import { UnsupportedCode } from "./unsupported-code.js";
import type { OldCall } from "./uses.js";

/** Imports the function that creates the generated client. */
export function useCreate(base: Base, { generated }: CodeChange): string {
  const name = base.host.names.createClient;
  return generated.use({ name, file: clientFile(base), isType: false });
}

/** Imports the type of the generated client. */
export function useType(base: Base, { generated }: CodeChange): string {
  const name = base.host.names.client;
  return generated.use({ name, file: clientFile(base), isType: true });
}

/** Imports a function or a value of a file that the project gets. */
export function useHelper(
  name: string,
  file: string,
  { helpers }: CodeChange,
): string {
  return helpers.use({ name, file, isType: false });
}

/** Returns the file that adds the generated client to an old one. */
export function bothClientsFile(client: "trpc" | "ts-rest") {
  return helperFile(`${client}/both-clients.ts`, "addClient");
}

/** Prints the addition of a new client to an old one, which can be null. */
export function addTo(
  old: string | null,
  client: string,
  change: CodeChange,
): string {
  if (old === null) return client;
  const add = useHelper("addClient", "both-clients", change);
  return `${add}(${old}, ${client})`;
}

/** What old clients have in common that this file adds new ones to. */
export const bothClients: Pick<
  OldClient,
  "isCombination" | "typeName" | "useTypes"
> = {
  isCombination: (call, creation) =>
    call.expression.getText().endsWith("addClient") &&
    call.arguments[0] === creation,
  typeName: ({ host }) => host.names.client,
  useTypes: (base, change) => [useType(base, change)],
};

/** Errors: {@link UnsupportedCode} if the client of a call is a part of another one. */
export function requireWhole(
  { client, creation, document }: OldCall,
  migration: Migration,
): void {
  if (creation !== null) return;
  const isCreated = migration.files.some(({ lookup, uses }) =>
    uses.creations.some((each) => {
      const type = lookup.checker.getTypeAtLocation(each);
      return migration.client.documentOf(lookup, type) === document;
    }),
  );
  if (isCreated) return;
  throw new UnsupportedCode(
    client,
    "its client is a part of another one, or unknown",
  );
}
