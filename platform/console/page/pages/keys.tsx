import type { ReactNode } from "react";
import type {
  AccessKey,
  ListAccessKeysResponse,
  ListSecretKeysResponse,
  SecretKey,
} from "../../generated/types.js";
import {
  rollAccessKeyRequestSchema,
  rollSecretKeyRequestSchema,
} from "../../generated/schemas.js";
import { keys } from "../api/console-api.js";
import type { Action } from "../parts/action-form.js";
import { Badge } from "../parts/badge.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { Moment } from "../parts/moment.js";
import { Page, type ProjectProps, Section } from "../parts/page.js";
import { createdColumn } from "../tables/columns.js";
import { PagedTable, type PagedTableProps } from "../tables/paged-table.js";
import { NewAccessKey, NewSecretKey, RollKey } from "./new-key.js";

type AnyKey = AccessKey | SecretKey;

/** The page for a project's access keys and secret keys. */
export function Keys({ projectId }: ProjectProps) {
  return (
    <Page
      title="Keys"
      about="Programs use keys to call the platform. A new key is shown only once, so copy it right away."
    >
      <AccessKeys projectId={projectId} />
      <SecretKeys projectId={projectId} />
    </Page>
  );
}

function AccessKeys({ projectId }: ProjectProps) {
  return (
    <Section
      title="Access keys"
      about="Public. Web pages and apps send an access key as X-Access-Key. It identifies the project but does not authenticate the caller."
      actions={<NewAccessKey projectId={projectId} />}
    >
      <KeyTable
        what="access key"
        list={keys.listAccessKeys.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListAccessKeysResponse) => page.accessKeys}
        columns={[{ name: "State", cell: (key) => <KeyState {...key} /> }]}
        roll={(key) => (
          <RollKey
            {...describeRoll(key)}
            what="access key"
            schema={rollAccessKeyRequestSchema}
            action={keys.rollAccessKey.mutationOptions()}
          />
        )}
        revoke={keys.revokeAccessKey.mutationOptions()}
        warning="Calls with this key will fail as soon as it is revoked. A revoked key cannot be restored."
      />
    </Section>
  );
}

function SecretKeys({ projectId }: ProjectProps) {
  return (
    <Section
      title="Secret keys"
      about="Keep them on your servers. The scopes of a secret key limit what it can do."
      actions={<NewSecretKey projectId={projectId} />}
    >
      <KeyTable
        what="secret key"
        list={keys.listSecretKeys.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListSecretKeysResponse) => page.secretKeys}
        columns={[
          { name: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
          { name: "State", cell: (key) => <KeyState {...key} /> },
          {
            name: "Expires",
            cell: ({ expiresAt }) => <Moment at={expiresAt} />,
          },
        ]}
        roll={(key) => (
          <RollKey
            {...describeRoll(key)}
            what="secret key"
            schema={rollSecretKeyRequestSchema}
            action={keys.rollSecretKey.mutationOptions()}
          />
        )}
        revoke={keys.revokeSecretKey.mutationOptions()}
        warning="Calls from servers with this key will fail as soon as it is revoked. A revoked key cannot be restored."
      />
    </Section>
  );
}

function KeyTable<Response, Place, Key extends AnyKey>({
  what,
  columns,
  roll,
  revoke,
  warning,
  ...table
}: Pick<
  PagedTableProps<Response, Place, Key>,
  // The columns are additional ones for this kind of key.
  "columns" | "list" | "rowsOf"
> & {
  /** The kind of key, e.g. `secret key`. */
  readonly what: string;
  readonly roll: (key: Key) => ReactNode;
  readonly revoke: Action<Pick<Key, "id" | "projectId">, unknown>;
  readonly warning: ReactNode;
}) {
  return (
    <PagedTable
      {...table}
      label={`${what.charAt(0).toUpperCase()}${what.slice(1)}s`}
      rowKey={({ id }) => `${id}`}
      columns={[
        { name: "Name", cell: (key) => <KeyName {...key} /> },
        ...columns,
        {
          name: "Last used",
          cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
        },
        createdColumn,
        {
          name: "Actions",
          isActions: true,
          cell: (key) =>
            key.revokedAt === undefined && (
              <>
                {roll(key)}
                <ConfirmAction
                  label="Revoke"
                  name={nameOf(key)}
                  title={`Revoke ${nameOf(key)}?`}
                  action={revoke}
                  request={{ projectId: key.projectId, id: key.id }}
                  done={() => `The ${what} was revoked.`}
                >
                  <p>{warning}</p>
                </ConfirmAction>
              </>
            ),
        },
      ]}
      empty={`This project has no ${what}s yet.`}
    />
  );
}

function describeRoll<Id>(key: AnyKey & { readonly id: Id }) {
  const { id, projectId } = key;
  return {
    name: nameOf(key),
    overlap: "overlapHours" as const,
    defaultValues: { projectId, id, overlapHours: 24 },
  };
}

function nameOf({ name, ending }: Pick<AnyKey, "name" | "ending">): string {
  if (name !== "") return name;
  return ending === "" ? "unnamed key" : `key …${ending}`;
}

function KeyName(key: AnyKey) {
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

function KeyState(key: AnyKey) {
  if (key.revokedAt !== undefined) return <Badge tone="bad" name="Revoked" />;
  const expiresAt = "expiresAt" in key ? key.expiresAt : undefined;
  const ends = [expiresAt, key.endsAt].flatMap((at) =>
    at === undefined ? [] : [new Date(at).getTime()],
  );
  if (Math.min(...ends) < Date.now())
    return <Badge tone="busy" name="Expired" />;
  return key.endsAt !== undefined ? (
    <>
      <Badge tone="busy" name="Replaced" /> until <Moment at={key.endsAt} />
    </>
  ) : (
    <Badge tone="good" name="Valid" />
  );
}
