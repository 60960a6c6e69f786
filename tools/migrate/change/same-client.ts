import type { Migration } from "./old-client.js";
import { Unclear } from "./unclear.js";
import type { ClientKey, OldCall } from "./uses.js";

/** Whether two clients can be the same. */
export function canBeSame(left: ClientKey, right: ClientKey): boolean {
  return left.creation === null || right.creation === null
    ? left.document === right.document ||
        left.document === "" ||
        right.document === ""
    : left.creation === right.creation;
}

/** Returns why the client of a call keeps it from being migrated, or null. */
export function blockOf(
  { blocked, client: { isGenerated }, files }: Migration,
  call: OldCall,
): Unclear | null {
  const { client, creation } = call;
  const source = creation?.getSourceFile();
  const isOwn = files.some((each) => each.source === source);
  if (source && !isOwn && !isGenerated(source)) {
    return new Unclear(client, "its client is created outside the folder");
  }
  return blocked.some((each) => canBeSame(each, call))
    ? new Unclear(client, "its client is not migrated")
    : null;
}
