// Replaces isomorphic-fetch, which swagger-codegen's client imports.
export default fetch;
