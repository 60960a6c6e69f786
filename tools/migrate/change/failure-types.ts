/** Types of the outcome of a call, for the files that clients write. */
export const failureTypes = `interface Status {
  readonly ok: boolean;
  readonly status: number;
}

/** The body of an error, or the error itself if the contract has no bodies. */
type ErrorOf<Failure> = [BodyOf<Failure>] extends [never]
  ? Failure
  : BodyOf<Failure>;

type BodyOf<Failure> = Failure extends { readonly data: infer Body }
  ? NonNullable<Body>
  : never;

interface Failed {
  readonly status: number;
  readonly data?: unknown;
}
`;
