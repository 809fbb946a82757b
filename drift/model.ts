import { z } from "zod";
import { limits } from "./scope";

const resource = {
  address: z
    .string()
    .describe(
      "Address of the resource in the form `project/stack/Kind/name`, or `organization/project/stack/Kind/name` if several organizations of the backend have a stack of that name.",
    ),
  urn: z.string().describe("The resource's URN."),
  kind: z.string().describe("The kind of the resource, such as `Volume`."),
  name: z.string().describe("The name of the resource in its program."),
  id: z.string().describe("The id of the object."),
  title: z
    .string()
    .describe("The name by which messages refer to the object. Contains the label if the object has one."),
};

const Bucket = z
  .enum(["drift", "accepted", "ignored"])
  .describe(
    "Only `drift` fails a check. `accepted` findings are on the allow-list or in the baseline. `ignored` findings concern inputs that the program does not manage.",
  );

const Finding = z
  .strictObject({
    ...resource,
    bucket: Bucket,
    type: z
      .enum(["changed", "deleted"])
      .describe("Whether the object differs from the state (`changed`) or does not exist (`deleted`)."),
    path: z.string().optional().describe("The input that differs, as a JSON pointer: `/rules/inbound/0/ports`."),
    expected: z
      .string()
      .optional()
      .describe("The value in state, as JSON; absent if it is not set there. Secrets are hidden."),
    actual: z
      .string()
      .optional()
      .describe("The value in the account, as JSON; absent if it is not set there. Secrets are hidden."),
    reason: z
      .string()
      .optional()
      .describe(
        "Why the finding is accepted or ignored, why the service cannot undo the change or deletes the object to undo it, or why its entry in the allow-list is not used.",
      ),
    children: z
      .array(z.string())
      .optional()
      .describe(
        "Addresses (`project/stack/Kind/name`) of the resources whose objects were deleted together with the object of this finding, such as the records of a deleted domain.",
      ),
    allow: z.string().describe("The entry that accepts the finding, as a line of YAML to add to the allow-list."),
  })
  .describe("A difference between the state of a stack and the account.");

const Unread = z
  .strictObject({
    kind: z.string().describe("The kind of the resources that were not checked."),
    reason: z.string().describe("Why the resources were not checked."),
    resources: z
      .array(z.string())
      .describe("Addresses (`project/stack/Kind/name`) of the resources that were not checked."),
  })
  .describe("Resources that were not checked, or a list of the account that could not be read (without resources).");

const NotCompared = z
  .strictObject({
    address: z.string().describe("Address of the resource: `project/stack/Kind/name`."),
    secret: z.array(z.string()).describe("Inputs that are encrypted in state, which the check does not decrypt."),
    notReturned: z.array(z.string()).describe("Inputs that cannot be compared because the API does not return them."),
  })
  .describe("Inputs of a resource that were not compared.");

const Coverage = z
  .strictObject({
    resources: z
      .int()
      .describe("Number of this provider's resources in the stacks, of the kinds that the check covers."),
    checked: z.int().describe("Number of resources that were compared with the account."),
    notCompared: z.array(NotCompared).describe("Inputs that were not compared."),
  })
  .describe("Extent of the check: how many resources it compared, and which inputs it did not compare.");

const UnmanagedObject = z
  .strictObject({
    kind: z
      .string()
      .describe(
        "The kind of resource that could manage the object, such as `Volume`; if several kinds could, the first.",
      ),
    id: z.string().describe("The id of the object."),
    title: z.string().describe("The name by which messages refer to the object."),
    region: z.string().optional().describe("The region of the object."),
    on: z
      .array(z.string())
      .optional()
      .describe("The objects that the object belongs to or is attached to, as `Kind/id`."),
    adopt: z
      .string()
      .describe(
        "The command that brings the object into a stack: `npx cloudinfra adopt`, or `pulumi import` if all checked stacks use the native plugin.",
      ),
  })
  .describe("An object that no checked stack manages.");

const Unmanaged = z
  .strictObject({
    managed: z.int().describe("Number of objects that the API lists and that the checked stacks manage."),
    percent: z.number().describe("Percentage of the objects listed by the API that the checked stacks manage."),
    objects: z.array(UnmanagedObject).describe("The objects that no checked stack manages."),
  })
  .describe("Objects in the account that no checked stack manages.");

