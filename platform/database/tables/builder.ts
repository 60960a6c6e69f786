import type { Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Groups of contacts. */
export interface AudienceTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  name: string;
  /**
   * The number of contacts. It is updated in the same transaction as the
   * contacts.
   */
  contact_count: number;
  readonly created_at: CreatedAt;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The contacts of audiences. */
export interface AudienceContactTable {
  readonly audience_id: number;
  /** An unsigned 64-bit number in decimal digits. */
  readonly contact_id: string;
}
