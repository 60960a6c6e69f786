import type { Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Tables of the Builder service. */
export interface BuilderTables {
  readonly audiences: AudienceTable;
  readonly audience_contacts: AudienceContactTable;
}

/** Groups of contacts. */
export interface AudienceTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  name: string;
  /** How many contacts there are: changed with them, in one transaction. */
  contact_count: number;
  readonly created_at: CreatedAt;
  updated_at: Date;
  deleted_at: Date | null;
}

/** Who belongs to which audience. */
export interface AudienceContactTable {
  readonly audience_id: number;
  /** All 64 bits of it, in digits. */
  readonly contact_id: string;
}
