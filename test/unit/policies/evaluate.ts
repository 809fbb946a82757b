import { createRequire } from "node:module";
import type {
  PolicyResource,
  PolicyResourceOptions,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";
import { nativeTypeOf, typeOf } from "../../../provider/pulumi/handle";

/** The part of @pulumi/policy that represents unknown values. The package does not export its types. */
const { unknownCheckingProxy, unknownStringValue } = createRequire(__filename)("@pulumi/policy/proxy") as {
  unknownCheckingProxy<T>(props: T): T;
  unknownStringValue: string;
};

/** A value that is known only after the update. */
export const unknown = unknownStringValue;

/** The resource types of a kind: of the native plugin and of dynamic resources. */
export const typesOf = (kind: string): [provider: string, type: string][] => [
  ["native", nativeTypeOf(kind)],
  ["dynamic", typeOf(kind)],
];

/** The result of a policy: its violations, and the path of the unknown value that it needs to decide. */
export interface Verdict {
  violations: string[];
  undecided?: string;
}

export interface Declared {
  type?: string;
  props: Record<string, unknown>;
  protect?: boolean;
  config?: object | undefined;
  /** The settings of the provider, some of which a preview may not know. */
  settings?: Record<string, unknown> | undefined;
}

const options = (protect = false): PolicyResourceOptions => ({
  protect,
  ignoreChanges: [],
  aliases: [],
  customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
  additionalSecretOutputs: [],
});

class NotApplicable extends Error {}
const notApplicable = (): never => {
  throw new NotApplicable();
};

/** The arguments with which Pulumi calls a policy for the resource `web` of the given kind. */
export const argsOf = (
  kind: string,
  { type = nativeTypeOf(kind), props, protect, config = {}, settings = {} }: Declared,
) => ({
  type,
  props: unknownCheckingProxy(props),
  urn: `urn:pulumi:test::test::${type}::web`,
  name: "web",
  opts: options(protect),
  provider: {
    type: "pulumi:providers:cloudinfra",
    props: unknownCheckingProxy(settings),
    urn: "urn:pulumi:test::test::pulumi:providers:cloudinfra::account",
    name: "account",
  },
  stackTags: new Map<string, string>(),
  isType: () => false,
  asType: () => undefined,
  // The caller of getConfig names the type of the configuration.
  getConfig: <T extends object>() => config as T,
  notApplicable,
});

type Check = (args: ResourceValidationArgs, report: (message: string) => void) => unknown;

/** Evaluates a policy for the resource `web` of the given kind, as Pulumi does. */
export function evaluate(policy: ResourceValidationPolicy, kind: string, declared: Declared): Verdict {
  // Each policy of the pack has one synchronous function.
  const validate = policy.validateResource as Check;
  return verdictOf((report) => validate(argsOf(kind, declared), report));
}

export interface StackMember {
  kind: string;
  name: string;
  props?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  /** For each property, the names of the resources on whose outputs it depends. */
  uses?: Record<string, string[]>;
}

/** Evaluates a policy for a stack, as Pulumi does. */
export function evaluateStack(policy: StackValidationPolicy, members: StackMember[], config: object = {}): Verdict {
  const resources = members.map(
    ({ kind, name, props = {}, settings }): PolicyResource => ({
      ...argsOf(kind, { props, settings }),
      name,
      urn: `urn:${name}`,
      dependencies: [],
      propertyDependencies: {},
    }),
  );
  members.forEach(({ uses = {} }, index) => {
    for (const [property, names] of Object.entries(uses)) {
      const used = resources.filter(({ name }) => names.includes(name));
      Object.assign(resources[index]?.propertyDependencies ?? {}, { [property]: used });
    }
  });
  return verdictOf((report) =>
    policy.validateStack(
      {
        resources,
        stackTags: new Map(),
        getConfig: <T extends object>() => config as T,
        notApplicable,
      },
      report,
    ),
  );
}

function verdictOf(run: (report: (message: string | object) => void) => unknown): Verdict {
  const violations: string[] = [];
  try {
    run((message) => violations.push(String(message)));
  } catch (error) {
    if (error instanceof NotApplicable) return { violations };
    const [, undecided] = /value at (\S+) can't be known during preview/.exec(String(error)) ?? [];
    if (undecided === undefined) throw error;
    return { violations, undecided };
  }
  return { violations };
}
