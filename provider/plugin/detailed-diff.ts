import { unescapePathComponent } from "fast-json-patch";
import { isObject } from "../../api";
import { type Difference, differencesAt, isEqual, onlyDeclared } from "../engine/comparison";
import { inputSchema, type Kind } from "../engine/definition";
import type { Diff } from "../engine/diff";
import { type Bag, valueAt } from "../engine/values";
import { propertyName, toProgramNames } from "../pulumi/properties";
import { propertyPath } from "../pulumi/property-path";

/** A difference between the program and the object, with the path as Pulumi writes it. */
export interface Detail {
  /** Path as Pulumi writes it, such as `rules.inbound[0].ports`. */
  path: string;
  change: Difference["change"];
  replaces: boolean;
  /** Whether the program's inputs have changed at this path. Otherwise, the object was changed outside Pulumi. */
  isInput: boolean;
}

/** The differences between the program and the object, for Pulumi's display. */
export function detailsOf(
  kind: Kind,
  { changed, replaces }: Pick<Diff, "changed" | "replaces">,
  { state, want, oldInputs }: { state: Bag; want: Bag; oldInputs: Bag },
): Detail[] {
  const [inputs, next] = [toProgramNames(kind, oldInputs), toProgramNames(kind, want)];
  return changed.flatMap((key) => {
    const name = propertyName(kind, key);
    const observed = onlyDeclared(inputSchema(kind, key), state[key], want[key]);
    const differences = differencesAt(name, toProgramNames(kind, { [key]: observed })[name], next[name]);
    // An input can differ from the object although both values look equal, because another input decides which values
    // are equivalent and has changed. The whole input is then reported.
    const shown = differences.length ? differences : [{ path: `/${name}`, change: "replace" as const }];
    return shown.map(({ path, change }) => {
      const keys = path.split("/").slice(1).map(unescapePathComponent);
      const isInput = !isEqual(valueAt(inputs, keys), valueAt(next, keys));
      return {
        path: pulumiPath(keys, [next, toProgramNames(kind, state)]),
        change,
        replaces: replaces.includes(key),
        isInput,
      };
    });
  });
}

/** Converts a JSON pointer to a path as Pulumi writes it. The values show whether a key of the pointer is an index. */
function pulumiPath(keys: readonly string[], values: readonly Bag[]): string {
  const isIndex = (i: number): boolean => {
    const parent = values.map((value) => valueAt(value, keys.slice(0, i)));
    return parent.some(Array.isArray) && !parent.some(isObject);
  };
  return propertyPath(keys.map((key, i) => (isIndex(i) ? Number(key) : key)));
}
