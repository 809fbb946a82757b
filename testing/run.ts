import { existsSync, readFileSync } from "node:fs";
import { SIGNATURE } from "../provider/engine/values";

/** The engine's operation on a resource. */
export type Op = "same" | "create" | "update" | "delete" | "replace" | "read" | "refresh" | "import" | (string & {});

/** One step of the engine, performed or (in a preview) planned. */
export interface Step {
  op: Op;
  urn: string;
  /** `cloudinfra:index:Volume` or `pulumi-nodejs:dynamic/cloudinfra:Volume`. */
  type: string;
  /** The resource's name in the program. */
  name: string;
  id?: string;
  /** The changed properties, as far as the provider reports them. */
  diffs: string[];
  /** The paths at which a native provider reports a difference: `rules.inbound[0].ports`. */
  paths: string[];
  /** The properties that force a replacement. */
  replaceKeys: string[];
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  failed: boolean;
}

/** A message of the engine, of a provider or of the program. */
export interface Diagnostic {
  severity: "debug" | "info" | "info#err" | "warning" | "error";
  message: string;
  urn?: string;
}

/** A finished command. */
export interface Run {
  /** The command as typed: `pulumi up --yes`. */
  command: string;
  /** The exit code; -1 when a signal ended it. */
  code: number;
  stdout: string;
  stderr: string;
  /** Every step, including those of unchanged resources and of the stack itself. */
  steps: Step[];
  /**
   * The changes, without the stack itself and default providers: `{ "Volume data": "update" }`. The three steps of a
   * replacement are one `replace`; a failed change is `update failed`.
   */
  ops: Record<string, string>;
  /** The engine's own count: `{ create: 2, same: 1 }`. */
  changes: Record<string, number>;
  /** The stack's outputs, secrets as `[secret]`. */
  outputs: Record<string, unknown>;
  /** Without those of severity `debug`. */
  diagnostics: Diagnostic[];
  /** Every event of the engine, unchanged. */
  events: EngineEvent[];
}

/** Thrown if a command fails unexpectedly. */
export class EngineError extends Error {
  override readonly name = "EngineError";

  constructor(
    readonly run: Run,
    reason = `exit code ${run.code}`,
  ) {
    super(`${run.command}: ${reason}\n${tail(run.stdout, 40)}\n${tail(run.stderr, 20)}`.trimEnd());
  }
}

/** An event of the engine (sdk/go/common/apitype/events.go), with the fields that are used here. */
export interface EngineEvent {
  sequence: number;
  resourcePreEvent?: { metadata: StepMetadata };
  resOutputsEvent?: { metadata: StepMetadata };
  resOpFailedEvent?: { metadata: StepMetadata };
  summaryEvent?: { resourceChanges?: Record<string, number> };
  diagnosticEvent?: Diagnostic;
  [kind: string]: unknown;
}

interface StepMetadata {
  op: Op;
  urn: string;
  type: string;
  old?: StepState | null;
  new?: StepState | null;
  keys?: string[];
  diffs?: string[];
  detailedDiff?: Record<string, unknown> | null;
}

interface StepState {
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

const stackType = "pulumi:pulumi:Stack";
const isScaffold = ({ type, name }: Step) =>
  type === stackType || (type.startsWith("pulumi:providers:") && name.startsWith("default"));
const replacing = new Set(["replace", "create-replacement", "read-replacement"]);

/** @internal Makes a run of a finished command and its event log. */
export function readRun(end: Pick<Run, "command" | "code" | "stdout" | "stderr"> & { log?: string | undefined }): Run {
  const { log, ...told } = end;
  const events = log && existsSync(log) ? parseEvents(readFileSync(log, "utf8")) : [];
  const steps = stepsOf(events);
  return {
    ...told,
    steps,
    ops: opsOf(steps),
    changes: events.findLast((event) => event.summaryEvent)?.summaryEvent?.resourceChanges ?? {},
    outputs: blind(steps.findLast((step) => step.type === stackType)?.outputs ?? {}) as Record<string, unknown>,
    diagnostics: events.flatMap(({ diagnosticEvent: one }) => (one && one.severity !== "debug" ? [one] : [])),
    events,
  };
}

/** The last line of a killed engine's log may be incomplete. */
function parseEvents(text: string): EngineEvent[] {
  const lines = text.split("\n");
  lines.pop();
  return lines.map((line) => JSON.parse(line));
}

/** The event after a step contains more than the one before it, such as the result of a refresh, so it replaces it. */
function stepsOf(events: EngineEvent[]): Step[] {
  const steps = new Map<string, Step>();
  const open = new Map<string, string>();
  for (const { sequence, resourcePreEvent, resOutputsEvent, resOpFailedEvent } of events) {
    const { metadata } = resourcePreEvent ?? resOutputsEvent ?? resOpFailedEvent ?? {};
    if (!metadata) continue;
    // During a refresh, the operation changes between the two events, but each resource has only one step.
    const same = resourcePreEvent
      ? undefined
      : (open.get(`${metadata.op} ${metadata.urn}`) ?? open.get(`refresh ${metadata.urn}`));
    const key = same ?? String(sequence);
    if (resourcePreEvent) open.set(`${metadata.op} ${metadata.urn}`, key);
    steps.set(key, stepOf(metadata, resOpFailedEvent !== undefined));
  }
  return [...steps.values()];
}

function stepOf({ op, urn, type, old, new: now, keys, diffs, detailedDiff }: StepMetadata, failed: boolean): Step {
  const state = now ?? old ?? {};
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const { id, inputs = {}, outputs = {} } = state;
  return {
    op,
    urn,
    type,
    name,
    ...(id ? { id } : {}),
    diffs: diffs ?? [],
    paths: Object.keys(detailedDiff ?? {}),
    replaceKeys: keys ?? [],
    inputs,
    outputs,
    failed,
  };
}

function opsOf(steps: Step[]): Record<string, string> {
  const resources = new Map<string, Step[]>();
  for (const step of steps) {
    if (isScaffold(step) || (step.op === "same" && !step.failed)) continue;
    const resource = `${step.type.slice(step.type.lastIndexOf(":") + 1)} ${step.name}`;
    resources.set(resource, [...(resources.get(resource) ?? []), step]);
  }
  return Object.fromEntries([...resources].map(([resource, its]) => [resource, summary(its)]));
}

/** One word for the steps of a resource; a lone `delete-replaced` finishes the replacement of an earlier run. */
function summary(steps: Step[]): string {
  const ops = steps.map(({ op }) => op);
  const plain = ops.findLast((op) => op !== "delete-replaced") ?? "delete-replaced";
  return `${ops.some((op) => replacing.has(op)) ? "replace" : plain}${steps.some(({ failed }) => failed) ? " failed" : ""}`;
}

/** The event log contains a secret as an object with the engine's signature and the text `[secret]`. */
function blind(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blind);
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blind(item)]));
}

const tail = (text: string, lines: number): string => text.trimEnd().split("\n").slice(-lines).join("\n");
