import { DynamicProvider } from "./dynamic/provider";
import { formerNames } from "./pulumi/handle";
import { kinds } from "./resources";

/**
 * The dynamic provider of each resource class, by name. The code in a resource's state loads it with
 * `require(…).Volume`.
 */
const providers = Object.fromEntries(
  Object.entries(kinds).flatMap(([name, kind]) => {
    const provider = new DynamicProvider(kind);
    const former = formerNames[name];
    return [[name, provider], ...(former ? [[former, provider]] : [])];
  }),
);

export = providers;
