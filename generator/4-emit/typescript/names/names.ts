import type {
  Credential,
  Host,
  Method,
  Service,
} from "../../../ir/contract.js";
import type { NamePool } from "../../names/name-pool.js";

/** TypeScript names that belong to a host (an entry document). */
export interface HostNames {
  /** Folder in an output of several hosts, e.g. `marketplace`. */
  readonly folder: string;
  /** Type of the credentials, e.g. `ApiCredentials`. */
  readonly credentials: string;
  /** Type of the client's options, e.g. `ApiHostOptions`. */
  readonly options: string;
  /** Type of the client, e.g. `ApiHostClient`. */
  readonly client: string;
  /** Function that creates the client, e.g. `createApiHostClient`. */
  readonly createClient: string;
  /** Type of the server's options, e.g. `ApiServerOptions`. */
  readonly serverOptions: string;
  /** Function that creates the server, e.g. `createApiServer`. */
  readonly createServer: string;
  /** Constant with the checks of responses, e.g. `apiResponseChecks`. */
  readonly responseChecks: string;
  /**
   * Function that creates Model Context Protocol tools, e.g. `createApiTools`.
   */
  readonly createTools: string;
  /** Function that creates mock handlers, e.g. `createApiMocks`. */
  readonly createMocks: string;
}

/** TypeScript names that belong to a service. */
export interface ServiceNames {
  /** Key in host and platform clients and in `handlers`, e.g. `api`. */
  readonly property: string;
  /** Type of the service's client, e.g. `APIClient`. */
  readonly client: string;
  /** Function that creates the client, e.g. `createAPIClient`. */
  readonly createClient: string;
  /** Type of the handler, e.g. `APIHandler`. */
  readonly handler: string;
  /** Type of an outbound service's sender, e.g. `IndexerWebhookSender`. */
  readonly sender: string;
  /** Function that creates the sender, e.g. `createIndexerWebhookSender`. */
  readonly createSender: string;
  /** Type of the receiver's options, e.g. `IndexerWebhookReceiverOptions`. */
  readonly receiverOptions: string;
  /**
   * Function that creates the receiver of an outbound service, e.g.
   * `createIndexerWebhookReceiver`.
   */
  readonly createReceiver: string;
  /** Type of the queries for TanStack Query, e.g. `APIQueries`. */
  readonly queries: string;
  /** Function that creates the queries, e.g. `createAPIQueries`. */
  readonly createQueries: string;
}

/** TypeScript names that belong to a method. */
export interface MethodNames {
  /** Key in client and handler, e.g. `getSwapPrice`. */
  readonly property: string;
  /** Constant that describes it to the client, e.g. `apiGetSwapPrice`. */
  readonly constant: string;
  /** Type of the request: the struct's, or `GetSwapPriceRequest`. */
  readonly request: string;
  /** Type of the response: the struct's, or `GetSwapPriceResponse`. */
  readonly response: string;
  /** Union of its errors, e.g. `GetSwapPriceError`. */
  readonly error: string;
}

/** Names that belong to a credential. */
export interface CredentialNames {
  /** Property of the options of a client, e.g. `accessKey`. */
  readonly property: string;
  /** Constant that describes it to the client. It is not exported. */
  readonly constant: string;
  /** Property of the options of a server, e.g. `verifyAccessKey`. */
  readonly verify: string;
}

/** Names of the platform client of a contract with several hosts. */
export type PlatformNames = Pick<
  HostNames,
  "options" | "credentials" | "client" | "createClient"
>;

/**
 * Every name that generated TypeScript uses. All names are chosen before
 * anything is printed, so emitters need not check for clashes.
 */
export interface Names {
  /** Returns the name of a declared type by its name in RIDL. */
  type(name: string): string;
  /** Returns the name of a type's Standard Schema, e.g. `orderSchema`. */
  schema(type: string): string;
  /** Returns the class of a declared or built-in error by its name in RIDL. */
  errorClass(name: string): string;
  /** Union of all declared errors: `ContractError`. */
  readonly contractError: string;
  host(host: Host): HostNames;
  service(service: Service): ServiceNames;
  method(method: Method): MethodNames;
  /**
   * Returns the constant that describes how a method returns pages, e.g.
   * `shopListOrdersPaging`.
   */
  paging(method: Method): string;
  credential(credential: Credential): CredentialNames;
  readonly platform: PlatformNames;
  /**
   * Returns the local name of an import from the runtime. If the host uses the
   * name, this is `RuntimeCall` instead of `Call`, for example.
   */
  imported(name: string, host?: Host | null): string;
  /**
   * Creates the scope of a file's local names. See {@link NamePool.claim}. The
   * names do not clash with exported names of the host, or of any host if none
   * is given.
   */
  fileScope(host?: Host | null): NamePool;
  /** Whether any name was changed because another had the preferred one. */
  readonly hasClashes: boolean;
  /** Names shared by methods of several services, in Pascal case. */
  readonly repeated: readonly string[];
}
