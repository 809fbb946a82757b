import type { EventEntity, ManagedIssue } from "../../../api";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";

/** A stored issue of monitored services. It is resolved when all of these services are up again. */
export interface ManagedIssueRow extends ManagedIssue {
  open: boolean;
}

export const managedIssues: AreaModule<"managedIssues", { managedIssues: ManagedIssueRow }> = {
  tables: { managedIssues: table<ManagedIssueRow>() },
  handlers: {
    list: ({ world }) => world.managedIssues,
    view: ({ world, path }) => world.managedIssues.get(path.issueId),
  },
};

/** Simulates that support staff notice a problem with the services and open a ticket for it. */
export function openIssue(world: World, services: readonly number[]): Readonly<ManagedIssueRow> {
  const labels = services.map((id) => world.managedServices.get(id).label);
  const id = 10_000_000 + world.random.below(90_000_000);
  const label = `Managed issue: ${labels.join(", ")}`;
  const entity = { id, label, type: "ticket", url: `/v4/support/tickets/${id}` } as const satisfies EventEntity;
  world.events.add("ticket_create", entity);
  for (const service of services) world.managedServices.patch(service, { status: "problem" });
  return world.managedIssues.insert({ services: [...services], entity, open: true });
}

/** Simulates that support staff resolve an issue, for which they use the credentials of the affected services. */
export function resolveIssue(world: World, id: number): Readonly<ManagedIssueRow> {
  const issue = world.managedIssues.patch(id, { open: false });
  const open = openServices(world);
  for (const service of issue.services.map((one) => world.managedServices.get(one))) {
    if (service.status === "problem" && !open.has(service.id))
      world.managedServices.patch(service.id, { status: "ok" });
    for (const credential of service.credentials)
      world.managedCredentials.patch(credential, { last_decrypted: world.clock.time() });
  }
  return issue;
}

/** Removes a service that is no longer monitored from its issues. Resolves issues that affect no other service. */
export function leaveIssues(world: World, service: number): void {
  for (const { id, services, open } of world.managedIssues.where((issue) => issue.services.includes(service))) {
    const left = services.filter((one) => one !== service);
    world.managedIssues.patch(id, { services: left, open: open && left.length > 0 });
  }
}

export const openIssuesOf = (world: World, service: number): readonly Readonly<ManagedIssueRow>[] =>
  world.managedIssues.by("open", true).filter(({ services }) => services.includes(service));

const openServices = (world: World): ReadonlySet<number> =>
  new Set(world.managedIssues.by("open", true).flatMap(({ services }) => services));