const AccountObject = z
  .strictObject({
    address: z.string().optional().describe("Address of the resource; absent for an object that no stack manages."),
    kind: z.string().describe("The kind of resource, such as `Volume`."),
    id: z.string().describe("The id of the object; empty if it could not be read."),
    title: z.string().describe("The name by which messages refer to the object."),
    region: z.string().optional().describe("The region of the object."),
    status: z
      .enum(["unchanged", "drift", "accepted", "deleted", "unmanaged", "unread"])
      .describe("The result of the check for the object. `unread` means that the object could not be read."),
    on: z
      .array(z.string())
      .optional()
      .describe("The objects that the object belongs to or is attached to, as `Kind/id`."),
  })
  .describe("An object of the account.");

const ProgramChange = z
  .strictObject({
    address: z.string().describe("Address of the resource: `project/stack/Kind/name`."),
    operation: z
      .string()
      .describe("The change that the next `pulumi up` would make: `create`, `update`, `replace` or `delete`."),
    inputs: z.array(z.string()).describe("The inputs that differ, with their names in the program."),
  })
  .describe("A change of the program that is not applied yet: a difference between the program and the state.");

const CheckedStack = z
  .strictObject({
    name: z
      .string()
      .describe("`project/stack`, or `organization/project/stack` if several organizations have a stack of that name."),
    resources: z
      .int()
      .describe("Number of this provider's resources in the stack, of the kinds that the check covers."),
    foreign: z.int().describe("Number of resources of other providers, which are not checked."),
  })
  .describe("A stack that was checked.");

const Failure = z
  .strictObject({
    stack: z
      .string()
      .describe("`project/stack`, or `organization/project/stack` if several organizations have a stack of that name."),
    reason: z.string().describe("Why the stack could not be checked."),
    resources: z
      .int()
      .describe(
        "Number of its resources that were not checked for this reason. 0 if its state could not be read, if they were checked with the token of another stack, or if the check covers none of them.",
      ),
    exitCode: z
      .union([z.literal(1), z.literal(4), z.literal(5)])
      .describe("Exit code for this failure: 4 if the token was rejected, 5 if the service was not reached, else 1."),
  })
  .describe("A stack of a backend that could not be checked.");

/** The result of a drift check. */
export const DriftReport = z
  .strictObject({
    schemaVersion: z.literal(1).describe("Version of the format of the report."),
    checkedAt: z.string().describe("When the check began, in UTC."),
    stacks: z.array(CheckedStack).describe("The stacks that were checked."),
    ...limits,
    findings: z.array(Finding).describe("Differences between state and account, sorted by address and path."),
    unread: z.array(Unread).describe("Resources that were not checked, grouped by kind and reason."),
    failures: z
      .array(Failure)
      .optional()
      .describe("Stacks that could not be checked. Only in checks of all stacks of a backend."),
    coverage: Coverage,
    unmanaged: Unmanaged.optional(),
    program: z.array(ProgramChange).optional().describe("Changes of the programs that are not applied yet."),
    objects: z
      .array(AccountObject)
      .describe("All objects of the report: those of the stacks, and those that only the account has."),
    notes: z.array(z.string()).describe("Notes for the reader, such as entries of the allow-list that match nothing."),
  })
  .describe("The report of a drift check.");

export type Bucket = z.output<typeof Bucket>;
export type Finding = z.output<typeof Finding>;
export type AccountObject = z.output<typeof AccountObject>;
export type ProgramChange = z.output<typeof ProgramChange>;
export type UnmanagedObject = z.output<typeof UnmanagedObject>;
export type NotCompared = z.output<typeof NotCompared>;
export type Failure = z.output<typeof Failure>;
export type DriftReport = z.output<typeof DriftReport>;

export const inBucket = ({ findings }: Pick<DriftReport, "findings">, bucket: Bucket): Finding[] =>
  findings.filter((finding) => finding.bucket === bucket);

/**
 * Identifies the resource of a finding. Children of two components can have one address, and stacks of two organizations
 * can have resources with one URN.
 */
export const resourceKey = ({ address, urn }: Finding): string => `${address} ${urn}`;

/** Exit codes of a report, from the best to the worst. A stack that could not be checked is worse than drift. */
const exitCodes = [0, 3, 2, 5, 4, 1] as const;

export type ExitCode = (typeof exitCodes)[number];

/**
 * The exit code for a report: 2 if there is drift, 3 if some resources could not be checked, else 0. In a check of all
 * stacks, it is the worst one: that of a stack that could not be checked, if there is one.
 */
export function exitCodeOf({
  findings,
  unread,
  failures = [],
}: Pick<DriftReport, "findings" | "unread" | "failures">): ExitCode {
  const own: ExitCode = inBucket({ findings }, "drift").length ? 2 : unread.length ? 3 : 0;
  const worst = Math.max(...[own, ...failures.map(({ exitCode }) => exitCode)].map((code) => exitCodes.indexOf(code)));
  return exitCodes[worst] ?? 1;
}
