import { z } from "zod";

export type EntityType = z.output<typeof EntityType>;
/** Types of objects that events are about. */
export const EntityType = z.enum([
  "account",
  "backups",
  "community",
  "disk",
  "domain",
  "entity_transfer",
  "firewall",
  "image",
  "ipaddress",
  "compute",
  "longview",
  "managed_service",
  "nodebalancer",
  "oauth_client",
  "profile",
  "stackscript",
  "tag",
  "ticket",
  "token",
  "user",
  "user_ssh_key",
  "volume",
]);

export type SecondaryType = z.output<typeof SecondaryType>;
/** Types of the objects that events name in `secondary_entity`. */
export const SecondaryType = z.enum([...EntityType.options, "compute_config"]);

/** Properties that all events with the same action have. */
export interface ActionFacts {
  /**
   * How the events end. Events that end as `finished` pass through other statuses, so clients can wait for them. Events
   * with the status `notification` never change.
   */
  ends: "finished" | "notification";
  entity: EntityType;
  /**
   * Type of the event's `secondary_entity`. `when` describes the condition under which the event has a secondary
   * entity. Without `when`, every event with this action has one.
   */
  secondary?: SecondaryType;
  when?: string;
  /**
   * Cause of the event, such as `maintenance of the host`. Omitted if an operation names the action as its `event`, and
   * for actions of products outside this API, such as the community site.
   */
  by?: string;
}

