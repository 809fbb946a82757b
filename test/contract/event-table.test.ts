import { expect, test } from "vitest";
import { EventAction, namedOperations, operations } from "../../api";
import { causes } from "./event-causes";
import { type Account, freshAccount, type Plan } from "./matrix/plan";
import { plans } from "./matrix/plans";
import { type Input, request } from "./matrix/request";
import { proves } from "./proves";

type Ends = "finished" | "notification";

/**
 * For each action of an event: the final status of the event, the type of `entity`, the type of `secondary_entity` and
 * of its id, and what causes the event, usually an API operation.
 */
const rows: [action: string, ends: Ends, entity: string, second: string | null, cause: string][] = [
  ["account_update", "notification", "account", null, "account.update"],
  ["backups_enable", "notification", "compute", null, "instanceBackups.enable"],
  ["backups_cancel", "notification", "compute", null, "instanceBackups.cancel"],
  ["backups_restore", "finished", "compute", null, "instanceBackups.restore"],
  ["credit_card_updated", "notification", "account", null, "account.setCreditCard"],
  ["disk_create", "finished", "compute", "disk number", "instanceDisks.create"],
  ["disk_delete", "finished", "compute", "disk number", "instanceDisks.delete"],
  ["disk_update", "notification", "compute", "disk number", "instanceDisks.update"],
  ["disk_duplicate", "finished", "compute", "disk number", "instanceDisks.clone"],
  ["disk_imagize", "finished", "compute", "image number", "images.create"],
  ["disk_resize", "finished", "compute", "disk number", "instanceDisks.resize"],
  ["dns_record_create", "notification", "domain", null, "domainRecords.create"],
  ["dns_record_delete", "notification", "domain", null, "domainRecords.delete"],
  ["dns_record_update", "notification", "domain", null, "domainRecords.update"],
  ["dns_zone_create", "notification", "domain", null, "domains.create"],
  ["dns_zone_create", "notification", "domain", "domain number", "domains.clone"],
  ["dns_zone_delete", "notification", "domain", null, "domains.delete"],
  ["dns_zone_import", "notification", "domain", null, "domains.import"],
  ["dns_zone_update", "notification", "domain", null, "domains.update"],
  ["entity_transfer_accept", "finished", "entity_transfer", null, "entityTransfers.accept"],
  ["entity_transfer_cancel", "notification", "entity_transfer", null, "entityTransfers.cancel"],
  ["entity_transfer_create", "notification", "entity_transfer", null, "entityTransfers.create"],
  ["entity_transfer_fail", "notification", "entity_transfer", null, "a transfer whose instance was deleted"],
  ["entity_transfer_stale", "notification", "entity_transfer", null, "a transfer that is never accepted"],
  ["firewall_create", "notification", "firewall", null, "firewalls.create"],
  ["firewall_delete", "notification", "firewall", null, "firewalls.delete"],
  ["firewall_disable", "notification", "firewall", null, "a firewall that is disabled"],
  ["firewall_enable", "notification", "firewall", null, "a firewall that is enabled"],
  ["firewall_update", "notification", "firewall", null, "firewalls.updateRules"],
  ["firewall_device_add", "notification", "firewall", "compute number", "firewallDevices.create"],
  ["firewall_device_remove", "notification", "firewall", "compute number", "firewallDevices.delete"],
  ["host_reboot", "finished", "compute", "compute_config number", "maintenance of the host"],
  ["image_delete", "notification", "image", null, "images.delete"],
  ["image_update", "notification", "image", null, "images.update"],
  ["image_upload", "finished", "image", null, "an upload"],
  ["ipaddress_update", "notification", "ipaddress", null, "networkingIps.update"],
  ["lassie_reboot", "finished", "compute", "compute_config number", "a crash"],
  ["compute_addip", "notification", "compute", null, "instanceAddresses.allocate"],
  ["compute_boot", "finished", "compute", "compute_config number", "instances.boot"],
  ["compute_boot", "finished", "compute", null, "a boot into rescue"],
  ["compute_clone", "finished", "compute", "compute number", "instances.clone"],
  ["compute_create", "finished", "compute", "image string", "instances.create"],
  ["compute_create", "finished", "compute", null, "a creation without image"],
  ["compute_delete", "finished", "compute", null, "instances.delete"],
  ["compute_update", "notification", "compute", null, "instances.update"],
  ["compute_deleteip", "notification", "compute", null, "instanceAddresses.delete"],
  ["compute_migrate", "finished", "compute", null, "instances.migrate"],
  ["compute_migrate_datacenter", "finished", "compute", null, "a move to another region"],
  ["compute_migrate_datacenter_create", "notification", "compute", null, "a move to another region"],
  ["compute_mutate", "finished", "compute", null, "instances.mutate"],
  ["compute_mutate_create", "notification", "compute", null, "instances.mutate"],
  ["compute_reboot", "finished", "compute", "compute_config number", "instances.reboot"],
  ["compute_reboot", "finished", "compute", null, "instances.rescue"],
  ["compute_rebuild", "finished", "compute", null, "instances.rebuild"],
  ["compute_resize", "finished", "compute", null, "instances.resize"],
  ["compute_resize_create", "notification", "compute", null, "instances.resize"],
  ["compute_shutdown", "finished", "compute", null, "instances.shutdown"],
  ["compute_snapshot", "finished", "compute", null, "instanceBackups.snapshot"],
  ["compute_config_create", "notification", "compute", "compute_config number", "instanceConfigs.create"],
  ["compute_config_delete", "notification", "compute", "compute_config number", "instanceConfigs.delete"],
  ["compute_config_update", "notification", "compute", "compute_config number", "instanceConfigs.update"],
  ["lke_node_create", "finished", "compute", null, "lkeClusters.create"],
  ["managed_disabled", "notification", "managed_service", null, "managedServices.disable"],
  ["managed_enabled", "notification", "managed_service", null, "managedServices.enable"],
  ["managed_service_create", "notification", "managed_service", null, "managedServices.create"],
  ["managed_service_delete", "notification", "managed_service", null, "managedServices.delete"],
  ["nodebalancer_create", "notification", "nodebalancer", null, "nodeBalancers.create"],
  ["nodebalancer_delete", "notification", "nodebalancer", null, "nodeBalancers.delete"],
  ["nodebalancer_update", "notification", "nodebalancer", null, "nodeBalancers.update"],
  ["nodebalancer_config_create", "notification", "nodebalancer", null, "nodeBalancerConfigs.create"],
  ["nodebalancer_config_delete", "notification", "nodebalancer", null, "nodeBalancerConfigs.delete"],
  ["nodebalancer_config_update", "notification", "nodebalancer", null, "nodeBalancerConfigs.update"],
  ["nodebalancer_node_create", "notification", "nodebalancer", null, "nodeBalancerNodes.create"],
  ["nodebalancer_node_delete", "notification", "nodebalancer", null, "nodeBalancerNodes.delete"],
  ["nodebalancer_node_delete", "notification", "nodebalancer", "compute number", "a backend that is deleted"],
  ["nodebalancer_node_update", "notification", "nodebalancer", null, "nodeBalancerNodes.update"],
  ["oauth_client_create", "notification", "oauth_client", null, "oauthClients.create"],
  ["oauth_client_delete", "notification", "oauth_client", null, "oauthClients.delete"],
  ["oauth_client_secret_reset", "notification", "oauth_client", null, "oauthClients.resetSecret"],
  ["oauth_client_update", "notification", "oauth_client", null, "oauthClients.update"],
  ["password_reset", "finished", "compute", "disk number", "instances.resetPassword"],
  ["payment_method_add", "notification", "account", null, "paymentMethods.add"],
  ["payment_submitted", "notification", "account", null, "payments.make"],
  ["tag_create", "notification", "tag", null, "tags.create"],
  ["tag_delete", "notification", "tag", null, "tags.delete"],
  ["ticket_create", "notification", "ticket", null, "an issue that support opens"],
  ["vlan_attach", "notification", "compute", null, "a boot with a VLAN"],
  ["vlan_detach", "notification", "compute", null, "a boot without the VLAN"],
  ["volume_attach", "finished", "volume", "compute number", "volumes.attach"],
  ["volume_clone", "finished", "volume", "volume number", "volumes.clone"],
  ["volume_create", "finished", "volume", null, "volumes.create"],
  ["volume_delete", "notification", "volume", null, "volumes.delete"],
  ["volume_update", "notification", "volume", null, "volumes.update"],
  ["volume_detach", "finished", "volume", "compute number", "volumes.detach"],
  ["volume_resize", "finished", "volume", null, "volumes.resize"],
];

