import { z } from "zod";
import { Id, RegionId, Tags } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";

const Level = z.enum(["low", "ipv6/pool"]);
const Rule = z.strictObject({
  level: Level,
  open_ports: z.array(z.int().min(1)).max(3).default([]),
  spare: z.string().optional(),
});

export const gadgetInputs = z.strictObject({
  label: z
    .string()
    .min(3)
    .max(32)
    .regex(/^[a-z]+$/, "must contain only small letters")
    .describe("Name; not `open_ports`."),
  region: RegionId.describe("Where it is."),
  size: z.int().min(10).max(99).default(20).describe("Size in GiB."),
  compute_id: Id.nullable().optional().describe("Instance that holds it."),
  tags: Tags.optional(),
  inbound: z.array(Rule).describe("Rules."),
  outbound: z.array(Rule).optional(),
  named: z.record(z.string(), Rule).optional(),
  data: z.record(z.string(), z.unknown()).optional().meta({ opaque: true }),
  hints: z.array(z.unknown()).optional().meta({ opaque: true }),
  access: z.strictObject({ pass_word: z.string().meta({ secret: true }) }).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
  only: z.literal("yes").optional(),
  group: z.string().optional().meta({ deprecated: true }).describe("Old; tags replace it."),
  token_hint: z.string().optional(),
  hurry: z.boolean().default(false),
});

export const gadget: Kind = {
  name: "Gadget",
  summary: "A thing with every kind of field",
  inputs: gadgetInputs,
  outputs: z.strictObject({
    id: Id,
    label: z.string(),
    size: z.int(),
    compute_id: Id.nullable(),
    status: z.enum(["new", "done", "bad"]).describe("How far it is."),
    updated: z.string().meta({ volatile: true }),
    ca_key: z.string().meta({ secret: true }),
    note: z.string().optional(),
  }),
  identity: { area: "volumes", autoname: "label", lostCreate: { match: ["label"] } },
  inventory: { file: "compute", list: "operation", title: "label" },
  fields: {
    label: "edit",
    region: "replace",
    size: "edit",
    compute_id: "edit",
    tags: "edit",
    inbound: "edit",
    outbound: "edit",
    named: "edit",
    data: "edit",
    hints: "edit",
    access: "edit",
    either: "edit",
    only: "edit",
    group: "edit",
    token_hint: { change: "writeOnly", note: "it was used up" },
    hurry: "local",
  },
  steps: { edit: { run: async () => undefined } },
  readiness: { byStatus: { new: "wait", done: "ready", bad: "failed" } },
  timeouts: { create: 90 },
  create: async () => ({ volumeId: 1 }),
};
