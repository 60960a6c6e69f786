import { useDeferredValue, type ChangeEvent } from "react";
import { useSearchParams } from "wouter";

/**
 * A query parameter of the address, so that users can share the current view.
 * If the parameter is empty, the address omits it.
 */
export function useSearchParam(
  name: string,
): readonly [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const setValue = (value: string): void =>
    setParams(
      (known) => {
        if (value === "") known.delete(name);
        else known.set(name, value);
        return known;
      },
      { replace: true },
    );
  return [params.get(name) ?? "", setValue];
}

/** A search term that is stored in the page's address. */
export interface Search {
  /** The trimmed search term. While the user types, it can lag behind. */
  readonly text: string;
  /** Properties of the field. */
  readonly field: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/**
 * Returns the search term of a query parameter and the properties for its
 * field.
 */
export function useSearch(name: string): Search {
  const [value, setValue] = useSearchParam(name);
  return {
    text: useDeferredValue(value.trim()),
    field: { value, onChange: ({ target }) => setValue(target.value) },
  };
}

/** A search field. */
export function SearchField({
  label,
  placeholder,
  isCode = false,
  search,
}: {
  readonly label: string;
  readonly placeholder: string;
  /** Whether users enter addresses or hashes instead of words. */
  readonly isCode?: boolean;
  readonly search: Search;
}) {
  return (
    <input
      type="search"
      className={isCode ? "search code" : "search"}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      {...search.field}
    />
  );
}

/** A choice among the names of states, stored in the page's address. */
export interface Choice<Key extends string> {
  /** The chosen key, or undefined for all entries. */
  readonly chosen: Key | undefined;
  readonly names: Readonly<Record<Key, { readonly name: string }>>;
  readonly choose: (key: string) => void;
}

/** Returns the choice of a query parameter. */
export function useChoice<Key extends string>(
  param: string,
  names: Choice<Key>["names"],
): Choice<Key> {
  const [given, choose] = useSearchParam(param);
  const isKey = (key: string): key is Key => Object.hasOwn(names, key);
  return { chosen: isKey(given) ? given : undefined, names, choose };
}

/** A field that filters a list by state. */
export function ChoiceField<Key extends string>({
  label,
  choice: { chosen, names, choose },
}: {
  readonly label: string;
  readonly choice: Choice<Key>;
}) {
  return (
    <label>
      {label}
      <select
        value={chosen ?? ""}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">All</option>
        {Object.entries<{ readonly name: string }>(names).map(
          ([key, { name }]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ),
        )}
      </select>
    </label>
  );
}

/** Fields that filter a list by state and by the ID of a request. */
export function RequestFilters<Key extends string>({
  search,
  what,
  ...choice
}: Parameters<typeof ChoiceField<Key>>[0] & {
  readonly search: Search;
  /** The kind of entry, e.g. `call`. */
  readonly what: string;
}) {
  return (
    <div className="filters">
      <ChoiceField {...choice} />
      <SearchField
        isCode
        label={`Find a ${what} by its request ID`}
        placeholder="Request ID"
        search={search}
      />
    </div>
  );
}