/** Every action that can occur in an account's events. */
export const eventActions = {
  account_update: { ends: "notification", entity: "account" },
  account_settings_update: { ends: "notification", entity: "account" },
  backups_enable: { ends: "notification", entity: "compute" },
  backups_cancel: { ends: "notification", entity: "compute" },
  backups_restore: { ends: "finished", entity: "compute" },
  community_question_reply: { ends: "notification", entity: "community" },
  community_like: { ends: "notification", entity: "community" },
  credit_card_updated: { ends: "notification", entity: "account" },
  disk_create: { ends: "finished", entity: "compute", secondary: "disk" },
  disk_delete: { ends: "finished", entity: "compute", secondary: "disk" },
  disk_update: { ends: "notification", entity: "compute", secondary: "disk" },
  disk_duplicate: { ends: "finished", entity: "compute", secondary: "disk" },
  disk_imagize: { ends: "finished", entity: "compute", secondary: "image" },
  disk_resize: { ends: "finished", entity: "compute", secondary: "disk" },
  dns_record_create: { ends: "notification", entity: "domain" },
  dns_record_delete: { ends: "notification", entity: "domain" },
  dns_record_update: { ends: "notification", entity: "domain" },
  dns_zone_create: { ends: "notification", entity: "domain", secondary: "domain", when: "the zone is a clone" },
  dns_zone_delete: { ends: "notification", entity: "domain" },
  dns_zone_import: { ends: "notification", entity: "domain" },
  dns_zone_update: { ends: "notification", entity: "domain" },
  entity_transfer_accept: { ends: "finished", entity: "entity_transfer" },
  entity_transfer_cancel: { ends: "notification", entity: "entity_transfer" },
  entity_transfer_create: { ends: "notification", entity: "entity_transfer" },
  entity_transfer_fail: { ends: "notification", entity: "entity_transfer", by: "an acceptance that fails" },
  entity_transfer_stale: { ends: "notification", entity: "entity_transfer", by: "24 hours without acceptance" },
  firewall_create: { ends: "notification", entity: "firewall" },
  firewall_delete: { ends: "notification", entity: "firewall" },
  firewall_disable: { ends: "notification", entity: "firewall", by: "`firewalls.update` with `status`" },
  firewall_enable: { ends: "notification", entity: "firewall", by: "`firewalls.update` with `status`" },
  firewall_update: { ends: "notification", entity: "firewall" },
  firewall_device_add: { ends: "notification", entity: "firewall", secondary: "compute" },
  firewall_device_remove: { ends: "notification", entity: "firewall", secondary: "compute" },
  host_reboot: {
    ends: "finished",
    entity: "compute",
    secondary: "compute_config",
    when: "a config is booted",
    by: "maintenance of the host",
  },
  image_delete: { ends: "notification", entity: "image" },
  image_update: { ends: "notification", entity: "image" },
  image_upload: { ends: "finished", entity: "image" },
  ipaddress_update: { ends: "notification", entity: "ipaddress" },
  lassie_reboot: {
    ends: "finished",
    entity: "compute",
    secondary: "compute_config",
    when: "a config is booted",
    by: "a crash",
  },
  lish_boot: { ends: "finished", entity: "compute" },
  compute_addip: { ends: "notification", entity: "compute" },
  compute_boot: { ends: "finished", entity: "compute", secondary: "compute_config", when: "a config is booted" },
  compute_clone: { ends: "finished", entity: "compute", secondary: "compute" },
  compute_create: { ends: "finished", entity: "compute", secondary: "image", when: "an image is deployed" },
  compute_delete: { ends: "finished", entity: "compute" },
  compute_update: { ends: "notification", entity: "compute" },
  compute_deleteip: { ends: "notification", entity: "compute" },
  compute_migrate: { ends: "finished", entity: "compute" },
  compute_migrate_datacenter: { ends: "finished", entity: "compute", by: "`instances.migrate` with `region`" },
  compute_migrate_datacenter_create: {
    ends: "notification",
    entity: "compute",
    by: "`instances.migrate` with `region`",
  },
  compute_mutate: { ends: "finished", entity: "compute" },
  compute_mutate_create: { ends: "notification", entity: "compute", by: "`instances.mutate`" },
  compute_reboot: { ends: "finished", entity: "compute", secondary: "compute_config", when: "a config is booted" },
  compute_rebuild: { ends: "finished", entity: "compute" },
  compute_resize: { ends: "finished", entity: "compute" },
  compute_resize_create: { ends: "notification", entity: "compute", by: "`instances.resize`" },
  compute_shutdown: { ends: "finished", entity: "compute" },
  compute_snapshot: { ends: "finished", entity: "compute" },
  compute_config_create: { ends: "notification", entity: "compute", secondary: "compute_config" },
  compute_config_delete: { ends: "notification", entity: "compute", secondary: "compute_config" },
  compute_config_update: { ends: "notification", entity: "compute", secondary: "compute_config" },
  lke_node_create: { ends: "finished", entity: "compute", by: "a node that joins a pool" },
  longviewclient_create: { ends: "notification", entity: "longview" },
  longviewclient_delete: { ends: "notification", entity: "longview" },
  longviewclient_update: { ends: "notification", entity: "longview" },
  managed_disabled: { ends: "notification", entity: "managed_service" },
  managed_enabled: { ends: "notification", entity: "managed_service" },
  managed_service_create: { ends: "notification", entity: "managed_service" },
  managed_service_delete: { ends: "notification", entity: "managed_service" },
  nodebalancer_create: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_delete: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_update: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_config_create: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_config_delete: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_config_update: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_node_create: { ends: "notification", entity: "nodebalancer" },
  nodebalancer_node_delete: {
    ends: "notification",
    entity: "nodebalancer",
    secondary: "compute",
    when: "its instance is deleted",
  },
  nodebalancer_node_update: { ends: "notification", entity: "nodebalancer" },
  oauth_client_create: { ends: "notification", entity: "oauth_client" },
  oauth_client_delete: { ends: "notification", entity: "oauth_client" },
  oauth_client_secret_reset: { ends: "notification", entity: "oauth_client" },
  oauth_client_update: { ends: "notification", entity: "oauth_client" },
  password_reset: { ends: "finished", entity: "compute", secondary: "disk" },
  payment_method_add: { ends: "notification", entity: "account" },
  payment_submitted: { ends: "notification", entity: "account" },
  profile_update: { ends: "notification", entity: "profile" },
  stackscript_create: { ends: "notification", entity: "stackscript" },
  stackscript_delete: { ends: "notification", entity: "stackscript" },
  stackscript_update: { ends: "notification", entity: "stackscript" },
  stackscript_publicize: { ends: "notification", entity: "stackscript" },
  stackscript_revise: { ends: "notification", entity: "stackscript" },
  tag_create: { ends: "notification", entity: "tag" },
  tag_delete: { ends: "notification", entity: "tag" },
  tfa_disabled: { ends: "notification", entity: "profile" },
  tfa_enabled: { ends: "notification", entity: "profile" },
  ticket_attachment_upload: { ends: "notification", entity: "ticket" },
  ticket_create: { ends: "notification", entity: "ticket", by: "a managed issue" },
  ticket_update: { ends: "notification", entity: "ticket" },
  token_create: { ends: "notification", entity: "token" },
  token_delete: { ends: "notification", entity: "token" },
  token_update: { ends: "notification", entity: "token" },
  user_create: { ends: "notification", entity: "user" },
  user_update: { ends: "notification", entity: "user" },
  user_delete: { ends: "notification", entity: "user" },
  user_ssh_key_add: { ends: "notification", entity: "user_ssh_key" },
  user_ssh_key_delete: { ends: "notification", entity: "user_ssh_key" },
  user_ssh_key_update: { ends: "notification", entity: "user_ssh_key" },
  vlan_attach: { ends: "notification", entity: "compute", by: "a boot" },
  vlan_detach: { ends: "notification", entity: "compute", by: "a boot, or the deletion of the instance" },
  volume_attach: { ends: "finished", entity: "volume", secondary: "compute" },
  volume_clone: { ends: "finished", entity: "volume", secondary: "volume" },
  volume_create: { ends: "finished", entity: "volume" },
  volume_delete: { ends: "notification", entity: "volume" },
  volume_update: { ends: "notification", entity: "volume" },
  volume_detach: { ends: "finished", entity: "volume", secondary: "compute" },
  volume_resize: { ends: "finished", entity: "volume" },
} as const satisfies Record<string, ActionFacts>;

export type EventAction = keyof typeof eventActions;
export const EventAction = z.enum(Object.keys(eventActions) as [EventAction, ...EventAction[]]);

type Facts<A extends EventAction> = (typeof eventActions)[A];

/** The types of the objects that the events of an action are about. */
export type EntityOf<A extends EventAction> = Facts<A>["entity"];

/** The types of `secondary_entity` in events with an action; `never` for most actions. */
export type SecondaryOf<A extends EventAction> = Extract<Facts<A>, { secondary: SecondaryType }>["secondary"];

/** Actions that run for a while, so that programs can wait for them to finish. */
export type LastingAction = { [A in EventAction]: Facts<A>["ends"] extends "finished" ? A : never }[EventAction];