/**
 * Actions that exist in the public service's contract but that no operation of this API causes, because this API does
 * not have these parts of the service.
 */
const absent: Record<string, string[]> = {
  "the account's settings": ["account_settings_update"],
  "the community site": ["community_question_reply", "community_like"],
  "the console over SSH": ["lish_boot"],
  Longview: ["longviewclient_create", "longviewclient_delete", "longviewclient_update"],
  "the profile": ["profile_update", "tfa_disabled", "tfa_enabled"],
  StackScripts: [
    "stackscript_create",
    "stackscript_delete",
    "stackscript_update",
    "stackscript_publicize",
    "stackscript_revise",
  ],
  "support tickets": ["ticket_attachment_upload", "ticket_update"],
  "personal access tokens": ["token_create", "token_delete", "token_update"],
  "users and their keys": [
    "user_create",
    "user_update",
    "user_delete",
    "user_ssh_key_add",
    "user_ssh_key_delete",
    "user_ssh_key_update",
  ],
};

/** The actions that the rules in the table of events list, in the order of the rules. */
const documented = [
  "firewall_create",
  "firewall_delete",
  "firewall_enable",
  "firewall_disable",
  "firewall_device_add",
  "firewall_device_remove",
  "payment_method_add",
  "payment_submitted",
];

