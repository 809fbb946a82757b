import { DynamicProvider } from "./heads/dynamic";
import { kinds } from "./resources";

/** What the engine loads for each kind, by name: the line in a resource's state reads `require(…).Volume`. */
const providers = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, new DynamicProvider(kind)]));

export = providers;
