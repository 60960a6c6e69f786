import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  createAccessKeyRequestSchema,
  createSecretKeyRequestSchema,
} from "../../platform/console/generated/schemas.js";
import type { SecretKey } from "../../platform/console/generated/types.js";
import { keys } from "../api/console-api.js";
import { Badge } from "../parts/badge.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Moment } from "../parts/moment.js";
import { Page, Section } from "../parts/page.js";
import { PagedTable } from "../parts/paged-table.js";
import { ShownOnce } from "../parts/shown-once.js";
import { TextField } from "../parts/text-field.js";

interface OfProject {
  readonly projectId: number;
}

interface Revocable {
  readonly name: string;
  readonly ending: string;
  readonly revokedAt?: string;
}

/** The page of the access keys and secret keys of a project. */
export function Keys({ projectId }: OfProject) {
  return (
    <Page
      title="Keys"
      about="Programs call the platform with these. The console keeps no key in full, so copy a new one at once."
    >
      <AccessKeys projectId={projectId} />
      <SecretKeys projectId={projectId} />
    </Page>
  );
}

function AccessKeys({ projectId }: OfProject) {
  const pages = useInfiniteQuery({
    ...keys.listAccessKeys.infiniteQueryOptions({ projectId }),
    select: (data) => data.pages.flatMap((page) => page.accessKeys),
  });
  return (
    <Section
      title="Access keys"
      about="Public: web pages and apps send them as X-Access-Key. They name the project, and prove nothing."
      actions={<NewAccessKey projectId={projectId} />}
    >
      <PagedTable
        label="Access keys"
        pages={pages}
        rowKey={({ id }) => `${id}`}
        columns={[
          { name: "Name", cell: (key) => <KeyName {...key} /> },
          { name: "State", cell: (key) => <AccessKeyState {...key} /> },
          {
            name: "Last used",
            cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
          },
          {
            name: "Created",
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
          {
            name: "Actions",
            isActions: true,
            cell: (key) =>
              key.revokedAt === undefined && (
                <ConfirmAction
                  label="Revoke"
                  name={nameOf(key)}
                  title={`Revoke ${nameOf(key)}?`}
                  action={keys.revokeAccessKey.mutationOptions()}
                  request={{ projectId, id: key.id }}
                  done="The access key was revoked."
                >
                  <p>
                    Calls with this key fail from now on. A revoked key cannot
                    be restored.
                  </p>
                </ConfirmAction>
              ),
          },
        ]}
        empty={<p>This project has no access key yet.</p>}
      />
    </Section>
  );
}

function SecretKeys({ projectId }: OfProject) {
  const pages = useInfiniteQuery({
    ...keys.listSecretKeys.infiniteQueryOptions({ projectId }),
    select: (data) => data.pages.flatMap((page) => page.secretKeys),
  });
  return (
    <Section
      title="Secret keys"
      about="Secret: only your servers may have them. They allow what their scopes say."
      actions={<NewSecretKey projectId={projectId} />}
    >
      <PagedTable
        label="Secret keys"
        pages={pages}
        rowKey={({ id }) => id}
        columns={[
          { name: "Name", cell: (key) => <KeyName {...key} /> },
          { name: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
          { name: "State", cell: (key) => <SecretKeyState {...key} /> },
          {
            name: "Expires",
            cell: ({ expiresAt }) => <Moment at={expiresAt} />,
          },
          {
            name: "Last used",
            cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
          },
          {
            name: "Created",
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
          {
            name: "Actions",
            isActions: true,
            cell: (key) =>
              key.revokedAt === undefined && (
                <ConfirmAction
                  label="Revoke"
                  name={nameOf(key)}
                  title={`Revoke ${nameOf(key)}?`}
                  action={keys.revokeSecretKey.mutationOptions()}
                  request={{ projectId, id: key.id }}
                  done="The secret key was revoked."
                >
                  <p>
                    Servers that use this key are refused from now on. A revoked
                    key cannot be restored.
                  </p>
                </ConfirmAction>
              ),
          },
        ]}
        empty={<p>This project has no secret key yet.</p>}
      />
    </Section>
  );
}

function NewAccessKey({ projectId }: OfProject) {
  const [created, setCreated] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        opener="New access key"
        title="New access key"
        schema={createAccessKeyRequestSchema}
        defaultValues={{ projectId, name: "" }}
        action={keys.createAccessKey.mutationOptions()}
        label="Create access key"
        done="The access key was created."
        onDone={({ key }) => setCreated(key)}
      >
        {(form) => (
          <TextField
            form={form}
            name="name"
            label="Name"
            hint="Optional. Tells this key from others."
          />
        )}
      </FormDialog>
      <ShownOnce
        what="access key"
        text={created}
        onClose={() => setCreated(null)}
      />
    </>
  );
}

function NewSecretKey({ projectId }: OfProject) {
  const [created, setCreated] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        opener="New secret key"
        title="New secret key"
        schema={createSecretKeyRequestSchema}
        defaultValues={{ projectId, name: "", scopes: ["read"], days: 365 }}
        action={keys.createSecretKey.mutationOptions()}
        label="Create secret key"
        done="The secret key was created."
        onDone={({ key }) => setCreated(key)}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="name"
              label="Name"
              hint="Optional. Tells this key from others."
            />
            <fieldset>
              <legend>Scopes</legend>
              <label className="check">
                <input
                  type="checkbox"
                  value="read"
                  {...form.register("scopes")}
                />
                Read the project
              </label>
              <label className="check">
                <input
                  type="checkbox"
                  value="write"
                  {...form.register("scopes")}
                />
                Change the project
              </label>
              <p className="field-error" role="alert">
                {form.formState.errors.scopes?.message}
              </p>
            </fieldset>
            <TextField
              form={form}
              name="days"
              label="Valid for"
              hint="In days."
              type="number"
              read={Number}
            />
          </>
        )}
      </FormDialog>
      <ShownOnce
        what="secret key"
        text={created}
        onClose={() => setCreated(null)}
      />
    </>
  );
}

function nameOf({ name, ending }: Revocable): string {
  if (name !== "") return name;
  return ending === "" ? "unnamed key" : `key …${ending}`;
}

function KeyName(key: Revocable) {
  const { name, ending } = key;
  return (
    <>
      <span className="strong">{nameOf(key)}</span>
      {name !== "" && ending !== "" && (
        <code className="ending"> …{ending}</code>
      )}
    </>
  );
}

function AccessKeyState({ revokedAt }: Revocable) {
  return revokedAt === undefined ? (
    <Badge tone="good">Valid</Badge>
  ) : (
    <Badge tone="bad">Revoked</Badge>
  );
}

function SecretKeyState(key: SecretKey) {
  const hasExpired = new Date(key.expiresAt).getTime() < Date.now();
  return key.revokedAt === undefined && hasExpired ? (
    <Badge tone="busy">Expired</Badge>
  ) : (
    <AccessKeyState {...key} />
  );
}
