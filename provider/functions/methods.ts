import { fieldsOf, pathNames } from "../../api";
import type { Kind } from "../engine/definition";
import { idParts, viewOf } from "../engine/identity";
import { functions, type ReadFunction } from "./functions";

/** A function that needs only the id of an object, as a method of the object's kind. */
export interface Method {
  name: string;
  called: ReadFunction;
  /** The argument that holds the id. */
  id: string;
}

/** The methods of a kind: `getLkeKubeconfig` of the functions is `getKubeconfig` of an LkeCluster. */
export function methodsOf(kind: Kind): Method[] {
  const [id, ...more] = Object.keys(idParts(kind));
  const view = viewOf(kind.identity.area);
  if (!id || more.length || !view || pathNames(view.path).join() !== id) return [];
  return functions
    .filter(({ operation, inputs }) => {
      const names = Object.keys(fieldsOf(inputs));
      return operation.path.startsWith(`${view.path}/`) && names.length === 1 && names[0] === id;
    })
    .map((called) => ({ name: nameOf(kind, called), called, id }));
}

/** The function's name without the words that it shares with the kind's. */
function nameOf(kind: Kind, { name }: ReadFunction): string {
  const [verb = "", ...words] = name.split(/(?=[A-Z])/);
  const own = kind.name.split(/(?=[A-Z])/);
  return [verb, ...words.slice(words.findIndex((word, i) => word !== own[i]))].join("");
}
