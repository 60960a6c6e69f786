import type { Arguments } from "./arguments.js";
import { useHelper } from "./new-client.js";
import type { CodeChange, OldClient } from "./old-client.js";
import {
  type ContractOperation,
  findBase,
  findOperation,
  listOperations,
  suggestAddress,
} from "./operations.js";
import { printCall } from "./print-code.js";
import { UnsupportedCode } from "./unsupported-code.js";
import type { OldCall } from "./uses.js";

/** What a new call has besides the name of its method. */
export interface NewCall extends Arguments {
  /** The code of the client. */
  readonly client: string;
  /** The function that returns the outcome in the old form. */
  readonly outcome: string;
  /** The arguments of this function after the result. */
  readonly more: readonly string[];
}

/** Reads a call. Errors: {@link UnsupportedCode} for what has no equivalent. */
type ReadCall = (
  call: OldCall,
  operation: ContractOperation,
  change: CodeChange,
) => NewCall;

/** How the calls of a client with verbs and paths are replaced. */
export function restCalls(
  readCall: ReadCall,
): Pick<OldClient, "findBase" | "replaceCall"> {
  return {
    findBase: (plan, calls) =>
      findBase(
        listOperations(plan),
        calls.map(({ address }) => address),
      ),
    replaceCall: (call, base, change) => {
      const { address, client, node } = call;
      const { edits, migration, surroundings } = change;
      const { operations } = migration;
      const operation = base && findOperation(operations, base, address);
      if (operation === null) {
        throw new UnsupportedCode(
          node.arguments[0] ?? node,
          `the contract has no \`${address.verb} ${address.path}\``,
          suggestAddress(operations, base, address) ?? null,
        );
      }
      const { method, service } = operation;
      if (method.kind !== "call") {
        throw new UnsupportedCode(node, "streams and files are not migrated");
      }
      const read = readCall(call, operation, change);
      const callee = `${read.client}.${service.names.property}.${method.names.property}.result`;
      const name = useHelper(read.outcome, "outcome", change);
      const wrap = [name, ...read.more];
      edits.replace(
        node,
        printCall(node, callee, client, read, wrap, surroundings),
      );
    },
  };
}
