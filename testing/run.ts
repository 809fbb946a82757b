import { existsSync, readFileSync } from "node:fs";
import { SIGNATURE } from "../provider/engine/values";
import { urnParts } from "../provider/pulumi/urn";

/** An operation of Pulumi's engine on a resource. */
export type Op = "same" | "create" | "update" | "delete" | "replace" | "read" | "refresh" | "import" | (string & {});

/** A step of Pulumi's engine. Steps of a preview are not performed. */
export interface Step {
  op: Op;
  urn: string;
  /** Type of the resource, such as `cloudinfra:index:Volume` or `pulumi-nodejs:dynamic/cloudinfra:Volume`. */
  type: string;
  /** Name of the resource in the program. */
  name: string;
  id?: string;
  /** The changed properties that the provider has returned. */
  diffs: string[];
  /** Paths of changed nested properties, such as `rules.inbound[0].ports`. Only native providers return them. */
  paths: string[];
  /** The properties that force a replacement. */
  replaceKeys: string[];
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  failed: boolean;
}

/** A message of Pulumi's engine, of a provider or of the program. */
export interface Diagnostic {
  severity: "debug" | "info" | "info#err" | "warning" | "error";
  message: string;
  urn?: string;
}

/** The result of a Pulumi command. */
export interface Run {
  /** The command line, such as `pulumi up --yes`. */
  command: string;
  /** Exit code; -1 if a signal ended the command. */
  code: number;
  stdout: string;
  stderr: string;
  /**
   * All steps of the command, including the steps for unchanged resources and for the stack itself. For `up`, `refresh`
   * and `destroy`, they are those of the operation, not of the preview before it: Pulumi overwrites the event log. If
   * the preview fails, they are those of the preview.
   */
  steps: Step[];
  /**
   * The changes by resource, such as `{ "Volume data": "update" }`. The stack itself and default providers are omitted.
   * The three steps of a replacement are a single `replace`, and a failed change is `update failed`.
   */
  ops: Record<string, string>;
  /** The numbers of changes as counted by Pulumi, such as `{ create: 2, same: 1 }`. */
  changes: Record<string, number>;
  /** The outputs of the stack. Secrets are `[secret]`. */
  outputs: Record<string, unknown>;
  /** All messages except those with severity `debug`. */
  diagnostics: Diagnostic[];
  /** All events of Pulumi's engine, unchanged. */
  events: EngineEvent[];
}

/** The error of a command that has failed unexpectedly. Its message lists the resources that the command changes. */
export class EngineError extends Error {
  override readonly name = "EngineError";

  constructor(
    readonly run: Run,
    reason = `exit code ${run.code}`,
  ) {
    const changes = Object.entries(run.ops).flatMap(([name, op]) => (op === "refresh" ? [] : `${name}: ${op}`));
    const changed = changes.length ? `\nChanges: ${changes.slice(0, 20).join(", ")}` : "";
    super(`${run.command}: ${reason}${changed}\n${tail(run.stdout, 40)}\n${tail(run.stderr, 20)}`.trimEnd());
  }
}

/** An event of Pulumi's engine (sdk/go/common/apitype/events.go), with the fields that are used here. */
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

/** @internal Creates a run from the output and the event log of a command. */
export function readRun(end: Pick<Run, "command" | "code" | "stdout" | "stderr"> & { log?: string | undefined }): Run {
  const { log, ...result } = end;
  const events = log && existsSync(log) ? parseEvents(readFileSync(log, "utf8")) : [];
  const steps = stepsOf(events);
  return {
    ...result,
    steps,
    ops: opsOf(steps),
    changes: events.findLast((event) => event.summaryEvent)?.summaryEvent?.resourceChanges ?? {},
    outputs: blind(steps.findLast((step) => step.type === stackType)?.outputs ?? {}) as Record<string, unknown>,
    diagnostics: events.flatMap(({ diagnosticEvent: one }) => (one && one.severity !== "debug" ? [one] : [])),
    events,
  };
}

/** Parses an event log. Its last line may be incomplete if the engine was killed. */
function parseEvents(text: string): EngineEvent[] {
  const lines = text.split("\n");
  lines.pop();
  return lines.map((line) => JSON.parse(line));
}

/**
 * The steps in an event log. Pulumi writes an event before and an event after each step; the latter is used if there is
 * one, because it contains the outputs.
 */
function stepsOf(events: EngineEvent[]): Step[] {
  const steps = new Map<string, Step>();
  const open = new Map<string, string>();
  for (const { sequence, resourcePreEvent, resOutputsEvent, resOpFailedEvent } of events) {
    const { metadata } = resourcePreEvent ?? resOutputsEvent ?? resOpFailedEvent ?? {};
    if (!metadata) continue;
    // A refresh writes one step per resource. Its first event always has the operation `refresh`, but its last event
    // can have another one, such as `delete`, so they are matched by URN.
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
  const { name } = urnParts(urn);
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

/**
 * Summarizes the steps of a resource, for example as `update` or `update failed`. A `delete-replaced` on its own
 * completes a replacement that an earlier run has started, and is returned unchanged.
 */
function summary(steps: Step[]): string {
  const ops = steps.map(({ op }) => op);
  const operation = ops.findLast((op) => op !== "delete-replaced") ?? "delete-replaced";
  return `${ops.some((op) => replacing.has(op)) ? "replace" : operation}${steps.some(({ failed }) => failed) ? " failed" : ""}`;
}

/**
 * Replaces secrets by the text `[secret]`. In the event log, a secret is an object with a signature that Pulumi
 * defines.
 */
function blind(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blind);
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blind(item)]));
}

const tail = (text: string, lines: number): string => text.trimEnd().split("\n").slice(-lines).join("\n");
