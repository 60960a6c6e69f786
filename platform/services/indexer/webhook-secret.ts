import { createHmac } from "node:crypto";

import type { MasterKeys } from "../../keys/master-secret.js";

/**
 * The secret that all webhooks of a project are signed with, as the Standard
 * Webhooks specification writes it. It is derived, the same each time, and kept
 * nowhere.
 */
export function webhookSecretOf(
  { webhooks }: Pick<MasterKeys, "webhooks">,
  projectId: number,
): string {
  const secret = createHmac("sha256", webhooks).update(`project ${projectId}`);
  return `whsec_${secret.digest("base64")}`;
}
