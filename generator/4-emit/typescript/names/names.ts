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
  /** `ApiCredentials`. */
  readonly credentials: string;
  /** `ApiHostOptions`. */
  readonly options: string;
  /** `ApiHostClient`. */
  readonly client: string;
  /** `createApiHostClient`. */
  readonly createClient: string;
  /** `ApiServerOptions`. */
  readonly serverOptions: string;
  /** `createApiServer`. */
  readonly createServer: string;
  /** `apiResponseChecks`. */
  readonly responseChecks: string;
  /** `createApiTools`, for the Model Context Protocol. */
  readonly createTools: string;
  /** `createApiMocks`. */
  readonly createMocks: string;
}

/** TypeScript names that belong to a service. */
export interface ServiceNames {
  /** Key in host and platform clients and in `handlers`, e.g. `api`. */
  readonly property: string;
  /** `APIClient`. */
  readonly client: string;
  /** `createAPIClient`. */
  readonly createClient: string;
  /** `APIHandler`. */
  readonly handler: string;
  /** `IndexerWebhookSender`, for outbound services. */
  readonly sender: string;
  /** `createIndexerWebhookSender`, for outbound services. */
  readonly createSender: string;
  /** `IndexerWebhookReceiverOptions`, for outbound services. */
  readonly receiverOptions: string;
  /** `createIndexerWebhookReceiver`, for outbound services. */
  readonly createReceiver: string;
  /** `APIQueries`, for TanStack Query. */
  readonly queries: string;
  /** `createAPIQueries`, for TanStack Query. */
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
export interface PlatformNames {
  readonly options: string;
  readonly credentials: string;
  readonly client: string;
  readonly createClient: string;
}

/**
 * Every name that generated TypeScript uses for a contract. All names are
 * chosen before anything is printed, so emitters do not need to check for
 * clashes.
 */
export interface Names {
  /**
   * Returns the type of a declared struct, enum or alias by its name in RIDL.
   */
  type(name: string): string;
  /**
   * Returns the Standard Schema of a struct or message by the name of its type:
   * `orderSchema`.
   */
  schema(type: string): string;
  /** Returns the class of a declared or built-in error by its name in RIDL. */
  errorClass(name: string): string;
  /** Union of all declared errors: `ContractError`. */
  readonly contractError: string;
  host(host: Host): HostNames;
  service(service: Service): ServiceNames;
  method(method: Method): MethodNames;
  credential(credential: Credential): CredentialNames;
  readonly platform: PlatformNames;
  /**
   * Returns the local name of an import from the runtime. If the name is taken
   * in the files of the host, or of any host if none is given, the result is,
   * for example, `RuntimeCall` instead of `Call`.
   */
  imported(name: string, host?: Host | null): string;
  /**
   * Creates the scope of a file's local names. See {@link NamePool.claim}. They
   * do not clash with exported names of the host, or of any host if none is
   * given.
   */
  fileScope(host?: Host | null): NamePool;
  /** Whether any name was changed because another had the preferred one. */
  readonly hasClashes: boolean;
  /** Names shared by methods of several services, in Pascal case. */
  readonly repeated: readonly string[];
}
