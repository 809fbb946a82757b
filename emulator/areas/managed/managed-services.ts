import { type ManagedService, managedServiceRules, monitoredAddress, needsRegion } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import { task, type World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { leaveIssues, openIssue, openIssuesOf, resolveIssue } from "./managed-issues";

export interface ManagedServiceRow extends ManagedService {
  /**
   * Number of times that monitoring was restarted. A scheduled check with a lower number is outdated and is skipped.
   */
  round: number;
}

const FIRST_TRY_SECONDS = 60;

/** Runs the first check of a service. */
const tried = task<{ id: number; round: number }>("managedServices.tried", (world, { id, round }) => {
  const service = world.managedServices.find(id);
  if (service?.status === "pending" && service.round === round) recover(world, id);
});

export const managedServices: AreaModule<"managedServices", { managedServices: ManagedServiceRow }> = {
  tables: { managedServices: table<ManagedServiceRow>() },
  tasks: [tried],
  rules: { create: managedServiceRules },
  handlers: {
    list: ({ world }) => world.managedServices,

    create({ world, body, emit }) {
      requireCredentials(world, body.credentials).throwIfAny();
      const { credentials = [], body: text = null, consultation_group = "", notes = null, region = null } = body;
      const address = monitoredAddress(body.address);
      const { label, service_type, timeout } = body;
      const service = world.managedServices.insert({
        ...{ label, service_type, address, timeout, consultation_group, notes, region },
        body: text,
        credentials: [...new Set(credentials)],
        status: "pending",
        round: 0,
      });
      emit(entity("managed_service", service));
      return watch(world, service);
    },

    view: ({ world, path }) => world.managedServices.get(path.serviceId),

    update({ world, path, body }) {
      const before = world.managedServices.get(path.serviceId);
      const address = monitoredAddress(body.address ?? before.address);
      const currentRegion = needsRegion(address) ? before.region : null;
      const region = body.region === undefined ? currentRegion : body.region;
      const problems = requireCredentials(world, body.credentials);
      const service_type = body.service_type ?? before.service_type;
      problems.addBreaches(managedServiceRules, { service_type, address, region });
      problems.throwIfAny();
      const credentials = body.credentials && [...new Set(body.credentials)];
      const service = world.managedServices.patch(before.id, { ...body, address, region, credentials });
      const anew = (["service_type", "address", "body", "timeout"] as const).some(
        (name) => service[name] !== before[name],
      );
      return anew && service.status !== "disabled" ? watch(world, service) : service;
    },

    delete({ world, path, emit }) {
      const service = world.managedServices.remove(path.serviceId);
      leaveIssues(world, service.id);
      emit(entity("managed_service", service));
      return {};
    },

    disable({ world, path, emit }) {
      const { id, status } = world.managedServices.get(path.serviceId);
      if (status === "disabled") throw new ErrorResponse(400, "The service is already disabled");
      const service = world.managedServices.patch(id, { status: "disabled" });
      emit(entity("managed_service", service));
      return service;
    },

    enable({ world, path, emit }) {
      const service = world.managedServices.get(path.serviceId);
      if (service.status !== "disabled")
        throw new ErrorResponse(400, `The service is ${service.status}; only a disabled one can be enabled`);
      const watched = watch(world, service);
      emit(entity("managed_service", watched));
      return watched;
    },
  },
};

/** Applies the result of a check. If the service is down, opens an issue. If it is up, resolves its issues. */
export function report(world: World, id: number, status: "ok" | "problem"): void {
  const service = world.managedServices.get(id);
  if (service.status === "disabled") throw new ErrorResponse(400, `Service ${id} is disabled and not monitored`, "id");
  if (status === "ok") recover(world, id);
  else if (service.status !== "problem") openIssue(world, [id]);
}

function recover(world: World, id: number): void {
  world.managedServices.patch(id, { status: "ok" });
  for (const { id: issue, services } of openIssuesOf(world, id))
    if (services.every((one) => world.managedServices.get(one).status !== "problem")) resolveIssue(world, issue);
}

/** Starts or restarts the monitoring of a service. The status of the service is unknown until the first check. */
function watch(world: World, { id, round }: Readonly<ManagedServiceRow>): Readonly<ManagedServiceRow> {
  const service = world.managedServices.patch(id, { status: "pending", round: round + 1 });
  world.later(tried, { id, round: service.round }, FIRST_TRY_SECONDS);
  return service;
}

function requireCredentials(world: World, credentials: readonly number[] = []): Reasons {
  const problems = new Reasons();
  for (const [at, id] of credentials.entries())
    problems.addUnless(
      world.managedCredentials.find(id) !== undefined,
      `There is no credential ${id}`,
      `credentials.${at}`,
    );
  return problems;
}
