import {
  addWalletLinkRequestSchema,
  listWalletLinksRequestSchema,
} from "../../generated/schemas.js";
import type {
  ListWalletLinksResponse,
  WalletLink,
} from "../../generated/types.js";
import { wallets } from "../api/console-api.js";
import { Chain } from "../parts/amount.js";
import { ChainField } from "../parts/chain-field.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { Copyable } from "../parts/copyable.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Page } from "../parts/page.js";
import { SearchField, useSearch } from "../parts/filters.js";
import { optionalText, TextField } from "../parts/text-field.js";
import { withChecksums } from "../api/typed-addresses.js";
import { createdColumn } from "../tables/columns.js";
import type { Column } from "../tables/data-table.js";
import { PagedTable } from "../tables/paged-table.js";

/** The page for links between wallets. The links do not belong to a project. */
export function WalletLinks() {
  const search = useSearch("wallet");
  const { text: wallet } = search;
  const request = wallet === "" ? {} : { walletAddress: wallet };
  const checked = withChecksums(listWalletLinksRequestSchema)[
    "~standard"
  ].validate(request);
  return (
    <div className="wide">
      <Page
        title="Wallet links"
        about="Links from a parent wallet to other wallets, which the API service returns. Links do not belong to a project."
        actions={<NewWalletLink />}
      >
        <SearchField
          isCode
          label="Find links of a wallet"
          placeholder="Wallet address"
          search={search}
        />
        <PagedTable
          label="Wallet links"
          list={wallets.listWalletLinks.infiniteQueryOptions(request)}
          rowsOf={(page: ListWalletLinksResponse) => page.walletLinks}
          issues={checked.issues}
          rowKey={({ id }) => `${id}`}
          columns={columns}
          empty={
            wallet === ""
              ? "No wallets are linked yet."
              : "This wallet has no links."
          }
        />
      </Page>
    </div>
  );
}

const columns: readonly Column<WalletLink>[] = [
  {
    name: "Parent",
    cell: ({ walletAddress }) => (
      <Copyable isShort text={walletAddress} name="parent address" />
    ),
  },
  {
    name: "Linked wallet",
    cell: ({ linkedWalletAddress }) => (
      <Copyable isShort text={linkedWalletAddress} name="linked address" />
    ),
  },
  {
    name: "Chain",
    cell: ({ chainId }) =>
      chainId === undefined ? (
        <span className="quiet">any</span>
      ) : (
        <Chain id={chainId} />
      ),
  },
  {
    name: "Kind",
    cell: ({ walletType = "" }) =>
      walletType || <span className="quiet">not given</span>,
  },
  createdColumn,
  {
    name: "Actions",
    isActions: true,
    cell: ({ id, linkedWalletAddress }) => (
      <ConfirmAction
        label="Remove"
        name={`link to ${linkedWalletAddress}`}
        title="Remove this link?"
        action={wallets.removeWalletLink.mutationOptions()}
        request={{ id }}
        done={() => "The link was removed."}
      >
        <p>
          The API service will no longer return{" "}
          <code>{linkedWalletAddress}</code> for its parent.
        </p>
      </ConfirmAction>
    ),
  },
];

function NewWalletLink() {
  return (
    <FormDialog
      opener="New link"
      look="primary"
      title="New wallet link"
      about="Only link wallets if both owners have agreed."
      schema={addWalletLinkRequestSchema}
      defaultValues={{ walletAddress: "", linkedWalletAddress: "" }}
      action={wallets.addWalletLink.mutationOptions()}
      label="Create link"
      done="The wallets are linked."
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="walletAddress"
            label="Parent address"
            className="code"
          />
          <TextField
            form={form}
            name="linkedWalletAddress"
            label="Linked address"
            className="code"
          />
          <ChainField
            form={form}
            name="chainId"
            none="None: the parent is a plain account"
          />
          <TextField
            form={form}
            name="walletType"
            label="Kind of the linked wallet"
            hint="Optional, for example EOA."
            read={optionalText}
          />
        </>
      )}
    </FormDialog>
  );
}
