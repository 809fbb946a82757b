import { camel, fieldsOf, fromWire } from "../../../api";
import type { Emulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import type { Bag } from "../../../provider/engine/values";
import { stateSchema } from "../../../provider/pulumi/state";
import { type KindName, kinds } from "../../../provider/resources";
import { exported, type InStack } from "../../lifecycle/exported";

/** The state of a stack that manages all instances, volumes, domains and records of an account. */
export async function stateOfAll({ url, token }: Pick<Emulator, "url" | "token">) {
  const { api, close } = connect({ url, token });
  const resources: InStack[] = [];
  const add = (kind: KindName, id: string, record: Bag, declared: string[]) => {
    const outs = fromWire(stateSchema(kinds[kind]), withoutVolatile(kind, record)) as Bag;
    const inputs = Object.fromEntries(declared.map((key) => [camel(key), outs[camel(key)]]));
    resources.push({ kind, name: id, id, inputs, outs: { ...outs, __stated: declared.join(",") } });
  };
  for await (const one of api.instances.list.all())
    add("Instance", `${one.id}`, one, ["label", "region", "type", "tags"]);
  for await (const one of api.volumes.list.all()) add("Volume", `${one.id}`, one, ["label", "region", "size", "tags"]);
  for await (const one of api.domains.list.all()) {
    add("Domain", `${one.id}`, one, ["domain", "type", "tags"]);
    const path = { domainId: one.id };
    for await (const record of api.domainRecords.list.all({ path }))
      add("DomainRecord", `${one.id}/${record.id}`, { ...record, domain_id: one.id }, [
        "domain_id",
        "type",
        "name",
        "target",
      ]);
  }
  await close();
  return exported(resources);
}

const withoutVolatile = (kind: KindName, record: Bag): Bag =>
  Object.fromEntries(
    Object.entries(record).filter(([key]) => key in fieldsOf(stateSchema(kinds[kind])) && key !== "id"),
  );
