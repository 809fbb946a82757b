import { DynamicProvider } from "./heads/dynamic";
import { formerNames } from "./heads/handle";
import { kinds } from "./resources";

/** The provider that the engine loads for each kind, by name: the line in a resource's state reads `require(…).Volume`. */
const providers = Object.fromEntries(
  Object.entries(kinds).flatMap(([name, kind]) => {
    const provider = new DynamicProvider(kind);
    const former = formerNames[name];
    return [[name, provider], ...(former ? [[former, provider]] : [])];
  }),
);

export = providers;
