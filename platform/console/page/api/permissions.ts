import { useQuery, type QueryKey } from "@tanstack/react-query";
import { sessionQuery } from "./query-client.js";

/**
 * Returns a function that tells whether the operator's role permits a method.
 *
 * Input of the function: the key of the method's generated mutation, e.g.
 * `["Projects", "createProject"]`.
 */
export function usePermissions(): (method: QueryKey) => boolean {
  const { data } = useQuery(sessionQuery);
  const denied = data?.ok === true ? data.value.session.denied : [];
  return ([service = "", name = ""]) => {
    const method = String(name);
    const capitalized = `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
    return !denied.includes(`${String(service)}/${capitalized}`);
  };
}
