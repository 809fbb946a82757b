import { z } from "zod";
import { Id } from "../../api";
import { openIssue, resolveIssue } from "../areas/managed-issues";
import { report } from "../areas/managed-services";
import { checked } from "../checked";
import { Reasons } from "../refusal";
import type { Actions } from "./action";

const Report = z.strictObject({ id: Id, status: z.enum(["ok", "problem"]) });
const Issue = z.strictObject({ services: z.array(Id).min(1) });
const Resolution = z.strictObject({ id: Id });

/** What the monitoring and the support staff do. */
export const managed: Actions = {
  "managed-services": {
    POST({ world }, body) {
      const { id, status } = checked(Report, body);
      world.events.actor = null;
      report(world, id, status);
      return world.managedServices.get(id);
    },
  },
  issues: {
    POST({ world }, body) {
      const { services } = checked(Issue, body);
      const problems = new Reasons();
      for (const [at, id] of services.entries()) {
        const status = world.managedServices.find(id)?.status ?? "unknown";
        const watched = status !== "unknown" && status !== "disabled";
        problems.require(watched, `Service ${id} is ${status}`, `services.${at}`);
      }
      problems.refuse();
      world.events.actor = null;
      return openIssue(world, [...new Set(services)]);
    },
  },
  "issues/resolve": {
    POST: ({ world }, body) => resolveIssue(world, checked(Resolution, body).id),
  },
};