test.each(rows)("%s ends %s, is about a %s, second entity %s (%s)", async (action, ends, type, second, cause) => {
  if (documented.includes(action)) proves(`part 3 · Events · rule ${documented.indexOf(action) + 1}`);
  await using one = await freshAccount();
  await (causes[cause] ?? byOperation(cause))(one);
  one.settle();
  const [event] = (await one.send("GET /account/events", { filter: { action } })).body.data;
  expect([event.status, event.entity.type, typeof event.entity.id]).toEqual([ends, type, "number"]);
  const { secondary_entity: other } = event;
  expect(other && `${other.type} ${typeof other.id}`).toBe(second);
  expect(event).toMatchObject({ rate: null, time_remaining: null, percent_complete: ends === "finished" ? 100 : null });
  if (ends === "finished") expect(event.duration).toBeGreaterThanOrEqual(0);
  else expect(event.duration).toBeNull();
});

/** Actions whose events have an estimate of the time left, but only while they are in progress. */
const estimated = ["compute_clone", "compute_migrate", "compute_migrate_datacenter", "disk_duplicate", "volume_clone"];

test.each(rows.filter(([, ends]) => ends === "finished"))(
  "%s in progress has an estimate of the time left only if it migrates or clones, and no message (%4$s)",
  async (action, _ends, _entity, _second, cause) => {
    await using one = await freshAccount();
    await (causes[cause] ?? byOperation(cause))(one);
    const events = (await one.send("GET /account/events", { filter: { action } })).body.data;
    const message = action === "compute_reboot" || cause === "a boot into rescue" ? expect.any(String) : "";
    for (const { status, ...event } of events)
      expect(event).toMatchObject({
        time_remaining: status === "started" && estimated.includes(action) ? expect.stringMatching(/^..:..:..$/) : null,
        message,
      });
  },
);

test("every action of the contract is in the table, or belongs to an undocumented part of the service", () => {
  const known = [...rows.map(([action]) => action), ...Object.values(absent).flat()];
  expect([...EventAction.options].toSorted()).toEqual([...new Set(known)].toSorted());
});

/**
 * Returns a function that calls the operation with a valid request, after creating the objects that the request needs.
 */
function byOperation(name: string): (one: Account) => Promise<void> {
  const { area, key, operation } = namedOperations(operations).find((one) => one.name === name) as never as {
    area: keyof typeof plans;
    key: string;
    operation: Parameters<typeof request>[1];
  };
  const plan = (plans[area] as Readonly<Record<string, Plan<never>>>)[key] as (one: Account) => Promise<Input>;
  return async (one) => {
    const response = await request(one, operation, await plan(one));
    expect(response.body?.errors).toBeUndefined();
  };
}
