import * as pulumi from "@pulumi/pulumi";
import { Firewall, Instance, Volume } from "pulumi-cloudinfra";
import { only } from "./rules";

export interface DatabaseArgs {
  region: pulumi.Input<string>;
  /** The password of root on the server. */
  rootPass: pulumi.Input<string>;
  /** The size of the volume in GiB. Can only grow. */
  size: number;
  /** The addresses of the servers that can connect to the database. */
  clients: pulumi.Input<string>[];
  /** Whether `pulumi destroy` and replacements delete the volume. Defaults to false. */
  deletable?: boolean;
}

/** A server whose data are on a volume. Unless `deletable` is set, Pulumi rejects changes that would delete the volume. */
export class Database extends pulumi.ComponentResource {
  /** The private address of the server. */
  readonly address: pulumi.Output<string>;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:Database", name, {}, opts);
    const { region, rootPass, size, clients, deletable = false } = args;
    const parent = { parent: this };

    const server = new Instance(
      name,
      { region, type: "g6-standard-1", image: "compute/debian11", rootPass, privateIp: true, backupsEnabled: true },
      parent,
    );
    new Volume(name, { region, size, computeId: server.id }, { ...parent, protect: !deletable });

    const networks = clients.map((address) => pulumi.interpolate`${address}/32`);
    new Firewall(name, { rules: only("5432", networks), devices: { computes: [server.id] } }, parent);

    this.address = server.privateIpv4.apply((address) => address ?? "");
    this.registerOutputs({ address: this.address });
  }
}
