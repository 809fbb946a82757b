import { status } from "@grpc/grpc-js";
import { didYouMean, ownProperty } from "../../api";
import type { Kind } from "../engine/definition";
import { kinds } from "../resources";
import { ProtocolError } from "./failure";

/**
 * The name in a token of this package: `Volume` in `cloudinfra:index:Volume`. Programs may omit the module `index`.
 */
export function nameIn(token: string): string {
  const [, name] = /^cloudinfra:(?:index:)?(\w+)$/.exec(token) ?? [];
  if (!name) throw new ProtocolError(status.INVALID_ARGUMENT, `${token || "an empty type"} is not of this package`);
  return name;
}

export function kindOf(type: string): Kind {
  const name = nameIn(type);
  const kind = ownProperty<Kind>(kinds, name);
  if (kind) return kind;
  const meant = didYouMean(name, Object.keys(kinds));
  throw new ProtocolError(status.INVALID_ARGUMENT, `${type} is not a resource of this package${meant}`);
}
