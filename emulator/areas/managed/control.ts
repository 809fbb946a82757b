import { z } from "zod";
import { Id } from "../../../api";
import { Reasons } from "../../core/error-response";
import { action } from "../../http/control/action";
import type { Part } from "../../http/handlers";
import { openIssue, resolveIssue } from "./managed-issues";
import { report } from "./managed-services";

const Report = z.strictObject({
  id: Id.describe("Id of the managed service (a service that the platform monitors)."),
  status: z.enum(["ok", "problem"]).describe("Result of the check."),
});
const Issue = z.strictObject({
  services: z.array(Id).min(1).describe("Ids of the affected services, which the platform monitors."),
});
const Resolution = z.strictObject({ id: Id.describe("Id of the issue.") });

/** Endpoints under `/_emulator` that simulate the monitoring of services and the support staff. */
export const managedControl: Part = {
  control: {
    "managed-services": {
      POST: action(Report, ({ world }, { id, status }) => {
        world.events.actor = null;
        report(world, id, status);
        return world.managedServices.get(id);
      }),
    },
    issues: {
      POST: action(Issue, ({ world }, { services }) => {
        const problems = new Reasons();
        for (const [at, id] of services.entries()) {
          const status = world.managedServices.find(id)?.status ?? "unknown";
          const watched = status !== "unknown" && status !== "disabled";
          problems.addUnless(watched, `Must be a monitored service: service ${id} is ${status}`, `services.${at}`);
        }
        problems.throwIfAny();
        world.events.actor = null;
        return openIssue(world, [...new Set(services)]);
      }),
    },
    "issues/resolve": {
      POST: action(Resolution, ({ world }, { id }) => resolveIssue(world, id)),
    },
  },
};
