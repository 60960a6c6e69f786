import { useState } from "react";
import { webhooks } from "../../api/console-api.js";
import { ActionButton } from "../../parts/action-button.js";
import { Button } from "../../parts/button.js";
import { ConfirmAction } from "../../parts/confirm-action.js";
import { Copyable } from "../../parts/copyable.js";
import { Moment } from "../../parts/moment.js";
import { type ProjectProps, Section } from "../../parts/page.js";

interface Shown {
  readonly secret: string;
  readonly rotatedAt?: string;
}

/** The secret that signs a project's webhooks. It is hidden until requested. */
export function WebhookSecretSection({ projectId }: ProjectProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  return (
    <Section
      title="Webhook secret"
      about="Receivers use it to verify that a webhook comes from this platform."
      actions={
        <ConfirmAction
          label="Rotate"
          name="webhook secret"
          look="plain"
          title="Rotate the webhook secret?"
          action={webhooks.rotateWebhookSecret.mutationOptions()}
          request={{ projectId }}
          done={() => "The webhook secret was rotated."}
          onDone={setShown}
        >
          <p>
            For a day, webhooks will be signed with both the old secret and the
            new one. Give receivers the new one within that time.
          </p>
        </ConfirmAction>
      }
    >
      {shown === null ? (
        <ActionButton
          label="Show"
          name="webhook secret"
          look="plain"
          action={webhooks.revealWebhookSecret.mutationOptions()}
          request={{ projectId }}
          done={() => "The audit log records that you viewed the secret."}
          onDone={setShown}
        />
      ) : (
        <div className="secret">
          <Copyable text={shown.secret} name="webhook secret" />
          <p className="quiet">
            Last rotated: <Moment at={shown.rotatedAt} />
          </p>
          <p>
            <Button look="quiet" onClick={() => setShown(null)}>
              Hide
            </Button>
          </p>
        </div>
      )}
    </Section>
  );
}
