import { fieldsOf, pathNames } from "../../api";
import type { Kind } from "../engine/definition";
import { hasOwnId, idParts, isAction, viewOf } from "../engine/identity";
import { functions, type ReadFunction } from "./functions";

/** A method of a resource class: a function that requires only the id of the object. */
export interface Method {
  name: string;
  fn: ReadFunction;
  /** Name of the function's argument for the id. */
  id: string;
}

/**
 * The methods of a resource class. For example, LkeCluster has the method `getKubeconfig` for the function
 * `getLkeKubeconfig`. Resource classes for actions or settings of an object have no methods: the class of that object
 * has them.
 */
export function methodsOf(kind: Kind): Method[] {
  if (isAction(kind) || !hasOwnId(kind)) return [];
  const [id, ...more] = Object.keys(idParts(kind));
  const view = viewOf(kind.identity.area);
  if (!id || more.length || !view || pathNames(view.path).join() !== id) return [];
  return functions
    .filter(({ operation, inputs }) => {
      const names = Object.keys(fieldsOf(inputs));
      return operation.path.startsWith(`${view.path}/`) && names.length === 1 && names[0] === id;
    })
    .map((fn) => ({ name: methodName(kind, fn), fn, id }));
}

/**
 * The method's name: the function's name without the words of the resource class, such as `getKubeconfig` for
 * `getLkeKubeconfig`.
 */
function methodName(kind: Kind, { name }: ReadFunction): string {
  const [verb = "", ...words] = name.split(/(?=[A-Z])/);
  const ownWords = kind.name.split(/(?=[A-Z])/);
  return [verb, ...words.slice(words.findIndex((word, i) => word !== ownWords[i]))].join("");
}
